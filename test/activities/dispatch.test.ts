import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adapterFor } from '../../activities/agents/adapters.js';
import { createAskAgent, createDispatch } from '../../activities/dispatch.js';
import type { DispatchPorts } from '../../activities/dispatch-ports.js';
import type { Dispatched, DispatchInput } from '../../activities/interface.js';
import type { Task } from '../../core/values.js';
import { PATH, performer, processesWith, until } from '../support/attempts.js';
import { openSite, type Site, sharedSupervisor } from '../support/looks.js';

const supervisor = sharedSupervisor();
let site: Site;
beforeEach(() => {
  site = openSite(supervisor);
});
afterEach(() => site.leave());
afterAll(() => supervisor.close());

const task: Task = {
  id: 'T1',
  title: 'Part',
  performer: 'mine',
  dependsOn: [],
  checks: [],
  covers: [],
  writes: null,
  repeatable: true,
  states: 'x',
};
const input = (more: Partial<DispatchInput> = {}): DispatchInput => ({
  place: site.place,
  token: 'T1#1.1',
  task,
  planVersion: 1,
  planSha256: '0',
  goal: 'It is there.',
  again: false,
  session: null,
  facts: [],
  notes: [],
  timeoutMs: 60_000,
  ...more,
});

/** The world in which `mine` is the agent of the fixtures that does what its argument says. */
function ports(what: string, more: Partial<DispatchPorts> = {}): DispatchPorts {
  return {
    supervisor,
    environment: async () => ({ variables: { PATH, KEY: 'hunter2-forever' }, secrets: ['hunter2-forever'] }),
    agentFor: async (_place, name) =>
      adapterFor(name, name === 'mine' ? { kind: 'command', command: performer('agent.mjs', what) } : undefined),
    composeBrief: async () => 'the brief\n',
    inlineCommand: async () => null,
    limits: { graceMs: 300, beatMs: 50 },
    ...more,
  };
}

async function dispatched(
  what: string,
  more: { input?: Partial<DispatchInput>; ports?: Partial<DispatchPorts> } = {},
): Promise<Dispatched> {
  return new MockActivityEnvironment().run(createDispatch(ports(what, more.ports)), input(more.input));
}

const endOf = async (...args: Parameters<typeof dispatched>) => (await dispatched(...args)).end;
const nothingClaimed = { evidence: [], discovered: [], risk: [], userAction: [] };
const claimed = (status: string) => ({ status, stateDelta: ['out is there'], unresolved: ['something else'], ...nothingClaimed });

