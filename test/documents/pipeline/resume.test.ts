import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Pipeline } from '../../../core/methods/pipeline-values.js';
import { advance, nextMoves } from '../../../core/run.js';
import type { Entry, Run } from '../../../core/values.js';
import { parseLedger } from '../../../documents/ledger.js';
import { ledgerTitle, renderEntry } from '../../../documents/ledger-render.js';
import { Dice } from '../../support/dice.js';
import { fc } from '../../support/fast-check.js';
import { pipelineRun } from '../../support/pipeline-values.js';
import { answerTo, randomPipeline, randomPipelineMessage } from '../../support/random-pipeline.js';

const RUNS = 300;
const STEPS_MAX = 150;
const POLICY = { planner: false, onBlocked: 'report', askPlanner: 'on-news', finalSweep: false } as const;

/** The run, once for each step of it that left an entry. */
function* played(dice: Dice, pipeline: Pipeline): Generator<Run> {
  let run = pipelineRun(pipeline.steps, { policy: POLICY });
  for (let step = 0; step < STEPS_MAX && !dice.empty && run.outcome === null; step++) {
    const at = step * 1000;
    const moves = nextMoves(run).filter(({ is }) => is !== 'person');
    const move = moves[dice.roll(moves.length)];
    const input = move === undefined || dice.oneIn(10) ? randomPipelineMessage(dice, run, at) : answerTo(dice, pipeline, move, at);
    if (input === null) continue;
    const before = run.ledger.length;
    run = advance(run, input);
    if (run.ledger.length > before) yield run;
  }
}

/** As a block that was read leaves it: hashes are no words, and an issue says something. */
function hashed({ sha256: _sha256, ...entry }: Entry): Entry {
  const { delivery } = entry;
  if (delivery === undefined) return entry;
  const artifacts = delivery.artifacts.map((one) => ({ ...one, sha256: createHash('sha256').update(one.sha256).digest('hex') }));
  const criticalIssues = delivery.criticalIssues.filter((issue) => issue.trim() !== '');
  return { ...entry, delivery: { ...delivery, artifacts, criticalIssues } };
}

function kept({ task, status, label, blocker, verdict, delivery, askedBy, session, planVersion, gates }: Entry) {
  return {
    task,
    status,
    label,
    blocker,
    verdict,
    delivery,
    askedBy,
    session,
    planVersion,
    gates: gates.map((gate) => ({ ...gate, at: 0 })),
  };
}

function left({ plan: { version, tasks } }: Run) {
  return { version, tasks: tasks.map(({ id, askedBy, dependsOn }) => ({ id, askedBy, dependsOn })) };
}

// docs/interface.md §10: LEDGER.md alone resumes. Seed 003 Boss Parsing Rule 4.
it('a pipeline goes on from the text of its ledger as it goes on from its entries, at every moment', { timeout: 120_000 }, () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const dice = new Dice(seed, 800);
      const pipeline = randomPipeline(dice);
      for (const run of played(dice, pipeline)) {
        const entries = run.ledger.map(hashed);
        const text = [ledgerTitle('demo'), ...entries.map((entry) => renderEntry(entry))].join('\n');
        const { ledger, problems } = parseLedger(text, { file: 'LEDGER.md' });
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(ledger.entries.map(kept)).toEqual(entries.map(kept));
        const resumed = (from: Entry[]) => left(pipelineRun(pipeline.steps, { policy: POLICY, entries: from }));
        expect(resumed(ledger.entries)).toEqual(resumed(entries));
        compared++;
      }
    }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThan(RUNS);
});
