import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much a heap may grow beyond what lived at the last collection, in percent. */
const GROWTH_PERCENT = 30;

/**
 * Keeps a worker's memory near to what lives in it, on a machine of any size. By itself V8 takes its limits from the
 * machine's memory until it has collected once, and from then on lets a heap grow to a multiple of what lives: a run of a
 * thousand tasks would hold twice the memory of one of a hundred. `gc` has a name only in a context that is thrown away.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect();
}
