/** A state that the types rule out: a bug, never an expected end. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}

export function assert(condition: unknown, words: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${words}`);
}
