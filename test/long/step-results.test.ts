import { it } from 'vitest';
import { readsMutatedBlocks } from '../documents/pipeline/mutated-blocks.js';

const BLOCKS = 100_000;

it('a hundred thousand mutated blocks are read, or are none (F10, E24)', () => {
  readsMutatedBlocks(BLOCKS);
});
