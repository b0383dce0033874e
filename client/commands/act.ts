import { UserError } from '../errors.js';
import { EXIT_BAD_INPUT, EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import type { Act, RunInfo } from '../runs.js';
import { printJson, runNamed, withWorkers } from '../service.js';
import { type Told, tellRun } from '../tell-run.js';
import type { CommonOptions, World } from '../world.js';

/** What every act of a person carries: who says it, and an id under which it is applied once (R12). */
export interface ActOptions extends CommonOptions {
  by?: string;
  id?: string;
  /** What the person looked at, a plan version or a hash; a stale act is refused. */
  shown?: string;
}

/** Answers with yes or no at once where nothing has to be looked at first. */
const ANSWER_MS = 30_000;

/** Sends one act to a running run and says what came of it. Refused is exit 2, no server exit 3. */
export async function actCommand(
  run: string,
  act: { name: Act['name']; payload: Act['payload']; answerMs?: number },
  options: ActOptions,
  io: Io,
  world: World,
): Promise<number> {
  const payload = { ...act.payload, ...actor(act.name, options) };
  return withWorkers(options, io, world, async (service) => {
    const info = await runNamed(service.runs, run);
    if (info.status !== 'running') throw closedRun(info, act.name);
    const id = options.id ?? world.newId();
    const telling = { service, info, act: { name: act.name, id, payload: { ...payload, id }, answerMs: act.answerMs ?? ANSWER_MS } };
    return sayTold({ run: info.slug, name: act.name, id, told: await tellRun(telling, io, world) }, options, io);
  });
}

/** An act without a name is nobody's word, and is never recorded as somebody's. */
export function actor(name: string, options: ActOptions): Record<string, string> {
  const by = options.by?.trim() ?? '';
  if (by === '') throw new UserError(`${name} needs --by NAME: who says so is part of the record`, 2);
  return { by, ...(options.shown === undefined ? {} : { shown: options.shown }) };
}

export function sayTold(did: { run: string; name: string; id: string; told: Told }, options: CommonOptions, io: Io): number {
  const { run, name, id } = did;
  const { acted, note } = did.told;
  if (options.json) printJson(io, { run, act: name, id, applied: acted.applied, reason: acted.reason });
  if (!acted.applied) {
    io.err(`${run}: ${name} was refused: ${acted.reason}`);
    return EXIT_BAD_INPUT;
  }
  if (!options.json) io.out(`${run}: ${name} was applied${acted.reason === '' ? '' : `: ${acted.reason}`}`);
  if (note !== null) io.err(note);
  return EXIT_OK;
}

function closedRun(info: RunInfo, name: string): UserError {
  const outcome = info.status === 'completed' ? (info.seen.outcome ?? 'closed') : info.status;
  return new UserError(
    `run ${info.slug} is closed (${outcome}), ${name} comes too late: \`donewhen status ${info.slug}\` shows what is left; \`donewhen resolve ${info.slug} …\` goes on where no plan was left, \`donewhen run\` where a gate is open`,
    2,
  );
}
