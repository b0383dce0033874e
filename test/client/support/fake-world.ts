import type { Io } from '../../../client/io.js';
import type { Act, Acted, Ended, Failing, QueryName, RunInfo, Runs, StartRequest } from '../../../client/runs.js';
import type { Canvas, Hosted, Looker, Service, World } from '../../../client/world.js';
import type { Look } from '../../../core/values.js';
import { workflowIdOf } from '../../../workflows/names.js';

/** A terminal whose words can be read back. */
export interface Heard extends Io {
  said: { out: string; err: string };
}

export function heard(more: Partial<Io> = {}): Heard {
  const said = { out: '', err: '' };
  const line = (text: string) => (text.endsWith('\n') ? text : `${text}\n`);
  return {
    said,
    out: (text) => {
      said.out += line(text);
    },
    err: (text) => {
      said.err += line(text);
    },
    env: { NO_COLOR: '1' },
    cwd: '/here',
    isTTY: false,
    ...more,
  };
}

export const NOW = Date.parse('2026-12-01T09:00:00Z');
export const HOST = 'host-a';

export function info(more: Partial<RunInfo> & { slug: string }): RunInfo {
  return {
    workflowId: workflowIdOf(more.slug),
    runId: `run-of-${more.slug}`,
    type: 'executePlan',
    status: 'running',
    taskQueue: `donewhen-run-${more.slug}`,
    startedAt: NOW - 60_000,
    endedAt: null,
    memo: { host: HOST, folder: '/plans/demo', out: '/plans/demo', workspace: '/plans', planFile: '/plans/demo/PLAN.md', planSha256: null },
    seen: { phase: 'dispatching', outcome: null, done: 1, total: 3, costUsd: null, waitingFor: [] },
    ...more,
  };
}

/** A service in memory: what it knows is set by the test, what was asked of it is written down. */
export interface FakeService {
  runs: RunInfo[];
  /** Answers to queries by name; absent: no worker answers, unless one is hosted and `whenHosted` has it. */
  answers: Partial<Record<QueryName, unknown>>;
  whenHosted: Partial<Record<QueryName, unknown>>;
  ended: Ended | Promise<Ended>;
  acted: Acted | null;
  /** What is tried again and again. */
  failing: Failing[];
  /** What tells that nothing happened since; null: nobody knows. */
  happened: string | null;
  /** What checks see. */
  looks: Record<string, Look>;
  /** By path, what lies there. */
  artifacts: Record<string, Awaited<ReturnType<Looker['artifact']>>>;
  /** Kept checks, by the `Done when` that they were compiled for. */
  compiled: Record<string, string[]>;
  /** Why a new run would be refused for what is not committed. */
  uncommitted: string | null;
  /** Whether a worker of this host is known to serve the run. */
  served: boolean;
  /** Rejects where the worker that was left behind broke. */
  leftBehind: Promise<never>;
  did: string[];
  acts: Act[];
  started: StartRequest[];
}

export function fakeService(more: Partial<FakeService> = {}): FakeService {
  return {
    runs: [],
    answers: {},
    whenHosted: {},
    ended: new Promise<Ended>(() => undefined),
    acted: { applied: true, reason: '' },
    failing: [],
    happened: null,
    looks: {},
    artifacts: {},
    compiled: {},
    uncommitted: null,
    served: true,
    leftBehind: new Promise<never>(() => undefined),
    did: [],
    acts: [],
    started: [],
    ...more,
  };
}

export function fakeRuns(fake: FakeService): Runs {
  const hosted = () => fake.did.some((words) => words.startsWith('host ')) && !fake.did.includes('stop hosting');
  return {
    address: '127.0.0.1:7233',
    namespace: 'default',
    embedded: true,
    pageOf: ({ workflowId }) => `http://127.0.0.1:8233/namespaces/default/workflows/${workflowId}`,
    find: async (slug) => fake.runs.find((run) => run.slug === slug) ?? null,
    list: async (filter) => fake.runs.filter((run) => filter === 'all' || run.status === 'running'),
    query: async (_run, name) => {
      const answers = hosted() ? { ...fake.answers, ...fake.whenHosted } : fake.answers;
      return name in answers ? { value: answers[name] } : null;
    },
    result: (_run, signal) =>
      Promise.race([
        Promise.resolve(fake.ended),
        new Promise<Ended>((resolve) => {
          signal?.addEventListener('abort', () => resolve({ is: 'abandoned' }));
          if (signal?.aborted) resolve({ is: 'abandoned' });
        }),
      ]),
    act: async (_run, act) => {
      fake.acts.push(act);
      return fake.acted;
    },
    start: async (request) => {
      fake.started.push(request);
      return info({ slug: request.slug, taskQueue: request.taskQueue, memo: request.memo });
    },
    reopen: async (request, act) => {
      fake.started.push(request);
      fake.acts.push(act);
      return fake.acted;
    },
    failing: async () => fake.failing,
    standing: async () => ({ failing: fake.failing, happened: fake.happened }),
    close: async () => void fake.did.push('close'),
  };
}

export interface FakeWorld extends World {
  interruptNow(): void;
}

export function fakeWorld(fake: FakeService, more: Partial<World> = {}): FakeWorld {
  const interrupt = new AbortController();
  let now = NOW;
  const host = async (queue: string): Promise<Hosted> => {
    fake.did.push(`host ${queue}`);
    return { failed: new Promise<never>(() => undefined), stop: async () => void fake.did.push('stop hosting') };
  };
  const service: Service = {
    runs: fakeRuns(fake),
    host,
    servedHere: () => fake.served,
    leaveWorker: async (slug) => {
      fake.did.push(`leave a worker for ${slug}`);
      return { failed: fake.leftBehind };
    },
    close: async () => void fake.did.push('close'),
  };
  return {
    open: async () => service,
    hostId: () => HOST,
    newId: () => 'act-1',
    now: () => now,
    // Time passes only where somebody waits for it.
    sleep: async (ms) => {
      now += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
    looker: async () => ({
      look: async (check) =>
        check.startsWith('human:') ? null : (fake.looks[check] ?? { check, is: 'unobservable', saw: 'nobody looked' }),
      artifact: async (path) => fake.artifacts[path] ?? { is: 'missing', sha256: null },
      close: () => void fake.did.push('stop looking'),
    }),
    compiled: async (_run, prose) => fake.compiled[prose.doneWhen] ?? null,
    uncommitted: async () => fake.uncommitted,
    canvas: async () => null,
    columns: () => 100,
    interrupt: { take: () => interrupt.signal },
    interruptNow: () => interrupt.abort(),
    ...more,
  };
}

/** A terminal in memory that keeps every picture. */
export function fakeCanvas(size: { columns: number; rows: number }): Canvas & { frames: string[]; lines: string[]; left: boolean } {
  const canvas = {
    frames: [] as string[],
    lines: [] as string[],
    left: false,
    columns: () => size.columns,
    rows: () => size.rows,
    draw: (frame: string) => void canvas.frames.push(frame),
    say: (line: string) => void canvas.lines.push(line),
    done: () => {
      canvas.left = true;
    },
  };
  return canvas;
}
