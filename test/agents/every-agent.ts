import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunJson } from '../../core/run-json.js';
import { type AgentName, programsOf } from '../../scripts/agents.mjs';
import { type AgentStage, type Cast, linesOf, openAgentStage, told } from '../support/agent-stage.js';
import { exampleCast } from './example.js';
import { claims, fails, HANGS, honest, makes, ONE_TASK, runs, scene, secondsFromNow, TWO_TASKS } from './scenarios.js';

/** What is particular about one agent. */
export interface About {
  /** As donewhen.yaml calls it. */
  kind: string;
  /** Scenarios for which it has nothing, or which take it minutes, and why. */
  without: Partial<Record<Title, string>>;
  home?: Cast['home'];
}

const DONE = ['T1 done verified, attempt 1'];
const CANARY = 'canary-5f1c-never-to-be-kept';
/** Between looks by a command that takes half a second itself. */
const LOOK_MS = 1_000;
/** Long enough for the slowest to start its first command on a busy machine. */
const TASK_MINUTES_SHORT = 0.4;

let stage: AgentStage | null = null;

const SCENARIOS = {
  'works through a plan, and its session and tokens are recorded': async (open: Open) => {
    stage = await open({ plan: TWO_TASKS, scenes: (folder) => [honest(folder, 'T1'), honest(folder, 'T2')] });
    const { code, ledger, run } = await stage.carryOut();
    expect({ code, ledger }).toEqual({ code: 0, ledger: [...DONE, 'T2 done verified, attempt 1'] });
    expect(run.cost).toMatchObject({ tokens: expect.any(Number) });
    expect(stage.text('LEDGER.md')).toMatch(/^Attempt: 1, \w+, session \S+$/m);
  },

  'that lies is not believed': async (open: Open) => {
    stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', claims('done', 'out-T1 exists'))] });
    const { code, run } = await stage.carryOut();
    expect({ code, said: saidOf(run) }).toEqual({ code: 12, said: 'T1 failed verified' });
  },

  'that writes into PLAN.md changes no plan': async (open: Open, about: About, agent: AgentName) => {
    const scenes = (folder: string) => [honest(folder, 'T1', runs('echo "Status: no-op" >> PLAN.md'))];
    stage = await open({ plan: ONE_TASK, scenes, ...freely(agent, about) });
    const { ledger, run } = await stage.carryOut();
    expect({ ledger, plan: stage.text('PLAN.md') }).toEqual({ ledger: DONE, plan: ONE_TASK });
    expect(run.ledger[0]?.deviation).toContain('PLAN.md');
  },

  'whose model never answers is ended when its time is up, with all it started': async (open: Open, about: About, agent: AgentName) => {
    const limits = `limits: { taskMinutes: ${TASK_MINUTES_SHORT} }\n`;
    const starts = runs('setsid nohup sleep 1000 > /dev/null 2>&1 & touch was-started');
    stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', starts, HANGS)], ...freely(agent, about, limits) });
    const { run } = await stage.carryOut();
    const started = existsSync(join(stage.folder, 'was-started'));
    expect({ started, said: saidOf(run), blocker: run.ledger[0]?.blocker, alive: stage.attempts() }).toEqual({
      started: true,
      said: 'T1 failed verified',
      blocker: 'agent-timeout',
      alive: [],
    });
  },

  'that falls silent is ended before its time is up': async (open: Open, about: About, agent: AgentName) => {
    const settings = `agents: { ${agent}: { kind: ${about.kind}, idleMinutes: ${TASK_MINUTES_SHORT} } }\n`;
    stage = await open({ plan: ONE_TASK, settings, scenes: () => [scene('T1', HANGS)] });
    const { run } = await stage.carryOut();
    expect({ said: saidOf(run), blocker: run.ledger[0]?.blocker, alive: stage.attempts() }).toEqual({
      said: 'T1 failed verified',
      blocker: 'agent-timeout',
      alive: [],
    });
    expect(stage.text('LEDGER.md')).toContain(`it printed nothing for ${TASK_MINUTES_SHORT} minutes`);
  },

  'that is killed is tried once more': async (open: Open) => {
    const killed = await open({ plan: ONE_TASK, scenes: (folder) => [honest(folder, 'T1', HANGS)] });
    stage = killed;
    const running = killed.begin('run', '.', '--json');
    await killAll(killed, 1);
    expect(told(await running.ended).ledger).toEqual(DONE);
  },

  'that is killed goes on in the session that it had': async (open: Open) => {
    const scenes = (folder: string) => [honest(folder, 'T1', makes(folder, 'said-before-the-end'), HANGS)];
    const killed = await open({ plan: ONE_TASK, scenes });
    stage = killed;
    const running = killed.begin('run', '.', '--json');
    await killAll(killed, 2);
    expect(told(await running.ended).ledger).toEqual(DONE);
    expect(JSON.stringify(killed.model.asked.filter(({ turn }) => turn !== null)[2]?.body)).toContain('said-before-the-end');
  },

  'at a usage limit waits until it is over, and uses up no attempt': async (open: Open) => {
    const resetsAt = secondsFromNow(12);
    stage = await open({ plan: ONE_TASK, scenes: (folder) => [honest(folder, 'T1', fails({ is: 'limit', resetsAt }))] });
    expect((await stage.carryOut()).ledger).toEqual(DONE);
    const later = stage.model.asked.filter(({ turn }) => turn !== null).slice(1);
    expect(later.filter(({ at }) => at < resetsAt * 1000)).toEqual([]);
  },

  'at a quota without a reset time is looked after again later': async (open: Open) => {
    stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', fails({ is: 'quota' }))] });
    await untilLimited(stage);
  },

  'that is throttled for a moment finishes its work': async (open: Open) => {
    stage = await open({ plan: ONE_TASK, scenes: (folder) => [honest(folder, 'T1', fails({ is: 'throttling', retryAfter: 1 }))] });
    expect((await stage.carryOut()).ledger).toEqual(DONE);
  },

  'whose provider is overloaded waits, and uses up no attempt': async (open: Open) => {
    stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', fails({ is: 'overload' }))] });
    await untilLimited(stage);
  },

  'that may not log in is blocked, with the way out': async (open: Open) => {
    stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', fails({ is: 'auth' }))] });
    const { code, run } = await stage.carryOut();
    expect({ code, said: saidOf(run) }).toEqual({ code: 11, said: 'T1 blocked verified' });
    expect(run.ledger[0]?.userAction).not.toEqual([]);
  },

  'whose model refuses has done nothing': async (open: Open) => {
    stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', { is: 'refuses' })] });
    expect((await stage.carryOut()).run.ledger[0]?.status).not.toBe('done');
  },

  'that may only read changes nothing': async (open: Open, about: About, agent: AgentName) => {
    const settings = `agents: { ${agent}: { kind: ${about.kind}, permissions: read } }\n`;
    stage = await open({ plan: ONE_TASK, settings, scenes: (folder) => [honest(folder, 'T1')] });
    const { run } = await stage.carryOut();
    expect({ said: saidOf(run), made: existsSync(join(stage.folder, 'out-T1')) }).toEqual({ said: 'T1 failed verified', made: false });
  },

  'that leaves a process behind leaves none': async (open: Open, about: About, agent: AgentName) => {
    const leaves = runs('setsid nohup sleep 1000 > /dev/null 2>&1 & touch was-left');
    stage = await open({ plan: ONE_TASK, scenes: (folder) => [honest(folder, 'T1', leaves)], ...freely(agent, about) });
    expect({ ledger: (await stage.carryOut()).ledger, alive: stage.attempts() }).toEqual({ ledger: DONE, alive: [] });
    expect(existsSync(join(stage.folder, 'was-left'))).toBe(true);
  },

  'that has used up the budget is sent no more': async (open: Open) => {
    const settings = 'limits: { tokens: 1000 }\n';
    stage = await open({ plan: TWO_TASKS, settings, scenes: (folder) => [honest(folder, 'T1'), honest(folder, 'T2')] });
    const { code, ledger } = await stage.carryOut();
    expect({ code, ledger }).toEqual({ code: 11, ledger: [...DONE, 'T2 blocked verified, attempt 1, budget-tokens'] });
    expect(JSON.stringify(stage.model.asked.map(({ body }) => body))).not.toContain('T2 — Part');
  },

  'carries out the example plan, with nothing but its name in donewhen.yaml': async (open: Open) => {
    const example = await open(exampleCast());
    stage = example;
    const running = example.begin('run', '.', '--json');
    await example.until('a person is asked', async () => (await example.run('waiting', '--json')).out.includes('T7'));
    const words = ['--happened', 'yes', '--now-true', 'I have read it.', '--by', 'ana'];
    expect(await example.run('attest', 'invoice-totals', 'T7', ...words)).toMatchObject({ code: 0 });
    const { code, run } = told(await running.ended);
    expect({ code, ledger: run.ledger.map(({ task, status, verification }) => `${task} ${status} ${verification}`).sort() }).toEqual({
      code: 0,
      ledger: [
        'T1 no_op verified',
        'T2 done verified',
        'T3 done verified',
        'T4 done verified',
        'T5 done verified',
        'T6 done verified',
        'T7 done attested',
      ],
    });
  },

  'that says a secret has it kept nowhere': async (open: Open, about: About, agent: AgentName) => {
    const says = [runs(`echo ${CANARY}`), runs(`echo ${CANARY} >&2; exit 3`)];
    const claim = claims('done', `the key is ${CANARY}`);
    const scenes = (folder: string) => [scene('T1', ...says, makes(folder, 'out-T1'), claim)];
    const { settings, env } = freely(agent, about);
    stage = await open({ plan: ONE_TASK, scenes, settings, env: { ...env, OWN_TOKEN: CANARY } });
    expect((await stage.carryOut()).ledger).toEqual(DONE);
    expect(stage.text('LEDGER.md')).toContain('the key is [secret]');
    expect(stage.kept.flatMap((folder) => filesWith(folder, CANARY))).toEqual([]);
  },
} as const satisfies Record<string, (open: Open, about: About, agent: AgentName) => Promise<void>>;

