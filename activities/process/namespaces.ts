import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { processTable } from './process-table.js';
import { type Forest, TREE_END_MAX_MS, type Tree, type Use } from './tree.js';

/**
 * Trees kept by the kernel: each is a pid namespace with our init as process 1. When the init ends, the kernel kills all
 * that is left in it: background jobs, other sessions, double forks. The program itself is entered from outside and is
 * never process 1, where its own signals would be ignored; its parent outside hears how it really ended, so that a death
 * by signal and an exit status above 128 are told apart.
 */
export interface NamespaceTools {
  setpriv: string;
  unshare: string;
  nsenter: string;
  sh: string;
  /** A user who is not root needs a user namespace of his own to make the others. */
  userNamespace: boolean;
}

/** Trees kept ready, for each use. More than the lanes of a run are never idle at once. */
const IDLE_TREES_MAX = 4;
const READY_MS = 10_000;
/** How an init is recognised in a list of processes. */
const INIT_NAME = `donewhen-init-of-${process.pid}`;

/**
 * The shell collects orphans while it waits for cat, and ends when the supervisor closes the pipe, or dies: a second
 * reason, beside the parent-death signal, why nothing outlives the supervisor (R14). The signal alone would miss a
 * supervisor that dies before it is armed; then nobody reads `ready` either. Somebody inside may kill cat.
 */
const INIT = `n=0; until (trap '' PIPE; echo ready || exit 0; exec cat >/dev/null) || [ $((n += 1)) -gt 100 ]; do :; done`;

export function createNamespaces(tools: NamespaceTools): Forest {
  const living = new Set<NamespaceTree>();
  const idle: Record<Use, NamespaceTree[]> = { look: [], act: [] };
  const uses = new WeakMap<Tree, Use>();
  const make = async (use: Use) => {
    const tree = await NamespaceTree.create(tools);
    living.add(tree);
    uses.set(tree, use);
    tree.whenEnded(() => {
      living.delete(tree);
      const at = idle[use].indexOf(tree);
      if (at >= 0) idle[use].splice(at, 1);
    });
    return tree;
  };
  return {
    take: async (_mark, use) => idle[use].pop() ?? (await make(use)),
    giveBack: async (tree) => {
      const use = uses.get(tree);
      if (use !== undefined && tree instanceof NamespaceTree && tree.isClean() && idle[use].length < IDLE_TREES_MAX) idle[use].push(tree);
      else await tree.end();
    },
    endAll: async () => {
      await Promise.all([...living].map((tree) => tree.end()));
    },
  };
}

class NamespaceTree implements Tree {
  private readonly prefix: string[];
  private readonly ended: Promise<void>;
  private isEnded = false;

  private constructor(
    private readonly keeper: ChildProcess,
    pid: number,
    tools: NamespaceTools,
    /** Process 1 as it is seen from outside, with what runs in it when nobody is there. */
    private readonly init: { pid: string; idle: string } | null,
  ) {
    const of = (namespace: string) => `/proc/${pid}/ns/${namespace}`;
    const user = tools.userNamespace ? [`--user=${of('user')}`, '--preserve-credentials'] : [];
    this.prefix = [tools.nsenter, ...user, `--mount=${of('mnt')}`, `--pid=${of('pid_for_children')}`];
    this.ended = new Promise((resolve) => {
      keeper.once('exit', () => {
        this.isEnded = true;
        resolve();
      });
    });
  }

  static async create(tools: NamespaceTools): Promise<NamespaceTree> {
    const user = tools.userNamespace ? ['--user', '--map-current-user'] : [];
    const unshare = [tools.unshare, ...user, '--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc', tools.sh, '-c', INIT, INIT_NAME];
    const keeper = spawn(tools.setpriv, ['--pdeathsig', 'KILL', '--', ...unshare], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    keeper.stdin.on('error', () => undefined);
    try {
      await ready(keeper);
    } catch (error) {
      keeper.kill('SIGKILL');
      throw error;
    }
    const { pid } = keeper;
    if (pid === undefined) throw new Error('unshare did not start');
    const init = childrenOf(pid);
    return new NamespaceTree(keeper, pid, tools, init === null || init === '' ? null : { pid: init, idle: childrenOf(init) ?? '' });
  }

  enter(argv: readonly string[]): string[] {
    return [...this.prefix, ...argv];
  }

  /**
   * All of the group but its leader: that is nsenter, the program's parent outside. Without it the program would belong to
   * process 1 of the host, which need not collect it soon, and the namespace ends only when it is collected. nsenter stops
   * itself when the program is stopped, and must go on to see how it ends.
   */
  signal(leader: number, signal: NodeJS.Signals): void {
    for (const pid of groupOf(leader)) kill(pid, signal);
    kill(leader, 'SIGCONT');
  }

  isQuiet(leader: number): boolean {
    return groupOf(leader).length === 0;
  }

  isClean(): boolean {
    // Orphans are children of process 1: when it has no others, nothing is left.
    return !this.isEnded && this.init !== null && this.init.idle !== '' && childrenOf(this.init.pid) === this.init.idle;
  }

  whenEnded(then: () => void): void {
    void this.ended.then(then);
  }

  async end(): Promise<void> {
    this.keeper.stdin?.end();
    const patience = setTimeout(() => this.keeper.kill('SIGKILL'), TREE_END_MAX_MS / 2);
    const limit = new Promise<void>((resolve) => setTimeout(resolve, TREE_END_MAX_MS).unref());
    await Promise.race([this.ended, limit]);
    clearTimeout(patience);
  }
}

/** Resolves when the init says so; rejects with what unshare said instead. */
function ready(keeper: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const limit = setTimeout(() => reject(new Error('unshare did not answer')), READY_MS);
    const settle = (then: () => void) => {
      clearTimeout(limit);
      then();
    };
    // Both are read to the end: a full pipe would stop the init.
    keeper.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(0, 1000);
    });
    keeper.stdout?.on('data', () => settle(resolve));
    keeper.once('error', (error) => settle(() => reject(error)));
    keeper.once('exit', () => settle(() => reject(new Error(said.trim() || 'unshare ended at once'))));
  });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

function groupOf(leader: number): number[] {
  return processTable()
    .filter(({ pid, group }) => group === leader && pid !== leader)
    .map(({ pid }) => pid);
}

/** null where the kernel does not list them. */
function childrenOf(pid: number | string): string | null {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  } catch {
    return null;
  }
}