describe('a dispatch', () => {
  it('hands the brief over and brings back the claim, the session, the cost and where the log is', async () => {
    expect(await dispatched('works')).toEqual({
      end: { is: 'answered', claim: claimed('done'), code: 0 },
      cost: { usd: 0.25, tokens: 1000 },
      session: 's-1',
      log: 'attempts/T1.1.1/output.log',
    });
    expect(readFileSync(join(site.place.folder, 'attempts/T1.1.1/output.log'), 'utf8')).toContain('status: done');
  });

  it('tells the performer who it is, where, and nothing else of our environment', async () => {
    await dispatched('works', { input: { session: 's-0' } });
    const { brief, env, cwd } = JSON.parse(readFileSync(join(site.workspace, 'seen.json'), 'utf8'));
    for (const name of ['PWD', 'OLDPWD', '_', 'SHLVL', 'DONEWHEN_ATTEMPT_ID']) delete env[name];
    expect({ brief, cwd, env }).toEqual({
      brief: 'the brief\n',
      cwd: site.workspace,
      env: {
        PATH,
        KEY: 'hunter2-forever',
        DONEWHEN_RUN: 'demo',
        DONEWHEN_TASK: 'T1',
        DONEWHEN_ATTEMPT: 'T1#1.1',
        DONEWHEN_ROLE: 'performer',
        DONEWHEN_WORKSPACE: site.workspace,
        DONEWHEN_SESSION: 's-0',
      },
    });
  });

  it('ends as the performer did, its claim first (docs/interface.md §6)', async () => {
    expect([
      await endOf('says nothing', { input: { token: 'T1#1.1' } }),
      await endOf('unheard of', { input: { token: 'T1#1.2' } }),
      await endOf('dies', { input: { token: 'T1#1.3' } }),
      await endOf('answers, then dies', { input: { token: 'T1#1.4' } }),
      await endOf('answers, then hangs', { input: { token: 'T1#1.5', timeoutMs: 1_000 } }),
      await endOf('works until told', { input: { token: 'T1#1.6', timeoutMs: 300 } }),
      await endOf('is limited', { input: { token: 'T1#1.7' } }),
      await endOf('is limited, but answers', { input: { token: 'T1#1.8' } }),
    ]).toEqual([
      { is: 'exited', code: 0 },
      { is: 'exited', code: 3 },
      { is: 'signalled', signal: 'SIGKILL' },
      { is: 'answered', claim: claimed('partial'), code: null },
      { is: 'answered', claim: claimed('done'), code: null },
      { is: 'timeout' },
      { is: 'limited', until: Date.parse('2026-12-01T09:00:00Z'), why: 'the agent reported a usage limit' },
      { is: 'answered', claim: claimed('done'), code: 0 },
    ]);
  });

  it.each([
    ['cost', { usd: 2, tokens: null }],
    ['tokens', { usd: null, tokens: 500 }],
  ])('is ended when its agent tells that it has spent what was left: %s (D10)', async (budget, left) => {
    const { end, cost } = await dispatched('spends on and on', { input: { left } });
    expect([end, (cost.usd ?? 0) >= 2, (cost.tokens ?? 0) >= 400]).toEqual([
      expect.objectContaining({ is: 'refused', blocker: `budget-${budget}` }),
      true,
      true,
    ]);
  });

  it('keeps no secret that its agent wrote into a command, neither in the log nor in what is told of it (L04)', async () => {
    const command = 'curl -H hunter2-forever';
    const denied = { type: 'result', result: '', permission_denials: [{ tool_name: 'Bash', tool_input: { command } }] };
    const agent = { kind: 'claude-code', command: ['sh', '-c', `echo '${JSON.stringify(denied)}'`] } as const;
    const told = await dispatched('', { ports: { agentFor: async () => adapterFor('claude', { ...agent, command: [...agent.command] }) } });
    expect(told.end).toEqual({ is: 'exited', code: 0, note: 'its permissions did not allow Bash: curl -H [secret]' });
    expect(readFileSync(join(site.place.folder, told.log), 'utf8')).toContain('curl -H [secret]');
  });

  it.each([
    ['{"usd":1e300,"tokens":1e30}', ['1e+300 USD', '1e+30 tokens']],
    ['{"usd":-1,"tokens":"many"}', ['-1 USD', '"many" tokens']],
    ['{"usd":1e999,"estimatedUsd":-0.1}', ['Infinity USD', '-0.1 USD']],
  ])('takes a cost that cannot be as unknown, and says so: %s (D12)', async (cost, doubtful) => {
    const says = `echo '{"donewhen":{"cost":${cost}}}'; echo 'status: done'`;
    const agentFor = async () => adapterFor('mine', { kind: 'command', command: ['sh', '-c', says] });
    const told = await dispatched('', { input: { left: { usd: 25, tokens: 1_000_000 } }, ports: { agentFor } });
    const risk = doubtful.map((amount) => `it says that it cost ${amount}, which is taken as unknown`);
    expect(told).toMatchObject({ cost: { usd: null, tokens: null }, end: { is: 'answered', claim: { risk } } });
  });

  it('takes a contradictory claim, or our own form, for none, and says so (D04, E24)', async () => {
    expect([
      await endOf('contradicts itself', { input: { token: 'T1#1.1' } }),
      await endOf('echoes the contract', { input: { token: 'T1#1.2' } }),
    ]).toEqual([
      { is: 'exited', code: 0, note: expect.stringContaining('done and failed') },
      { is: 'exited', code: 0, note: expect.stringContaining('unfilled') },
    ]);
  });

  it('of the same token twice is one attempt (C02, C11, C13)', async () => {
    const first = await dispatched('works');
    rmSync(join(site.workspace, 'seen.json'));
    expect(await dispatched('works', { ports: { composeBrief: async () => 'another brief' } })).toEqual(first);
    expect(existsSync(join(site.workspace, 'seen.json'))).toBe(false);
    expect(readFileSync(join(site.place.folder, 'attempts/T1.1.1/brief.md'), 'utf8')).toBe('the brief\n');
  });

  // Seed 002 Execution modes.
  it('of an inline task runs its own command, which claims nothing', async () => {
    const inline = { task: { ...task, performer: 'inline' } };
    const run = { inlineCommand: async () => 'echo "status: done" && echo made > out' };
    expect(await dispatched('', { input: inline, ports: run })).toEqual({
      end: { is: 'exited', code: 0 },
      cost: { usd: 0, tokens: 0 },
      log: 'attempts/T1.1.1/output.log',
    });
    expect(readFileSync(join(site.workspace, 'out'), 'utf8')).toBe('made\n');
  });
});

