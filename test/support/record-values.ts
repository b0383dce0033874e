import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createDisk, type Disk } from '../../activities/files/disk.js';
import type { Place, RecordInput, RecordState } from '../../activities/interface.js';
import { createPlans } from '../../activities/plans.js';
import { createRecord } from '../../activities/record.js';
import { sha256Of, textsOf } from '../../activities/texts.js';
import type { Entry, EntryText } from '../../core/values.js';

export const FIRST_STATE: RecordState = { head: null, bytes: 0, tail: '' };

export const NO_TEXT: EntryText = {
  stateDelta: [],
  evidence: [],
  words: [],
  discovered: [],
  unresolved: [],
  risk: [],
  userAction: [],
  deviation: [],
};

export function planText(version: number, tasks: { id: string; more?: string }[], header = ''): string {
  const blocks = tasks.map(
    ({ id, more = '' }) =>
      `## ${id} — Part ${id}\nTask: Make out-${id}.\nDone when: out-${id} exists.\nVerify by: the checks\nChecks:\n- file: out-${id}\n${more}Depends on: —\n`,
  );
  return `# PLAN: demo\n\nSpec: none — the contract is this plan\nGoal: The files are there.\nPlan version: ${version}\n${header}\n${blocks.join('\n')}`;
}

export function entryOf(task: string, more: Partial<Entry> = {}): Entry {
  return {
    seq: 1,
    task,
    title: `Part ${task}`,
    status: 'done',
    label: 'verified',
    planVersion: 1,
    attempt: 1,
    performer: 'mine',
    covers: [],
    states: `promise of ${task}`,
    checks: [`file: out-${task}`],
    observed: 'holds',
    asOf: 1,
    gates: [{ is: 'holds', at: 0 }],
    cost: { usd: 0.12, tokens: 900 },
    startedAt: 0,
    endedAt: 0,
    text: {
      ...NO_TEXT,
      stateDelta: [`out-${task} exists`],
      evidence: [{ check: `file: out-${task}`, before: 'absent', after: 'there, 5 bytes', holds: true }],
    },
    ...more,
  };
}

export interface World {
  place: Place;
  /** The sha256 of plan version 1. */
  planSha256: string;
}

/** The folders of a run whose plan was loaded. */
export async function worldIn(
  workspace: string,
  more: { plan?: string; ledger?: string; spare?: string; pinned?: { path: string; content: string }[] } = {},
): Promise<World> {
  const folder = join(workspace, '.donewhen', 'demo');
  mkdirSync(folder, { recursive: true });
  const spare = more.spare === undefined ? {} : { spare: more.spare };
  const texts = textsOf(createDisk(), { folder, ...spare });
  const planSha256 = await texts.put(more.plan ?? planText(1, [{ id: 'T1' }, { id: 'T2' }]));
  const pinned = await Promise.all((more.pinned ?? []).map(async ({ path, content }) => ({ path, sha256: await texts.put(content) })));
  const ledgerSha256 = more.ledger === undefined ? null : await texts.put(more.ledger);
  const place: Place = {
    slug: 'demo',
    workflowId: 'donewhen-demo',
    workspace,
    out: workspace,
    folder,
    ...spare,
    configSha256: sha256Of(''),
    specSha256: null,
    ledgerSha256,
    pinned,
    host: 'h',
  };
  return { place, planSha256 };
}

/** A record whose state is handed on from write to write, as the workflow does it. */
export function recorder(place: Place, disk: Disk = createDisk(), from: RecordState = FIRST_STATE) {
  const record = createRecord({ disk, plans: createPlans(disk) });
  let state = from;
  return {
    state: () => state,
    write: async (write: RecordInput['write'], restore: string[] = []) => {
      const recorded = await record({ place, state, write, restore });
      state = recorded.state;
      return recorded;
    },
  };
}

/** Every file below a folder, by its path: whole worlds are compared. Times in names of found files are left out. */
export function filesIn(folder: string, under = ''): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(join(folder, under)).sort()) {
    const path = under === '' ? name : `${under}/${name}`;
    if (statSync(join(folder, path)).isDirectory()) Object.assign(files, filesIn(folder, path));
    else files[path] = readFileSync(join(folder, path), 'utf8');
  }
  return files;
}
