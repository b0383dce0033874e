import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDesk, type Desk, type Running } from './command.js';
import { type TestHome, until } from './homes.js';

const CREW = fileURLToPath(new URL('../fixtures/agents', import.meta.url));

/**
 * A desk whose agents, checks and notifier are the scripts of test/fixtures/agents: they write down what they did where
 * no crash of ours can take it back, and wait at gates that a test keeps shut.
 */
export interface Stage extends Desk {
  /** Belongs to the test, to no workspace and to no home. */
  outside: string;
  /** For LEDGER.md and REPORT.md, where a test gives it as `--out`. */
  out: string;
  /** What was done outside, in order; it stands there as often as it was done. */
  effects(): string[];
  shut(gate: string): void;
  open(gate: string): void;
  /** Until something is so; when it does not come, what the commands said until then is told as well. */
  until(what: string, isSo: () => boolean | Promise<boolean>, timeoutMs?: number): Promise<void>;
  /** Until somebody stands at a gate that is shut. */
  reached(gate: string): Promise<void>;
  /** Whether a person was asked and told so. */
  isAsked(): boolean;
  /** Until it is so. */
  asked(): Promise<void>;
  /** Takes the folder of the record away, so that nothing can be written there, and puts it back. */
  takeOut(): void;
  putBack(): void;
  /** A file of the desk or, with `--out`, of the record; empty where there is none. */
  text(name: string): string;
}

export interface Cast {
  /** Nothing where a pipeline among the files is carried out. */
  plan?: string;
  /** What the planner answers; without it there is no planner. */
  nextPlan?: string;
  files?: Record<string, string>;
  /** Lines of donewhen.yaml beside agents, roles and environment. */
  settings?: string;
}

/** Slow machines need their time to start a program, a worker and a server. */
export const SLOW_MS = 90_000;

export function createStage(home: TestHome, cast: Cast): Stage {
  const outside = mkdtempSync(join(tmpdir(), 'donewhen-outside-'));
  const out = join(outside, 'record');
  mkdirSync(out);
  if (cast.nextPlan !== undefined) writeFileSync(join(outside, 'next-plan.md'), cast.nextPlan);
  const env = { ...home.env, OUTSIDE: outside, CREW, PATH: `${join(CREW, 'bin')}:${home.env.PATH ?? ''}` };
  const config = configOf(cast.settings ?? '', cast.nextPlan !== undefined);
  const desk = createDesk(env, {
    ...(cast.plan === undefined ? {} : { 'PLAN.md': cast.plan }),
    'donewhen.yaml': config,
    ...cast.files,
  });
  const begun: Running[] = [];
  const begin: Desk['begin'] = (...words) => {
    const running = desk.begin(...words);
    begun.push(running);
    return running;
  };
  const waitUntil: Stage['until'] = (what, isSo, timeoutMs = SLOW_MS) =>
    until(what, isSo, timeoutMs).catch((error: Error) => {
      throw new Error(`${error.message}; the commands said ${JSON.stringify(begun.map((one) => one.said()))}`);
    });
  const isAsked = () => namesIn(join(desk.folder, '.donewhen', 'demo', 'notified')).some((name) => name.endsWith('.json'));
  return {
    ...desk,
    begin,
    run: (...words) => begin(...words).ended,
    outside,
    out,
    effects: () => linesOf(join(outside, 'effects')),
    shut: (gate) => writeFileSync(join(outside, `shut-${gate}`), ''),
    open: (gate) => rmSync(join(outside, `shut-${gate}`), { force: true }),
    until: waitUntil,
    reached: (gate) => waitUntil(`somebody stands at the gate ${gate}`, () => existsSync(join(outside, `at-${gate}`))),
    isAsked,
    asked: () => waitUntil('a person is asked', isAsked),
    takeOut: () => renameSync(out, `${out}-away`),
    putBack: () => renameSync(`${out}-away`, out),
    text: (name) => textOf(join(out, name)) || textOf(join(desk.folder, name)),
    remove: async () => {
      for (const name of namesIn(outside)) if (name.startsWith('shut-')) rmSync(join(outside, name));
      await desk.remove();
      rmSync(outside, { recursive: true, force: true });
    },
  };
}

/** Every script of the crew as an agent of its own name. */
function configOf(settings: string, hasPlanner: boolean): string {
  const agents = ['works', 'lies', 'plans', 'is-limited', 'dies', 'leaves-behind'];
  const lines = agents.map((name) => `  ${name}: { kind: command, command: [sh, '${join(CREW, `${name}.sh`)}'] }`);
  const roles = `roles: { performer: works${hasPlanner ? ', planner: plans' : ''} }`;
  const notify = `notify: { command: [sh, '${join(CREW, 'notifies.sh')}'] }`;
  return `agents:\n${lines.join('\n')}\n${roles}\nenvironment: { pass: [PATH, OUTSIDE, CREW] }\n${notify}\n${settings}`;
}

/** A check of the crew: whether out-<task> is there, with gates before and after the work. */
export function looksFor(task: string): string {
  return `run: sh "$CREW/looks.sh" ${task}`;
}

/** The record without what is different in every run. */
export function normalised(record: string): string {
  return record
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/^Date: .*$/gm, 'Date: TIME')
    .replace(/working time: .*$/gm, 'working time: TIME');
}

function linesOf(path: string): string[] {
  return textOf(path)
    .split('\n')
    .filter((line) => line !== '');
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}
