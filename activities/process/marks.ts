import { execFileSync } from 'node:child_process';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { processTable, readProc } from './process-table.js';
import { ATTEMPT_MARK, type Forest, TREE_END_MAX_MS, type Tree } from './tree.js';

/**
 * Trees kept together by a mark in the environment, where the kernel lends no namespaces: macOS, and containers that
 * forbid them. Weaker: a program that starts another with an empty environment, in a session of its own, escapes
 * (docs/decisions/0002-process-trees.md).
 */
export function createMarkedForest(tools: { setpriv: string | null }): Forest {
  const living = new Set<Tree>();
  const take = async (mark: string): Promise<Tree> => {
    const tree: Tree = {
      // At least the program itself ends with the supervisor.
      enter: (argv) => (tools.setpriv === null ? [...argv] : [tools.setpriv, '--pdeathsig', 'KILL', '--', ...argv]),
      signal: (leader, signal) => void signalGroup(leader, signal),
      isQuiet: (leader) => !signalGroup(leader, 0),
      isClean: () => false,
      end: async () => {
        await endMarked(mark);
        living.delete(tree);
      },
    };
    living.add(tree);
    return tree;
  };
  return {
    take,
    giveBack: (tree) => tree.end(),
    endAll: async () => {
      await Promise.all([...living].map((tree) => tree.end()));
    },
  };
}

/** A process as the system lists it. `session` is the pid of the process that opened it. */
export interface Listed {
  pid: number;
  parent: number;
  session: number;
  marked: boolean;
}

const ROUND_MS = 20;
const PS_TIMEOUT_MS = 5_000;
const PS_BYTES_MAX = 64 * 1024 * 1024;

/** Kills every process that bears the mark, and what belongs to one, until none is left. Nobody else is touched. */
export async function endMarked(mark: string): Promise<void> {
  for (let spentMs = 0; spentMs < TREE_END_MAX_MS; spentMs += ROUND_MS) {
    const doomed = belongingTo(processes(mark));
    if (doomed.length === 0) return;
    for (const pid of doomed) kill(pid);
    await sleep(ROUND_MS);
  }
}

/** The marked ones, their descendants, and whoever is in a session that a marked one opened; never this process. */
export function belongingTo(listed: readonly Listed[]): number[] {
  const marked = new Set(listed.filter((one) => one.marked).map((one) => one.pid));
  for (let before = -1; before !== marked.size; ) {
    before = marked.size;
    for (const one of listed) if (marked.has(one.parent) || marked.has(one.session)) marked.add(one.pid);
  }
  marked.delete(process.pid);
  return [...marked];
}

/** Whether anybody in the group that this program leads could be signalled. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

function processes(mark: string): Listed[] {
  const entry = `${ATTEMPT_MARK}=${mark}`;
  return platform() === 'linux' ? fromProc(entry) : fromPs(entry);
}

function fromProc(entry: string): Listed[] {
  return processTable().map(({ pid, parent, session }) => {
    return { pid, parent, session, marked: `\0${readProc(`${pid}/environ`)}`.includes(`\0${entry}\0`) };
  });
}

function fromPs(entry: string): Listed[] {
  const options = { timeout: PS_TIMEOUT_MS, maxBuffer: PS_BYTES_MAX, encoding: 'utf8' } as const;
  try {
    return parsePs(execFileSync('ps', ['-axww', '-E', '-o', 'pid=,ppid=,pgid=,stat=,command='], options), entry);
  } catch {
    return [];
  }
}

/** Lines of `pid ppid pgid stat command environment`. A group is what ps can say of a session there. */
export function parsePs(text: string, entry: string): Listed[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...words] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || state.startsWith('Z') || !/^\d+$/.test(pid)) return [];
    return [{ pid: Number(pid), parent: Number(parent), session: Number(group), marked: words.includes(entry) }];
  });
}
