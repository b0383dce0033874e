import { join } from 'node:path';
import { unreachable } from '../core/assert.js';
import type { Look, Observation } from '../core/values.js';
import { wasAttempted } from './attempt-folder.js';
import type { PerformerEnvironment } from './dispatch-ports.js';
import { whileBeating } from './heartbeat.js';
import type { CheckInput, Place } from './interface.js';
import { matchesWrites } from './load/declared.js';
import { type Base, baseIn, baseOf, headOf } from './observe/base.js';
import { type Compile, isVacuous } from './observe/compile.js';
import type { Confirm } from './observe/confirm.js';
import type { LookContext } from './observe/context.js';
import { labelledDiscoveries } from './observe/discoveries.js';
import { lookAt } from './observe/look.js';
import { NO_SUSPECTS, type Suspects, withOriginals } from './observe/originals.js';
import { oursIn } from './observe/ours.js';
import { type Changed, changedPins } from './observe/pinned.js';
import { type ChangedRecipe, changedRecipes, recipeDeviation } from './observe/recipes.js';
import type { ScratchLimits } from './observe/scratch.js';
import { clearedFolder, goneRepository } from './observe/standing.js';
import { type Written, writtenSince } from './observe/write-set.js';
import type { Supervisor } from './process/client.js';

/** What looking needs of its world. */
export interface ObservePorts {
  run: Supervisor['run'];
  environment(place: Place): Promise<PerformerEnvironment>;
  /** The content that was pinned under this hash; null: it is not kept. */
  pinnedContent(place: Place, sha256: string): Promise<Uint8Array | null>;
  /** Asks the verifier role for checks where the plan has prose; absent: nobody is asked. */
  compile?: Compile;
  /** Keeps a text of the run by its sha256; absent: what is written is not compared. */
  keepText?(place: Place, text: string): Promise<string>;
  /** Of a file, whether it was to be changed: by this task or one it waits for, or in a sweep by any of the run. Absent: by what `writes` says. */
  declaredIn?(input: CheckInput): Promise<((path: string) => boolean) | null>;
  /** What tasks may write that work at the same time as this one. */
  othersWrites?(input: CheckInput): Promise<string[]>;
  /** Asks the verifier role how reported facts could be seen; absent: nobody is asked. */
  confirm?: Confirm;
  scratchLimits?: ScratchLimits;
}

const MINUTE_MS = 60_000;

/** The two looks of the loop: before the work and after it. They share everything; twice does no harm. */
export function createLooks(ports: ObservePorts): {
  check(input: CheckInput): Promise<Observation>;
  verify(input: CheckInput): Promise<Observation>;
} {
  const look = (input: CheckInput) => whileBeating((signal) => observe(input, ports, signal));
  return { check: look, verify: look };
}

/**
 * Looks with every check of the input, in their order, one at a time (they may share a disk, a port, a database), and
 * reports what was seen: nothing here is decided. Checks that only a person can answer bring no look.
 */
export async function observe(input: CheckInput, ports: ObservePorts, signal: AbortSignal): Promise<Observation> {
  const context = await contextFor(input, ports, signal);
  const whole: Whole = { input, context, ports };
  switch (input.when) {
    case 'before':
      return lookBefore(whole);
    case 'after':
      return lookAfter(whole);
    case 'sweep':
    case 'resolution':
      return lookWithChecks(whole, NOTHING, { ...NO_SUSPECTS, pins: Object.keys(await changedBy(whole)) });
    default:
      return unreachable(input.when);
  }
}

const NOTHING: Observation = { looks: [], tampered: [], deviations: [], discovered: [] };

/** Pinned files that are not what they were, and that nobody was to change. */
async function changedBy({ input, ports }: Whole): Promise<Changed> {
  return changedPins(input, declaredBy(input, ports));
}

/** The plans are read only where something was changed. */
function declaredBy(input: CheckInput, ports: ObservePorts): (path: string) => Promise<boolean> {
  let reading: Promise<((path: string) => boolean) | null> | undefined;
  return async (path) => {
    reading ??= ports.declaredIn?.(input) ?? Promise.resolve(null);
    const isDeclared = await reading;
    return isDeclared === null ? matchesWrites(path, input.writes ?? []) : isDeclared(path);
  };
}

async function lookBefore(whole: Whole): Promise<Observation> {
  const { input, context, ports } = whole;
  const attempted = input.task !== null && wasAttempted(input.place.folder, input.task) ? { attempted: true } : {};
  const compiled = (await ports.compile?.(input, context)) ?? null;
  // Nobody was sent, so it is no tampering of this task; but what holds only with a changed file does not hold.
  const pins = await changedBy(whole);
  const looked =
    compiled === null ? await lookWithChecks(whole, NOTHING, { ...NO_SUSPECTS, pins: Object.keys(pins) }) : { ...NOTHING, ...compiled };
  const checks = [...input.checks, ...(compiled?.compiled ?? [])];
  return { ...looked, ...attempted, ...(await keptBase({ ...whole, input: { ...input, checks } }, pins)) };
}

