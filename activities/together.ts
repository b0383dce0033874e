/**
 * The entry of one task is written while the next is looked at, and the run goes on only when it has both answers. Whichever
 * is ready first waits a moment for the other, so that the workflow hears both in one task of its own instead of two.
 * `work` is done at once; its answer comes when what else is under way for the same run has had a moment to end, too.
 */
export type Together = <T>(run: string, work: () => Promise<T>) => Promise<T>;

/** Longer than a small look or an entry takes, and nothing beside a real one. */
const MOMENT_MS = 25;

export function createTogether(momentMs = MOMENT_MS): Together {
  const underWay = new Map<string, Set<Promise<unknown>>>();
  return async (run, work) => {
    const others = underWay.get(run) ?? new Set();
    underWay.set(run, others);
    const mine = work();
    others.add(mine);
    try {
      return await mine;
    } finally {
      others.delete(mine);
      if (others.size === 0) underWay.delete(run);
      else await aMoment(others, momentMs);
    }
  };
}

function aMoment(others: ReadonlySet<Promise<unknown>>, momentMs: number): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, momentMs);
    void Promise.allSettled(others).then(() => {
      clearTimeout(limit);
      resolve();
    });
  });
}