describe('what cannot begin is refused with the way out, and claims nothing', () => {
  const refusedBy = async (...args: Parameters<typeof dispatched>) => {
    const { end, cost, log } = await dispatched(...args);
    expect([cost, log]).toEqual([{ usd: 0, tokens: 0 }, '']);
    expect(existsSync(join(site.place.folder, 'attempts/T1.1.1/claim.json'))).toBe(false);
    return end;
  };

  it('a performer that nobody is', async () => {
    expect(await refusedBy('', { input: { task: { ...task, performer: 'ghost' } } })).toEqual({
      is: 'refused',
      why: 'donewhen.yaml has no agent ghost',
      blocker: 'agent-not-configured',
      userAction: 'Add ghost under agents in donewhen.yaml, or name another performer.',
    });
  });

  it('a known agent that is not installed', async () => {
    const agentFor: DispatchPorts['agentFor'] = async (_place, name) => adapterFor(name, { kind: 'acp', command: ['x'] });
    expect(await refusedBy('', { ports: { agentFor } })).toMatchObject({ is: 'refused', blocker: 'agent-not-found' });
  });

  it('a program that is not installed', async () => {
    const agentFor: DispatchPorts['agentFor'] = async (_place, name) =>
      adapterFor(name, { kind: 'command', command: ['no-such-agent', 'x'] });
    expect(await refusedBy('', { ports: { agentFor } })).toEqual({
      is: 'refused',
      why: 'mine: no-such-agent is not there, or may not be run',
      blocker: 'agent-not-found',
      userAction: 'Install no-such-agent, or change the agent mine in donewhen.yaml.',
    });
  });

  it('an inline task without a command', async () => {
    expect(await refusedBy('', { input: { task: { ...task, performer: 'inline' } } })).toMatchObject({ blocker: 'inline-without-run' });
  });

  it('a workspace that is gone (B17)', async () => {
    const elsewhere = { ...site.place, workspace: join(site.workspace, 'gone') };
    expect(await refusedBy('works', { input: { place: elsewhere } })).toMatchObject({ is: 'refused', blocker: 'workspace-missing' });
  });
});

describe('while it works', () => {
  const begun = () => existsSync(join(site.workspace, 'begun'));
  const start = (more: Partial<DispatchPorts> = {}) => {
    const environment = new MockActivityEnvironment();
    const beats: unknown[] = [];
    environment.on('heartbeat', (details) => beats.push(details));
    const result = environment.run(createDispatch(ports('works until told', more)), input());
    return { environment, beats, result: result.catch((error: unknown) => error) };
  };

  it('it tells the engine on a timer what is known of it (H15, H14)', async () => {
    const { beats, result } = start();
    const told = () => beats.find((beat) => (beat as { lastLine?: unknown } | null)?.lastLine === 'half of it');
    await until(() => told() !== undefined);
    writeFileSync(join(site.workspace, 'go'), '');
    await result;
    expect(told()).toEqual({
      pid: expect.any(Number),
      startedAt: expect.any(Number),
      session: 's-2',
      phase: 'working',
      lastLine: 'half of it',
    });
  });

  it('tells it no oftener for all that it prints (H14)', async () => {
    const environment = new MockActivityEnvironment();
    const beats: unknown[] = [];
    environment.on('heartbeat', (details) => beats.push(details));
    const chatty = adapterFor('mine', { kind: 'command', command: ['sh', '-c', 'yes "a line" | head -n 50000'] });
    const few = { agentFor: async () => chatty, limits: { beatMs: 60_000 } };
    await environment.run(createDispatch(ports('', few)), input());
    expect(beats.length).toBeLessThan(2);
  });

  it('the wish of the workflow ends it, with everything it started', async () => {
    const { environment, result } = start();
    await until(begun);
    environment.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
    expect(await result).toEqual({
      end: { is: 'cut' },
      cost: { usd: null, tokens: null },
      session: 's-2',
      log: 'attempts/T1.1.1/output.log',
    });
    expect(processesWith('works until told')).toEqual([]);
  });

  for (const [why, details] of [
    ['WORKER_SHUTDOWN', { workerShutdown: true }],
    ['PAUSED', { cancelRequested: true, paused: true }],
    ['RESET', { reset: true }],
    ['TIMED_OUT', { timedOut: true }],
    ['NOT_FOUND', { notFound: true }],
  ] as const) {
    it(`${why} leaves it running, and the next dispatch of its token gets its end (R13)`, async () => {
      const { environment, result } = start();
      await until(begun);
      environment.cancel(why, new ActivityCancellationDetails(details));
      expect(await result).toBeInstanceOf(CancelledFailure);
      expect(processesWith('works until told').length).toBeGreaterThan(0);
      writeFileSync(join(site.workspace, 'go'), '');
      expect(await endOf('works until told')).toEqual({ is: 'answered', claim: claimed('done'), code: 0 });
    });
  }

  it('a stopped run cuts it through a dispatch of its token', async () => {
    const { result } = start();
    await until(begun);
    expect((await dispatched('works until told', { input: { cut: true } })).end).toEqual({ is: 'cut' });
    expect(await result).toMatchObject({ end: { is: 'cut' } });
  });

  it('nothing is begun for a run that was stopped before', async () => {
    expect(await dispatched('works', { input: { cut: true } })).toEqual({
      end: { is: 'cut' },
      cost: { usd: 0, tokens: 0 },
      log: 'attempts/T1.1.1/output.log',
    });
    expect(existsSync(join(site.workspace, 'seen.json'))).toBe(false);
  });
});

