import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { Activities, CheckInput, Dispatched, Loaded, RecordInput } from '../../activities/interface.js';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import type { Observation, Planned, Task } from '../../core/values.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/names.js';
import { claimOf, POLICY, taskOf } from './run-values.js';

/**
 * The activities of a world that exists only in memory, for tests of the workflow itself: a plan of tasks whose checks
 * hold once their dispatch ended well. What happened is written to `log`, in order.
 */
export interface ScriptedWorld {
  activities: Activities;
  log: string[];
  entries: string[];
  holds: Set<string>;
}

export interface Script {
  tasks: Task[];
  loaded?: Partial<Loaded>;
  dispatch?: (task: string, token: string) => Promise<Partial<Dispatched>> | Partial<Dispatched>;
  plan?: () => Planned;
}

const EMPTY: Observation = { looks: [], tampered: [], deviations: [], discovered: [] };

export function scriptedWorld(slug: string, script: Script): ScriptedWorld {
  const log: string[] = [];
  const entries: string[] = [];
  const holds = new Set<string>();
  const look = async (input: CheckInput): Promise<Observation> => {
    log.push(`${input.when} ${input.task ?? 'all'}`);
    const machine = input.checks.filter((check) => !check.startsWith('human:'));
    return {
      ...EMPTY,
      looks: machine.map((check) => ({ check, is: holds.has(check) ? 'holds' : 'disproved', saw: holds.has(check) ? 'there' : 'absent' })),
    };
  };
  const activities: Activities = {
    load: async (input) => {
      if (!('plan' in input && input.plan.startsWith('# PLAN')))
        throw ApplicationFailure.nonRetryable('PLAN.md:1: this is no plan', 'InvalidPlan');
      return { ...loadedOf(slug, script.tasks), ...script.loaded };
    },
    check: look,
    verify: look,
    dispatch: async ({ task, token, cut }) => {
      log.push(`${cut === true ? 'cut' : 'dispatch'} ${token}`);
      if (cut === true) return { end: { is: 'cut' }, cost: { usd: 0, tokens: 0 }, log: '' };
      const said = (await script.dispatch?.(task.id, token)) ?? {};
      const end = said.end ?? { is: 'answered', claim: claimOf('done'), code: 0 };
      if (end.is === 'answered' && end.claim.status === 'done') for (const check of task.checks) holds.add(check);
      return { end, cost: said.cost ?? { usd: 0.01, tokens: 10 }, log: '' };
    },
    replan: async () => ({ planned: script.plan?.() ?? { is: 'none', reason: 'nothing more to try' }, cost: { usd: 0, tokens: 0 } }),
    record: async (input) => record(input, entries, log),
    notify: async ({ text }) => {
      log.push(`notify ${text}`);
    },
  };
  return { activities, log, entries, holds };
}

function record(input: RecordInput, entries: string[], log: string[]): Awaited<ReturnType<Activities['record']>> {
  const { write, state } = input;
  const words =
    write.is === 'entry'
      ? `${write.entry.task} ${write.entry.status}`
      : write.is === 'gate'
        ? `${write.task} ${write.gates.at(-1)?.is}`
        : write.is;
  log.push(`record ${words}`);
  entries.push(words);
  const sha256 = createHash('sha256').update(JSON.stringify(write)).digest('hex');
  const name = write.is === 'report' ? 'REPORT.md' : write.is === 'plan' ? 'PLAN.md' : 'LEDGER.md';
  return {
    state: { head: sha256, bytes: state.bytes + 1, tail: sha256 },
    sha256,
    found: [],
    file: { name, path: `/w/${name}`, sha256, excerpt: words },
  };
}

function loadedOf(slug: string, tasks: Task[]): Loaded {
  return {
    place: {
      slug,
      workflowId: `donewhen-${slug}`,
      workspace: '/w',
      out: '/w',
      folder: '/w/.donewhen',
      configSha256: '',
      specSha256: null,
      pinned: [],
      host: 'here',
    },
    plan: { version: 1, goal: 'The files are there.', tasks, sha256: 'plan-1', noOp: null },
    criteria: null,
    entries: [],
    limits: LIMITS_DEFAULT,
    policy: POLICY,
    searchAttributes: SEARCH_ATTRIBUTES.map((one) => one.name),
    warnings: [],
    found: 'a new run',
  };
}

export function manyTasks(count: number): Task[] {
  return Array.from({ length: count }, (_, index) => taskOf(`T${index + 1}`));
}
