import { basename } from 'node:path';
import type { PipelineStart, StartInput } from '../activities/interface.js';
import type { WorkflowType } from '../workflows/names.js';
import { UserError } from './errors.js';
import type { Examined } from './examine.js';
import { type Decision, decide, type Found, type FoundEntry, type FoundLedger, type FoundWorkflow, type Origin } from './find.js';
import type { PlanFolder } from './plan-folder.js';
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

/** What a run begins with, whatever its method: as far as finding and starting it need to know. */
export interface Startable {
  slug: string;
  titleSlug: string;
  folder: Pick<PlanFolder, 'planFile' | 'folder' | 'out' | 'workspace'>;
  ledger: FoundLedger | null;
  type: WorkflowType;
  /** null: it has none, and goes on at whichever its record has. */
  version: number | null;
  /** Of all texts that decide what is done. */
  sha256: string;
  input: StartInput | PipelineStart;
  summary: string;
}

/** Looks what is there under its name and decides; nothing is changed yet. */
export async function findRun(
  runs: Runs,
  startable: Startable,
  options: BeginOptions,
  hostId: string,
): Promise<{ decision: Decision; info: RunInfo | null }> {
  const { slug, titleSlug, ledger } = startable;
  const info = await runs.find(slug);
  const workflow = await workflowFound(runs, info, startable);
  const decision = decide({
    slug,
    again: options.again,
    here: { host: hostId, folder: startable.folder.folder },
    plan: planFound(startable, titleSlug, workflow),
    ledger,
    workflow,
  });
  return { decision, info };
}

/** A pipeline has no version of its own, and goes on at whichever its record has. */
export function planFound({ version, ledger, folder }: Startable, titleSlug: string, workflow: FoundWorkflow): Found['plan'] {
  if (version !== null) return { titleSlug, version };
  const last = workflow.is === 'closed' ? workflow.last : (ledger?.last ?? null);
  return { titleSlug, version: last?.planVersion ?? 1, file: basename(folder.planFile) };
}

async function workflowFound(runs: Runs, info: RunInfo | null, startable: Startable): Promise<FoundWorkflow> {
  if (info === null) return { is: 'none' };
  const from = originOf(info.memo);
  const { sha256 } = startable;
  // No worker is asked: a run whose worker just died must go on at once.
  if (info.status === 'running')
    return { is: 'running', from, samePlan: (newestPlanSha(startable) ?? info.memo.planSha256 ?? sha256) === sha256 };
  const ended = await runs.result(idOf(info), null);
  switch (ended.is) {
    case 'closed': {
      const state = readRunState(ended.state);
      const kept = state === null ? null : keptPlanSha(startable, state.plan.version);
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
function keptPlanSha({ type, folder, slug }: Startable, version: number): string | null {
  const text = type === 'executePlan' ? readTextFile(keptPlanPath(folder.workspace, slug, version)) : null;
  return text === null ? null : sha256Of(text);
}

function newestPlanSha(startable: Startable): string | null {
  const newest = keptVersions(startable.folder.workspace, startable.slug).at(-1);
  return newest === undefined ? null : keptPlanSha(startable, newest);
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

/** A plan as it is begun. */
export function planStart({ folder, slug, titleSlug, spec, document, ledger }: Examined): Startable {
  return {
    slug,
    titleSlug,
    folder,
    ledger,
    type: 'executePlan',
    version: document.version,
    sha256: sha256Of(folder.plan),
    input: { slug, plan: folder.plan, ...(spec === null ? {} : { spec }), ...(folder.ledger === null ? {} : { ledger: folder.ledger }) },
    summary: `${slug}: ${count(document.tasks.length, 'task')}, ${document.goal}`,
  };
}

/** What goes to the workflow: texts, because a path means nothing to a worker elsewhere. */
export function startRequest(
  startable: Startable,
  options: { taskQueue: string; hostId: string; ledger: boolean; allowDirty: boolean },
): StartRequest {
  const { folder, slug, type, sha256, summary } = startable;
  const { ledger, ...texts } = startable.input;
  const input: StartRequest['input'] = {
    ...texts,
    ...(options.ledger && ledger !== undefined ? { ledger } : {}),
    workspace: { path: folder.workspace },
    out: folder.out,
    ...(options.allowDirty ? { allowDirty: true } : {}),
  };
  assertCarried(input, folder.planFile);
  return {
    slug,
    type,
    taskQueue: options.taskQueue,
    input,
    summary: summary.slice(0, SUMMARY_CHARS_MAX),
    memo: {
      host: options.hostId,
      folder: folder.folder,
      out: folder.out,
      workspace: folder.workspace,
      planFile: folder.planFile,
      planSha256: sha256,
      ...rangeIn(startable.input),
    },
  };
}

function rangeIn(input: Startable['input']): Pick<RunMemo, 'from' | 'only'> {
  if (!('pipeline' in input)) return {};
  const { from, only } = input;
  return { ...(from === undefined ? {} : { from }), ...(only === undefined ? {} : { only }) };
}

const SUMMARY_CHARS_MAX = 200;
/** The service refuses a larger message. */
const START_BYTES_MAX = 1_900_000;

function assertCarried(input: StartRequest['input'], planFile: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes > START_BYTES_MAX) {
    throw new UserError(
      `${planFile}: its texts and the ledger together have ${bytes} bytes, more than the ${START_BYTES_MAX} that a start can carry`,
      2,
    );
  }
}
