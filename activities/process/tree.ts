/**
 * The whole of what a performer or a check starts: every child, whatever session or group it moves to (R14).
 * `namespaces.ts` lets the kernel keep it together, `marks.ts` is what is left where it may not.
 */
export interface Tree {
  /** The arguments with which a program starts inside. */
  enter(argv: readonly string[]): string[];
  /** Signals the group of the program that was started with `enter` and has this pid outside. */
  signal(leader: number, signal: NodeJS.Signals): void;
  /** Whether nobody of that group still runs. */
  isQuiet(leader: number): boolean;
  /** Whether all that ran in it is gone, so that it may be used again. */
  isClean(): boolean;
  /** Kills everything in it; resolves when nothing is left, or when TREE_END_MAX_MS are over. */
  end(): Promise<void>;
}

/**
 * What a tree is for. A performer that runs as root can change what its namespace shows of the files; a check must never
 * look from there (R8), so trees go back to their own use only.
 */
export type Use = 'look' | 'act';

export interface Forest {
  /** A tree in which nothing runs. `mark` will be in the environment of everything in it. Whoever has it ends it or gives it back. */
  take(mark: string, use: Use): Promise<Tree>;
  /** For the next one, if it is clean; resolves when nothing is left of what ran in it. */
  giveBack(tree: Tree): Promise<void>;
  endAll(): Promise<void>;
}

/** Names the attempt in the environment of its processes, where nothing better keeps them together. */
export const ATTEMPT_MARK = 'DONEWHEN_ATTEMPT_ID';

/** A process that the kernel cannot end (it waits for a dead disk) must not hold up the run for ever. */
export const TREE_END_MAX_MS = 10_000;
