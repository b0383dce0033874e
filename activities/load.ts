import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { policyOf } from '../documents/config.js';
import { toTasks } from '../documents/plan.js';
import { renderProblem } from '../documents/problem.js';
import { requiredCriteria } from '../documents/spec.js';
import { livingAttempts, setEarlierAside } from './attempt-folder.js';
import { makeRunFolder } from './files/run-folder.js';
import { CANNOT_WRITE, writeWhole, writing } from './files/whole.js';
import type { Loaded, Place, StartInput } from './interface.js';
import { foundWords, keptEntries, performedBy } from './load/entries.js';
import { type Examined, examine, invalid, isOurs } from './load/examine.js';
import { type GoalMet, lookAtGoal } from './load/goal-met.js';
import { inputProblems } from './load/input.js';
import { leasePath, type Taking, takeLease } from './load/lease.js';
import { pinned } from './load/pins.js';
import { uncommitted, uncommittedWords } from './load/workspace.js';
import type { FilePorts, LoadPorts } from './ports.js';
import { sha256Of, textsOf } from './texts.js';

/** The engine carries no larger value. */
const LOADED_BYTES_MAX = 1_900_000;

export type LoadInput = StartInput & { workflowId: string; now: number };

/**
 * Turns the texts of a start into values, and makes the folder of the run. It throws `InvalidPlan` or `InvalidInput`,
 * with every problem in its message, before anything is written; doing it twice is doing it once.
 */
export function createLoad(ports: LoadPorts): (input: LoadInput, signal?: AbortSignal) => Promise<Loaded> {
  return async (input, signal = new AbortController().signal) => {
    const wrong = inputProblems(input);
    if (wrong.length > 0) throw invalid('InvalidInput', wrong);
    const examined = await examine(ports, input);
    const goal = await goalMet(ports, examined, signal);
    const out = await takeWorkspace(ports, input, examined);
    return settle(ports, input, { ...examined, out, goal });
  };
}

/** R8: a plan that says that nothing is to be done is refused unless its own checks hold. */
async function goalMet(ports: LoadPorts, { plan, workspace, out, config }: Examined, signal: AbortSignal): Promise<GoalMet> {
  const met = await lookAtGoal(plan.noOp?.checks ?? [], { workspace, out, config, signal }, ports);
  if (met.problems.length > 0) throw invalid('InvalidPlan', met.problems.map(renderProblem));
  return met;
}

/** The workspace is this run's alone from here on, and what somebody has not committed stays theirs. */
async function takeWorkspace(ports: FilePorts, input: LoadInput, examined: Examined): Promise<string> {
  const { workspace, slug, resumed } = examined;
  if (resumed === null && input.allowDirty !== true) {
    const words = uncommittedWords(workspace, await uncommitted(ports, workspace, (path) => isOurs(examined, path)));
    if (words !== null) throw invalid('InvalidInput', [words]);
  }
  noneAtWork(examined);
  const folder = folderOf(workspace, slug);
  await leadsNowhere(ports, [join(workspace, '.donewhen'), folder]);
  const out = await makeFolders(ports, { folder, out: examined.out });
  const taking = await takeLease(ports.disk, workspace, { slug, workflowId: input.workflowId, host: ports.hostId }, ports.isOpen);
  if (taking.is === 'taken') return out;
  throw invalid('InvalidInput', [leaseWords(workspace, taking)]);
}

/** What this run would dispatch itself finds its living attempt by its token, and goes on with it (R3). */
function noneAtWork({ workspace, slug, plan, resumed }: Examined): void {
  const open = new Set(plan.tasks.map((task) => task.id));
  for (const { entry } of resumed?.entries ?? []) open.delete(entry.task);
  const other = livingAttempts(workspace).find((attempt) => attempt.slug !== slug || !open.has(attempt.task));
  if (other === undefined) return;
  const since = new Date(other.startedAt).toISOString();
  throw invalid('InvalidInput', [
    `an attempt of run ${other.slug} still works in ${workspace} (${other.task}, since ${since}, kept by process ${other.supervisor}); wait for its end, end it with kill ${other.supervisor}, or give --workspace`,
  ]);
}

/** Answers the real path of the folder for LEDGER.md. */
async function makeFolders(ports: FilePorts, { folder, out }: { folder: string; out: string }): Promise<string> {
  try {
    await makeRunFolder(ports.disk, { folder });
    await writing(out, () => ports.disk.makeFolder(out));
  } catch (error) {
    // Somebody is there who can mend it now: a start does not wait for a disk.
    if (error instanceof ApplicationFailure && error.type === CANNOT_WRITE) throw invalid('InvalidInput', [error.message]);
    throw error;
  }
  return (await ports.disk.real(out)) ?? out;
}

function leaseWords(workspace: string, taking: Exclude<Taking, { is: 'taken' }>): string {
  const path = leasePath(workspace);
  if (taking.is === 'unreadable') return `${path} cannot be read; if no other run works here, delete it`;
  const { slug, workflowId, host } = taking.by;
  return `${workspace} is in use by run ${slug} (${workflowId} on ${host}); wait for it, end it with donewhen stop ${slug}, or give --workspace; if that run is gone, delete ${path}`;
}

/** F09: our folders inside the workspace must not lead out of it. */
async function leadsNowhere(ports: FilePorts, folders: string[]): Promise<void> {
  for (const folder of folders) {
    const standing = await ports.disk.standing(folder);
    if (standing === null || standing.kind === 'folder') continue;
    throw invalid('InvalidInput', [`${folder} is no folder; move it away, the runs of this workspace are kept there`]);
  }
}

function folderOf(workspace: string, slug: string): string {
  return join(workspace, '.donewhen', slug);
}

/** Keeps every text by its hash, pins what decides the checks, and says what the run begins with. */
async function settle(ports: FilePorts, input: LoadInput, examined: Examined & { goal: GoalMet }): Promise<Loaded> {
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
