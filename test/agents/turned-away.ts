import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RunJson } from '../../core/run-json.js';
import { type AgentStage, linesOf } from '../support/agent-stage.js';
import { DONE, type Play, saidOf } from './play.js';
import { fails, honest, ONE_TASK, runs, scene, secondsFromNow, TWO_TASKS } from './scenarios.js';

/** Between looks by a command that takes half a second itself. */
const LOOK_MS = 1_000;

/** An agent whose provider, or whose budget, does not let it go on. */
export const TURNED_AWAY = {
  'at a usage limit with a reset time waits until then, and uses up no attempt': async (open) => {
    let resetsAt = 0;
    const limit = {
      is: 'limit' as const,
      // Counted from when the agent runs into it, however long it took to get there.
      get resetsAt() {
        resetsAt ||= secondsFromNow(20);
        return resetsAt;
      },
    };
    const stage = await open({ plan: ONE_TASK, scenes: (folder) => [honest(folder, 'T1', fails(limit))] });
    expect((await stage.carryOut()).ledger).toEqual(DONE);
    const later = stage.model.asked.filter(({ turn }) => turn !== null).slice(1);
    expect(later.filter(({ at }) => at < resetsAt * 1000)).toEqual([]);
  },

  'at a quota without a reset time is looked after again later': async (open) => {
    const stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', fails({ is: 'quota' }))] });
    await untilLimited(stage);
  },

  'that is throttled for a moment finishes its work': async (open) => {
    const stage = await open({ plan: ONE_TASK, scenes: (folder) => [honest(folder, 'T1', fails({ is: 'throttling', retryAfter: 1 }))] });
    expect((await stage.carryOut()).ledger).toEqual(DONE);
  },

  'whose provider is overloaded waits, and uses up no attempt': async (open) => {
    const stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', fails({ is: 'overload' }))] });
    await untilLimited(stage);
  },

  'that may not log in is blocked, with the way out': async (open) => {
    const stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', fails({ is: 'auth' }))] });
    const { code, run } = await stage.carryOut();
    expect({ code, said: saidOf(run) }).toEqual({ code: 11, said: 'T1 blocked verified' });
    expect(run.ledger[0]?.userAction).not.toEqual([]);
  },

  'whose model refuses has done nothing': async (open) => {
    const stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', { is: 'refuses' })] });
    expect((await stage.carryOut()).run.ledger[0]?.status).not.toBe('done');
  },

  'that has used up the budget is sent no more': async (open) => {
    const settings = 'limits: { tokens: 1000 }\n';
    const stage = await open({ plan: TWO_TASKS, settings, scenes: (folder) => [honest(folder, 'T1'), honest(folder, 'T2')] });
    const { code, ledger } = await stage.carryOut();
    expect({ code, ledger }).toEqual({ code: 11, ledger: [...DONE, 'T2 blocked verified, attempt 1, budget-tokens'] });
    expect(JSON.stringify(stage.model.asked.map(({ body }) => body))).not.toContain('T2 — Part');
  },

  'that exceeds its budget while it works is ended (D10)': async (open) => {
    const spends = Array.from({ length: 5_000 }, (_, turn) => ({ ...runs(`git log -${turn + 1}`), usage: { input: 3_000, output: 100 } }));
    const settings = 'limits: { tokens: 5000 }\n';
    const stage = await open({ plan: ONE_TASK, settings, scenes: () => [scene('T1', ...spends)] });
    const { code, run } = await stage.carryOut();
    expect({ code, said: saidOf(run), blocker: run.ledger[0]?.blocker, alive: stage.attempts() }).toEqual({
      code: 11,
      said: 'T1 blocked verified',
      blocker: 'budget-tokens',
      alive: [],
    });
  },
} as const satisfies Record<string, Play>;

async function untilLimited({ begin, run, until }: AgentStage): Promise<void> {
  const running = begin('run', '.', '--json');
  const phase = async () => {
    await sleep(LOOK_MS);
    return (JSON.parse((await run('status', 'demo', '--json')).out || '{}') as Partial<RunJson>).phase;
  };
  await until('the run waits for the limit', async () => (await phase()) === 'limited');
  await run('stop', 'demo', '--by', 'ana');
  const state = JSON.parse((await running.ended).out) as RunJson;
  expect({ stopped: state.stopped?.by, entries: linesOf(state).filter((line) => line.includes('done')) }).toEqual({
    stopped: 'ana',
    entries: [],
  });
}