it('an attempt whose supervisor died with it is lost, whatever it had said', async () => {
  const result = dispatched('works until told');
  await until(() => existsSync(join(site.workspace, 'begun')));
  const claim = JSON.parse(readFileSync(join(site.place.folder, 'attempts/T1.1.1/claim.json'), 'utf8'));
  process.kill(claim.supervisor.pid, 'SIGKILL');
  expect((await result).end).toEqual({ is: 'lost' });
});

it('attempts are kept apart by their tokens, whatever is in them', async () => {
  const odd = { ...task, id: 'S1@2' };
  expect((await dispatched('says nothing', { input: { task: odd, token: 'S1@2#1.1' } })).log).toBe('attempts/S1@2.1.1/output.log');
  expect((await dispatched('says nothing', { input: { token: '../T1/x#1.1' } })).log).toBe('attempts/%2e%2e%2fT1%2fx.1.1/output.log');
});

describe('another role', () => {
  const ask = (what: string, more: object = {}) => {
    const asked = {
      place: site.place,
      token: 'plan-2-T1#1.1',
      role: 'planner' as const,
      agent: 'mine',
      task: 'T1',
      planSha256: null,
      prompt: 'what now?',
      timeoutMs: 60_000,
    };
    return new MockActivityEnvironment().run(createAskAgent(ports(what)), { ...asked, ...more });
  };

  it('answers with its text, without what it said by the side, and what that cost', async () => {
    expect(await ask('works')).toEqual({
      output: 'status: done\nstate_delta:\n- out is there\nunresolved:\n- something else\n\n',
      end: { is: 'exited', code: 0 },
      cost: { usd: 0.25, tokens: 1000 },
    });
    const { env, brief } = JSON.parse(readFileSync(join(site.workspace, 'seen.json'), 'utf8'));
    expect([env.DONEWHEN_ROLE, env.DONEWHEN_TASK, brief]).toEqual(['planner', 'T1', 'what now?']);
  });

  it('that nobody fills, or cannot be started, gives no answer and says why', async () => {
    expect(await ask('works', { agent: 'ghost' })).toMatchObject({ output: '', end: { is: 'refused', blocker: 'agent-not-configured' } });
  });

  it('gives the same answer to the same token, and says that it was asked before', async () => {
    const first = await ask('works');
    expect(await ask('works')).toEqual(Object.assign({ again: true }, first));
  });
});

it('the folder of a run may be moved between two dispatches of a token: what ended has ended', async () => {
  const first = await dispatched('works');
  const moved = `${site.place.folder}-moved`;
  mkdirSync(join(site.workspace, 'x'));
  renameSync(site.place.folder, moved);
  expect(await dispatched('works', { input: { place: { ...site.place, folder: moved } } })).toEqual(first);
});