/** After the checks, which may leave something behind themselves. */
async function keptBase({ input, context, ports }: Whole, pins: Changed): Promise<Pick<Observation, 'base'>> {
  const { keepText } = ports;
  if (input.task === null || keepText === undefined) return {};
  const keep = (text: string) => keepText(input.place, text);
  const base = await baseOf(input, { pins, keep }, context);
  return base === null ? {} : { base: await keep(JSON.stringify(base)) };
}

async function lookAfter(begun: Whole): Promise<Observation> {
  const base = await baseBefore(begun);
  const head = base === null ? null : headOf(base);
  const whole = { ...begun, context: { ...begun.context, ...(head === null ? {} : { headBefore: head }) } };
  const { input, context, ports } = whole;
  const { confirm, scratchLimits } = ports;
  // First of all: what a performer's own check did all the same, in spite of its copy, is seen below as what the task did.
  const { deviation, ...found } = await labelledDiscoveries(
    input.claim?.discovered ?? [],
    { place: input.place, context, ...(scratchLimits === undefined ? {} : { scratchLimits }) },
    confirm && ((facts) => confirm(input, facts)),
  );
  const pins = await changedBy(whole);
  // What others changed before it is not its own doing, and is not undone with its own.
  const tampered = Object.keys(pins).filter((path) => base?.pins === undefined || base.pins[path] !== pins[path]);
  const { deviations, destroyed, recipes } = await written(whole, base, tampered);
  const observation = await lookWithChecks(whole, { ...NOTHING, tampered, deviations }, { pins: Object.keys(pins), recipes });
  const all = [...deviations, ...clearedFolder(input), ...(deviation === undefined ? [] : [deviation])];
  return { ...observation, ...found, deviations: all, ...(destroyed.length === 0 ? {} : { destroyed }) };
}

/** null: none was taken. */
async function baseBefore({ input, ports }: Whole): Promise<Base | null> {
  if (input.base === undefined) return null;
  const text = await ports.pinnedContent(input.place, input.base);
  if (text === null) return { tree: { unknown: 'what stood there before is no longer kept' }, recipes: {} };
  return baseIn(Buffer.from(text).toString('utf8'));
}

async function written(
  { input, context, ports }: Whole,
  base: Base | null,
  tampered: string[],
): Promise<Written & Pick<Suspects, 'recipes'>> {
  if (base === null) return { deviations: [], destroyed: [], recipes: [] };
  const own = input.writes ?? [];
  const isDeclared = declaredBy(input, ports);
  const recipes: ChangedRecipe[] = [];
  for (const recipe of changedRecipes(base.recipes, context.workspace))
    if (!tampered.includes(recipe.path) && !(await isDeclared(recipe.path))) recipes.push(recipe);
  const told = recipes.map(recipeDeviation);
  const gone = goneRepository(base.repository ?? null, context.workspace);
  if (gone !== null) return { ...gone, deviations: [...gone.deviations, ...told], recipes };
  if (input.writes === null || base.tree === null) return { deviations: told, destroyed: [], recipes };
  const others = (await ports.othersWrites?.(input)) ?? [];
  const { deviations, destroyed } = await writtenSince(base.tree, { own, others, tampered }, context);
  return { deviations: [...deviations, ...told], destroyed, recipes };
}

async function lookWithChecks({ input, context, ports }: Whole, seen: Observation, suspects: Suspects): Promise<Observation> {
  const looks: Look[] = [];
  const refused: string[] = [];
  for (const line of input.checks) {
    const look = await lookAt(line, context);
    if (look === null) continue;
    if (await isRefused(look, input, context)) refused.push(line);
    else looks.push(await withOriginals(look, suspects, { ...ports, place: input.place, context }));
  }
  return { ...seen, looks, ...(refused.length === 0 ? {} : { refused }) };
}

/** A planner's own check that holds already must be able to fail somewhere, or it observes nothing (design.md §3). */
async function isRefused(look: Look, { when, added }: CheckInput, context: LookContext): Promise<boolean> {
  return when === 'before' && look.is === 'holds' && added?.includes(look.check) === true && (await isVacuous(look.check, context));
}

async function contextFor(input: CheckInput, ports: ObservePorts, signal: AbortSignal): Promise<LookContext> {
  const { place } = input;
  const { variables, secrets } = await ports.environment(place);
  return {
    workspace: place.workspace,
    run: (command) => ports.run(command, signal),
    variables,
    secrets,
    timeoutMs: input.checkMinutes * MINUTE_MS,
    ours: oursIn(
      place,
      place.pinned.map((pin) => join(place.workspace, pin.path)),
    ),
    signal,
  };
}

interface Whole {
  input: CheckInput;
  context: LookContext;
  ports: ObservePorts;
}
