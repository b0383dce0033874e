import type { WorkflowHandle } from '@temporalio/client';
import { claimOf, taskOf } from './run-values.js';
import { manyTasks, type Script } from './scripted-world.js';

/** Runs whose histories are kept, each the shortest that shows its kind. `people` acts while the run goes on. */
export interface Kept {
  name: string;
  script: Script;
  input?: unknown;
  people?: (handle: WorkflowHandle, until: (condition: () => Promise<boolean>) => Promise<void>) => Promise<unknown>;
}

const asked = (handle: WorkflowHandle) => async () => ((await handle.query('waiting')) as unknown[]).length > 0;
const human = taskOf('T1', { performer: 'human', checks: ['human: does the badge work?'] });

let limitedOnce = false;
let liedOnce = false;

/** A reset that is so near is believed the first time. */
const RESET_MS = 2_000;

export const KEPT: Kept[] = [
  { name: 'works', script: { tasks: manyTasks(3) } },
  {
    name: 'lie-replanned',
    script: {
      tasks: manyTasks(1),
      dispatch: (task) => {
        const lies = task === 'T1' && !liedOnce;
        liedOnce = true;
        return lies ? { end: { is: 'answered', claim: claimOf('failed', { blocker: 'a-wall' }), code: 0 } } : {};
      },
      plan: () => ({
        is: 'plan',
        plan: {
          version: 2,
          goal: 'g',
          tasks: [taskOf('T2', { continues: 'T1', states: 'promise of T1', checks: ['file: out-T1'] })],
          sha256: 'plan-2',
          noOp: false,
        },
      }),
    },
  },
  { name: 'exhausted', script: { tasks: manyTasks(1), dispatch: () => ({ end: { is: 'exited', code: 3 } }) } },
  {
    name: 'person-attests',
    script: { tasks: [human] },
    people: async (handle, until) => {
      await until(asked(handle));
      await handle.executeUpdate('attest', { args: [{ task: 'T1', happened: 'yes', by: 'ana' }], updateId: 'attest-1' });
    },
  },
  {
    name: 'messages-refused',
    script: { tasks: [human] },
    people: async (handle, until) => {
      await until(asked(handle));
      await handle.signal('attest', 'nonsense');
      await handle.signal('approve-everything', { by: 'ana' });
      await handle.signal('attest', { task: 'T1', happened: 'no', by: 'ana', unexpected: 'door locked' });
    },
  },
  {
    name: 'limited',
    script: {
      tasks: manyTasks(1),
      dispatch: () => {
        const isLimited = !limitedOnce;
        limitedOnce = true;
        return isLimited ? { end: { is: 'limited', until: Date.now() + RESET_MS, why: 'usage limit' } } : {};
      },
    },
  },
  {
    name: 'paused-and-stopped',
    script: { tasks: [human, ...manyTasks(2).slice(1)] },
    people: async (handle, until) => {
      await until(asked(handle));
      await handle.signal('pause', { by: 'ana' });
      await handle.signal('resume', { by: 'ana' });
      await handle.signal('stop', { by: 'ana', reason: 'lunch' });
    },
  },
  { name: 'continued-as-new', script: { tasks: manyTasks(20) } },
  { name: 'invalid-plan', script: { tasks: [] }, input: 'hello' },
];
