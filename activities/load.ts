import { join } from 'node:path';
import { policyOf } from '../documents/config.js';
import { toTasks } from '../documents/plan.js';
import { renderProblem } from '../documents/problem.js';
import { requiredCriteria } from '../documents/spec.js';
import { setEarlierAside } from './attempt-folder.js';
import { writeWhole } from './files/whole.js';
import type { Loaded, PipelineStart, Place, StartInput } from './interface.js';
import { type Claim, folderOf, takeWorkspace } from './load/claim.js';
import { foundWords, keptEntries, performedBy } from './load/entries.js';
import { type Examined, examine, invalid, isOurs } from './load/examine.js';
import { type GoalMet, lookAtGoal } from './load/goal-met.js';
import { inputProblems } from './load/input.js';
import { pinned } from './load/pins.js';
import { loadPipeline } from './pipeline/load.js';
import type { FilePorts, LoadPorts } from './ports.js';
import { sha256Of, textsOf } from './texts.js';

/** The engine carries no larger value. */
const LOADED_BYTES_MAX = 1_900_000;

type PlanInput = StartInput & { workflowId: string; now: number };
export type LoadInput = (StartInput | PipelineStart) & { workflowId: string; now: number };

/**
 * Turns the texts of a start into values, and makes the folder of the run. It throws `InvalidPlan` or `InvalidInput`,
 * with every problem in its message, before anything is written; doing it twice is doing it once.
 */
export function createLoad(ports: LoadPorts): (input: LoadInput, signal?: AbortSignal) => Promise<Loaded> {
  return async (input, signal = new AbortController().signal) => {
    const wrong = inputProblems(input);
    if (wrong.length > 0) throw invalid('InvalidInput', wrong);
    if ('pipeline' in input) return loadPipeline(ports, input);
    const examined = await examine(ports, input);
    const goal = await goalMet(ports, examined, signal);
    const { out, warnings } = await takeWorkspace(ports, input, claimOf(examined));
    return settle(ports, input, { ...examined, out, goal, warnings: [...examined.warnings, ...warnings] });
  };
}

/** R8: a plan that says that nothing is to be done is refused unless its own checks hold. */
async function goalMet(ports: LoadPorts, { plan, workspace, out, config }: Examined, signal: AbortSignal): Promise<GoalMet> {
  const met = await lookAtGoal(plan.noOp?.checks ?? [], { workspace, out, config, signal }, ports);
  if (met.problems.length > 0) throw invalid('InvalidPlan', met.problems.map(renderProblem));
  return met;
}

function claimOf(examined: Examined): Claim {
  const { workspace, slug, out, plan, resumed } = examined;
  const open = new Set(plan.tasks.map((task) => task.id));
  for (const { entry } of resumed?.entries ?? []) open.delete(entry.task);
  return {
    workspace,
    slug,
    out,
    isResumed: resumed !== null,
    isOpen: (task) => open.has(task),
    isOurs: (path) => isOurs(examined, path),
  };
}

/** Keeps every text by its hash, pins what decides the checks, and says what the run begins with. */
async function settle(ports: FilePorts, input: PlanInput, examined: Examined & { goal: GoalMet }): Promise<Loaded> {
  const { workspace, slug, plan, spec, config, resumed, warnings, goal } = examined;
  const folder = folderOf(workspace, slug);
  if (resumed === null || resumed.entries.length === 0) setEarlierAside(folder, input.now);
  const spare = join(ports.home, 'texts', slug);
  const texts = textsOf(ports.disk, { folder, spare });
  const planSha256 = await texts.put(input.plan);
  await writeWhole(ports.disk, join(folder, `plan-${plan.version}.md`), input.plan);
  const pins = await pinned({ disk: ports.disk, texts, workspace }, { ours: examined.pinnedOurs, plan });
  const place: Place = {
    slug,
    workflowId: input.workflowId,
    workspace,
    out: examined.out,
    folder,
    spare,
    configSha256: await texts.put(JSON.stringify(config)),
    specSha256: spec === null ? null : await texts.put(spec.text),
    ledgerSha256: resumed === null || input.ledger === undefined ? null : await texts.put(input.ledger),
    pinned: pins.pins,
    host: ports.hostId,
    startedAt: input.now,
  };
  const loaded: Loaded = {
    place,
    plan: {
      version: plan.version,
      goal: plan.goal,
      tasks: toTasks(plan, { defaultPerformer: config.roles.performer ?? '', hash: sha256Of }),
      sha256: planSha256,
      ...(plan.replannedBecause === undefined ? {} : { because: plan.replannedBecause }),
      noOp: plan.noOp === null ? null : { ...plan.noOp, seen: goal.seen },
    },
    criteria: spec === null ? null : requiredCriteria(spec.document),
    entries: resumed === null ? [] : performedBy(await keptEntries(texts, resumed, planSha256), config.roles.performer),
    limits: config.limits,
    policy: policyOf(config),
    searchAttributes: await ports.searchAttributes(),
    warnings: [...warnings, ...pins.warnings],
    found: foundWords(resumed, plan),
  };
  const bytes = Buffer.byteLength(JSON.stringify(loaded));
  if (bytes <= LOADED_BYTES_MAX) return loaded;
  throw invalid('InvalidInput', [
    `plan and ledger are too large for one run (${bytes} bytes as values, at most ${LOADED_BYTES_MAX}); split the plan`,
  ]);
}
