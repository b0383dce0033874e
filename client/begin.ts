import type { StartInput } from '../activities/interface.js';
import { UserError } from './errors.js';
import type { Examined } from './examine.js';
import { type Decision, decide, type FoundEntry, type FoundWorkflow, type Origin } from './find.js';
import { count } from './present/text.js';
import { sha256Of } from './record-text.js';
import { keptPlanPath, keptVersions } from './run-folder.js';
import { type LedgerEntry, readRunState } from './run-state.js';
import type { RunInfo, RunMemo, Runs, StartRequest } from './runs.js';
import { idOf } from './service.js';
import { readTextFile } from './text-file.js';

export interface BeginOptions {
  again: boolean;
  allowDirty: boolean;
}

/** Looks what is there under the plan's name and decides; nothing is changed yet. */
export async function findRun(
  runs: Runs,
  examined: Examined,
  options: BeginOptions,
  hostId: string,
): Promise<{ decision: Decision; info: RunInfo | null }> {
  const info = await runs.find(examined.slug);
  const decision = decide({
    slug: examined.slug,
    again: options.again,
    here: { host: hostId, folder: examined.folder.folder },
    plan: { titleSlug: examined.titleSlug, version: examined.document.version },
    ledger: examined.ledger,
    workflow: await workflowFound(runs, info, examined),
  });
  return { decision, info };
}

async function workflowFound(runs: Runs, info: RunInfo | null, examined: Examined): Promise<FoundWorkflow> {
  if (info === null) return { is: 'none' };
  const from = originOf(info.memo);
  const sha256 = sha256Of(examined.folder.plan);
  // No worker is asked: a run whose worker just died must go on at once.
  if (info.status === 'running')
    return { is: 'running', from, samePlan: (newestPlanSha(examined) ?? info.memo.planSha256 ?? sha256) === sha256 };
  const ended = await runs.result(idOf(info), null);
  switch (ended.is) {
    case 'closed': {
      const state = readRunState(ended.state);
      const kept = state === null ? null : keptPlanSha(examined, state.plan.version);
      const samePlan = (kept ?? info.memo.planSha256 ?? sha256) === sha256;
      return { is: 'closed', from, outcome: state?.outcome ?? null, last: state === null ? null : deciding(state.ledger), samePlan };
    }
    case 'refused':
      return { is: 'refused' };
    case 'terminated':
    case 'cancelled':
      return { is: 'gone', from, how: ended.is };
    case 'timedOut':
      return { is: 'gone', from, how: 'ended by a time limit' };
    case 'broken':
      return { is: 'gone', from, how: 'broken off' };
    case 'abandoned':
      throw new UserError(`interrupted while run ${info.slug} was read`, 3);
  }
}

function originOf(memo: RunMemo): Origin | null {
  return memo.host === null || memo.folder === null ? null : { host: memo.host, folder: memo.folder };
}

/** Each version stays in the run's folder as it was carried out. */
function keptPlanSha(examined: Examined, version: number): string | null {
  const text = readTextFile(keptPlanPath(examined.folder.workspace, examined.slug, version));
  return text === null ? null : sha256Of(text);
}

function newestPlanSha(examined: Examined): string | null {
  const newest = keptVersions(examined.folder.workspace, examined.slug).at(-1);
  return newest === undefined ? null : keptPlanSha(examined, newest);
}

/** The newest entry with an open gate, else the last one. */
function deciding(ledger: LedgerEntry[]): FoundEntry | null {
  const entries = ledger.map(
    (entry): FoundEntry => ({ task: entry.task, planVersion: entry.planVersion, gate: gateOf(entry.gates.at(-1)) }),
  );
  return (
    entries.findLast((entry) => entry.gate === 'missing' || entry.gate === 'required' || entry.gate === 'exhausted') ??
    entries.at(-1) ??
    null
  );
}

function gateOf(words: string | undefined): FoundEntry['gate'] {
  if (words === 'plan holds') return 'holds';
  if (words === 'replan required') return 'required';
  if (words === 'replan exhausted') return 'exhausted';
  if (words?.startsWith('replan done')) return 'done';
  if (words?.startsWith('replan reopened')) return 'reopened';
  return 'missing';
}

/** What goes to the workflow: texts, because a path means nothing to a worker elsewhere. */
export function startRequest(
  examined: Examined,
  options: { taskQueue: string; hostId: string; ledger: boolean; allowDirty: boolean },
): StartRequest {
  const { folder, slug, spec } = examined;
  const input: StartInput = {
    slug,
    plan: folder.plan,
    ...(spec === null ? {} : { spec }),
    ...(options.ledger && folder.ledger !== null ? { ledger: folder.ledger } : {}),
    workspace: { path: folder.workspace },
    out: folder.out,
    ...(options.allowDirty ? { allowDirty: true } : {}),
  };
  assertCarried(input, folder.planFile);
  return {
    slug,
    taskQueue: options.taskQueue,
    input,
    summary: `${slug}: ${count(examined.document.tasks.length, 'task')}, ${examined.document.goal}`.slice(0, SUMMARY_CHARS_MAX),
    memo: {
      host: options.hostId,
      folder: folder.folder,
      out: folder.out,
      workspace: folder.workspace,
      planFile: folder.planFile,
      planSha256: sha256Of(folder.plan),
    },
  };
}

const SUMMARY_CHARS_MAX = 200;
/** The service refuses a larger message. */
const START_BYTES_MAX = 1_900_000;

function assertCarried(input: StartInput, planFile: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes > START_BYTES_MAX) {
    throw new UserError(
      `${planFile}: plan, SPEC and ledger together have ${bytes} bytes, more than the ${START_BYTES_MAX} that a start can carry`,
      2,
    );
  }
}
