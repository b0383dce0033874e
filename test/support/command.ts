import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readClaim } from '../../activities/process/attempt-files.js';
import { hasSupervisor } from '../../activities/process/attend.js';
import { until } from './homes.js';

export const COMMAND = fileURLToPath(new URL('../../dist/client/main.js', import.meta.url));

/** The command as users start it: a process of its own, its words and its exit status. */
export interface Ran {
  code: number | string | null;
  out: string;
  err: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ran>;
  said(): { out: string; err: string };
}

export interface Desk {
  folder: string;
  run(...words: string[]): Promise<Ran>;
  /** Without waiting for its end. */
  begin(...words: string[]): Running;
  /** Task ids for which the scripted agent was started, in order. */
  calls(): string[];
  write(name: string, text: string): void;
  /** Once the last attempt has its outcome, so that nothing writes there any more. */
  remove(): Promise<void>;
}

/**
 * A folder under git with a plan and a scripted agent. The agent writes `out-<task>` and claims done; for the task that
 * a file `slow` names it waits for a file `go` first.
 */
export function createDesk(env: NodeJS.ProcessEnv, files: Record<string, string>): Desk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'donewhen-desk-')));
  const children: ChildProcess[] = [];
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries({ 'agent.sh': AGENT, 'donewhen.yaml': CONFIG, ...files })) write(name, text);
  const git = (...words: string[]) => spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: folder });
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'base'],
  ])
    git(...words);
  const begin = (...words: string[]): Running => {
    const child = spawn(process.execPath, [COMMAND, ...words], {
      cwd: folder,
      env: { ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const said = { out: '', err: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said.out += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said.err += text;
    });
    const ended = new Promise<Ran>((resolve) => child.once('close', (code, signal) => resolve({ code: code ?? signal, ...said })));
    return { child, ended, said: () => said };
  };
  return {
    folder,
    begin,
    run: (...words) => begin(...words).ended,
    calls: () => lines(join(folder, '.donewhen', 'calls.log')),
    write,
    remove: async () => {
      for (const child of children) child.kill('SIGKILL');
      write('go', '');
      await until('all attempts have ended', () => attemptsIn(folder).every(hasEnded));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Or was lost with its supervisor. */
function hasEnded(attempt: string): boolean {
  const claim = readClaim(attempt);
  return existsSync(join(attempt, 'outcome.json')) || claim === null || claim === 'unreadable' || !hasSupervisor(attempt, claim);
}

/** The folders of all attempts that were begun in a workspace. */
export function attemptsIn(folder: string): string[] {
  const runs = join(folder, '.donewhen');
  const slugs = existsSync(runs) ? readdirSync(runs) : [];
  const folders = slugs.map((slug) => join(runs, slug, 'attempts')).filter(existsSync);
  return folders.flatMap((one) => readdirSync(one).map((name) => join(one, name))).filter((one) => existsSync(join(one, 'claim.json')));
}

function lines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

const CONFIG = 'agents:\n  mine: { kind: command, command: [sh, agent.sh] }\nroles: { performer: mine }\n';

const AGENT = `cat > /dev/null
mkdir -p .donewhen
echo "$DONEWHEN_TASK" >> .donewhen/calls.log
while [ "$(cat slow 2>/dev/null)" = "$DONEWHEN_TASK" ] && [ ! -e go ]; do sleep 0.1; done
echo made > "out-$DONEWHEN_TASK"
printf 'status: done\\nstate_delta:\\n- out-%s exists\\n' "$DONEWHEN_TASK"
`;
