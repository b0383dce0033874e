import { it } from 'vitest';
import { readsMutatedBlocks } from './mutated-blocks.js';

/** test/long reads many more of them. */
const BLOCKS = 5_000;

// Seed 003 Boss Parsing Rule 1.
it('a mutated block is read, or is none: nothing crashes, is approved by absence or leads out of the workspace (F10)', {
  timeout: 240_000,
}, () => {
  readsMutatedBlocks(BLOCKS);
});
