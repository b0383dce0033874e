import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/sources.js';
import { carriedOut, parseTranscript } from './support/transcript.js';

/**
 * Whole runs as texts, carried out on paper. `-u` or `UPDATE_TRANSCRIPTS=1` writes what really happens into them: read
 * the difference before you keep it.
 */
const FOLDER = join(ROOT, 'test/transcripts');
const UPDATES = process.env.UPDATE_TRANSCRIPTS === '1';

describe('whole runs', () => {
  for (const name of readdirSync(FOLDER).sort()) {
    const path = join(FOLDER, name);
    const transcript = parseTranscript(readFileSync(path, 'utf8'));
    it(`${name.replace(/\.txt$/, '')}: ${transcript.title.split('\n')[0]}`, async () => {
      const made = carriedOut(transcript);
      if (UPDATES) writeFileSync(path, made);
      await expect(made).toMatchFileSnapshot(path);
    });
  }
});
