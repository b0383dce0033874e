import fc from 'fast-check';

/**
 * The same values each time, so that a change is judged by what it changed. `DONEWHEN_SEED` is another number to look
 * elsewhere, or the one that a failure printed; `random`, as `npm run test:long` has it, looks somewhere new each time.
 */
const seed = process.env.DONEWHEN_SEED ?? '1';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

export { fc };
