import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { type AgentStage, told } from '../support/agent-stage.js';
import { DONE, freely, type Play, saidOf, TASK_MINUTES_SHORT } from './play.js';
import { HANGS, honest, makes, ONE_TASK, runs, scene } from './scenarios.js';

/** An agent that does not come to its end by itself, or not alone. */
export const ENDED = {
  'that hangs is ended when its time is up, with all it started': async (open, about) => {
    const limits = `limits: { taskMinutes: ${TASK_MINUTES_SHORT} }\n`;
    const starts = runs('setsid nohup sleep 1000 > /dev/null 2>&1 & touch was-started');
    const stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', starts, HANGS)], ...freely(about, limits) });
    const { run } = await stage.carryOut();
    const started = existsSync(join(stage.folder, 'was-started'));
    expect({ started, said: saidOf(run), blocker: run.ledger[0]?.blocker, alive: stage.attempts() }).toEqual({
      started: true,
      said: 'T1 failed verified',
      blocker: 'agent-timeout',
      alive: [],
    });
  },

  'that falls silent is ended before its time is up': async (open, about) => {
    const settings = `agents: { ${about.agent}: { kind: ${about.kind}, idleMinutes: ${TASK_MINUTES_SHORT} } }\n`;
    const stage = await open({ plan: ONE_TASK, settings, scenes: () => [scene('T1', HANGS)] });
    const { run } = await stage.carryOut();
    expect({ said: saidOf(run), blocker: run.ledger[0]?.blocker, alive: stage.attempts() }).toEqual({
      said: 'T1 failed verified',
      blocker: 'agent-timeout',
      alive: [],
    });
    expect(stage.text('LEDGER.md')).toContain(`it printed nothing for ${TASK_MINUTES_SHORT} minutes`);
  },

  'that is killed is tried once more': async (open) => {
    const stage = await open({ plan: ONE_TASK, scenes: (folder) => [honest(folder, 'T1', HANGS)] });
    const running = stage.begin('run', '.', '--json');
    await killAll(stage, 1);
    expect(told(await running.ended).ledger).toEqual(DONE);
  },

  'that is killed resumes the session that it had': async (open) => {
    const scenes = (folder: string) => [honest(folder, 'T1', makes(folder, 'said-before-the-end'), HANGS)];
    const stage = await open({ plan: ONE_TASK, scenes });
    const running = stage.begin('run', '.', '--json');
    await killAll(stage, 2);
    expect(told(await running.ended).ledger).toEqual(DONE);
    expect(JSON.stringify(stage.model.asked.filter(({ turn }) => turn !== null)[2]?.body)).toContain('said-before-the-end');
  },

  'that leaves a background process has it ended with the attempt': async (open, about) => {
    const leaves = runs('setsid nohup sleep 1000 > /dev/null 2>&1 & touch was-left');
    const stage = await open({ plan: ONE_TASK, scenes: (folder) => [honest(folder, 'T1', leaves)], ...freely(about) });
    expect({ ledger: (await stage.carryOut()).ledger, alive: stage.attempts() }).toEqual({ ledger: DONE, alive: [] });
    expect(existsSync(join(stage.folder, 'was-left'))).toBe(true);
  },

  'that prints without end and changes nothing is ended when its time is up': async (open, about) => {
    const limits = `limits: { taskMinutes: ${TASK_MINUTES_SHORT} }\n`;
    // Some end by themselves when they do the same thing again and again.
    const endless = Array.from({ length: 5_000 }, (_, turn) => runs(`seq ${turn} ${turn + 300}`));
    const stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', ...endless)], ...freely(about, limits) });
    const { run } = await stage.carryOut();
    expect({ said: saidOf(run), blocker: run.ledger[0]?.blocker, alive: stage.attempts() }).toEqual({
      said: 'T1 failed verified',
      blocker: 'agent-timeout',
      alive: [],
    });
  },

  'works on while its worker is killed, and the next one gets its end (B13)': async (open) => {
    const slowly = { ...makes('', ''), afterMs: 15_000 };
    const scenes = (folder: string) => [honest(folder, 'T1', { ...slowly, ...makes(folder, 'made-meanwhile') })];
    const stage = await open({ plan: ONE_TASK, scenes });
    await killWorker(stage, 1);
    expect((await stage.carryOut()).ledger).toEqual(DONE);
    expect(stage.text('LEDGER.md').match(/^Attempt: .*$/gm)).toHaveLength(1);
  },

  'that is killed with its worker resumes the session that it had': async (open) => {
    const scenes = (folder: string) => [honest(folder, 'T1', makes(folder, 'said-before-the-end'), HANGS)];
    const stage = await open({ plan: ONE_TASK, scenes });
    await killWorker(stage, 2);
    stage.endSupervisors();
    expect((await stage.carryOut()).ledger).toEqual(DONE);
    expect(JSON.stringify(answered(stage)[2]?.body)).toContain('said-before-the-end');
  },
} as const satisfies Record<string, Play>;

const answered = ({ model }: AgentStage) => model.asked.filter(({ turn }) => turn !== null);

/** Within it an agent has written down what it said before it asked: it does so beside its work. */
const WRITTEN_MS = 2_000;

async function hasAsked(stage: AgentStage, times: number): Promise<void> {
  await stage.until('the agent waits for its model', () => answered(stage).length >= times);
  await setTimeout(WRITTEN_MS);
}

/** Once the model was asked so often, everything that belongs to the attempt. */
async function killAll(stage: AgentStage, asked: number): Promise<void> {
  await hasAsked(stage, asked);
  for (const { pid } of stage.attempts()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with another one.
    }
  }
}

/** The command that carries the run out, and hosts its worker. */
async function killWorker(stage: AgentStage, asked: number): Promise<void> {
  const running = stage.begin('run', '.', '--json');
  await hasAsked(stage, asked);
  running.child.kill('SIGKILL');
  await running.ended;
}