export type Title = keyof typeof SCENARIOS;
type Open = (cast: Cast) => Promise<AgentStage>;

/** The scenarios with this agent: its real program, a whole run by the command, a scripted model. */
export function describeAgent(agent: AgentName, about: About): void {
  const open: Open = (cast) => openAgentStage(agent, { home: about.home, ...cast });
  afterEach(async () => {
    await stage?.remove();
    stage = null;
  });
  describe.skipIf(programsOf(agent) === null)(agent, () => {
    for (const [title, play] of Object.entries(SCENARIOS)) {
      const why = about.without[title as Title];
      if (why === undefined) test(title, () => play(open, about, agent));
      else test.skip(`${title} (${why})`);
    }
  });
}

/** The agent may do all it wants, as it may on a machine that is a sandbox as a whole. */
function freely(agent: AgentName, { kind }: About, more = ''): { settings: string; env: NodeJS.ProcessEnv } {
  const settings = `agents: { ${agent}: { kind: ${kind}, permissions: full } }\nenvironment: { pass: [PATH, HOME, LANG, IS_SANDBOX] }\n${more}`;
  return { settings, env: { IS_SANDBOX: '1' } };
}

/** Without what was seen of its failing check, which no two agents share. */
function saidOf({ ledger: [entry] }: RunJson): string {
  return entry === undefined ? 'nothing' : `${entry.task} ${entry.status} ${entry.verification}`;
}

/** Once the model was asked so often, everything that belongs to the attempt. */
async function killAll({ until, model, attempts }: AgentStage, asked: number): Promise<void> {
  await until('the agent waits for its model', () => model.asked.filter(({ turn }) => turn !== null).length >= asked);
  for (const { pid } of attempts()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with another one.
    }
  }
}

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

function filesWith(folder: string, bytes: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true && readFileSync(path).includes(bytes));
}
