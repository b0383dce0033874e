import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Run } from '../core/values.js';
import { carriedOutPipeline, ledgerOf, openedPipeline, pipelineDriver } from './support/pipeline-transcript.js';
import { ROOT } from './support/sources.js';
import { parseTranscript } from './support/transcript.js';

/**
 * Whole pipelines as texts, carried out on paper, from the file to LEDGER.md. `UPDATE_TRANSCRIPTS=1` writes what really
 * happens into them: read the difference before you keep it.
 */
const FOLDER = join(ROOT, 'test/pipeline-transcripts');
const UPDATES = process.env.UPDATE_TRANSCRIPTS === '1';

function leftOf({ plan, ledger, method, about }: Run) {
  const gates = ledger.map(({ task, gates: of }) => [task, of.at(-1)?.is]);
  return { version: plan.version, left: plan.tasks.map(({ id, askedBy }) => [id, askedBy]), gates, method, about };
}

describe('whole pipelines', () => {
  for (const name of readdirSync(FOLDER).sort()) {
    const path = join(FOLDER, name);
    const transcript = parseTranscript(readFileSync(path, 'utf8'));
    const title = `${name.replace(/\.txt$/, '')}: ${transcript.title.split('\n')[0]}`;

    it(title, async () => {
      const made = carriedOutPipeline(transcript);
      if (UPDATES) writeFileSync(path, made);
      await expect(made).toMatchFileSnapshot(path);
    });

    it(`${title} — and LEDGER.md alone says at every moment what is left`, () => {
      const driver = pipelineDriver(transcript);
      driver.carryOut();
      for (const { after } of driver.steps) {
        if (after.ledger.some(({ gates }) => gates.at(-1)?.is === 'required')) continue;
        expect(leftOf(openedPipeline(transcript, ledgerOf(after)))).toEqual(leftOf(after));
      }
    });
  }
});
