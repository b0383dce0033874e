import { describe, expect, it } from 'vitest';
import type { Step } from '../../core/methods/pipeline-values.js';
import type { End, Observation } from '../../core/values.js';
import { PipelinePlay, type Script } from '../support/pipeline-play.js';
import { artifact, delivered, pipelineRun, read, reviewOf, stepOf } from '../support/pipeline-values.js';
import { NOTHING_SEEN } from '../support/run-values.js';

/** The step table of docs/interface.md §10, row by row: what is recorded of an answer, and who is asked next (seed 003). */

const SRS: Partial<Step> = { artifacts: [{ key: 'srs', pattern: 'docs/srs-*.md' }] };

function written(more: Parameters<typeof read>[1] = {}): Observation {
  return delivered(read('1', more), { artifacts: [artifact('srs', 'docs/srs-x.md')] });
}

function play(steps: Step[], script: Script): PipelinePlay {
  return new PipelinePlay(pipelineRun(steps), script).carryOn();
}

function said(verdict: string | null, criticalIssues: string[] = []): Observation {
  return delivered(read('5', { verdict, criticalIssues }));
}

// Seed 003 Beginning, Boss Parsing Rule 2.
describe('row 1: no block, unparsed, the template echoed, wrong step or agent', () => {
  const rows: [string, Observation, string][] = [
    ['no block', delivered({ is: 'none' }), 'the answer holds no STEP-RESULT block'],
    ['the template echoed', delivered({ is: 'template' }), 'the answer holds the form of the block, unfilled'],
    ['unparsed', delivered({ is: 'unparsed', line: 3, why: 'a tab' }), 'the STEP-RESULT block cannot be read, line 3: a tab'],
    ['wrong step', delivered(read('7', { agent: 'agent-1' })), 'the block is of step 7, not of step 1'],
    ['wrong agent', delivered(read('1', { agent: 'agent-9' })), 'the block is of agent agent-9, not of agent-1'],
  ];
  for (const [name, seen, why] of rows)
    it(`${name}: the step is failed, no-result, whatever files lie there, and asked again with the reason`, () => {
      const { run, entries, askedBy } = play([stepOf('1', SRS)], { S1: seen, 'S1@2': written() });
      expect([entries, askedBy, run.ledger[0]?.text?.unresolved]).toEqual([
        ['S1 failed no-result · replan done (plan version 2)', 'S1@2 done · plan holds'],
        ['S1: start', 'S1@2: no-result'],
        [why],
      ]);
    });

  it('twice in a row exhausts, however many attempts are left', () => {
    const { run, entries } = play([stepOf('1', { ...SRS, attempts: 5 })], {
      S1: delivered({ is: 'none' }),
      'S1@2': delivered({ is: 'template' }),
    });
    expect([entries, run.outcome]).toEqual([
      ['S1 failed no-result · replan done (plan version 2)', 'S1@2 failed no-result · replan exhausted'],
      'BLOCKED',
    ]);
  });

  it('with a failed delivery between them they are not twice in a row', () => {
    const { entries } = play([stepOf('1', SRS)], {
      S1: delivered({ is: 'none' }),
      'S1@2': delivered(read('1', { status: 'FAILED' })),
      'S1@3': delivered({ is: 'none' }),
      'S1@4': written(),
    });
    expect(entries.at(-1)).toBe('S1@4 done · plan holds');
  });

  it('an answer that nobody could look at delivers nothing, and is partial', () => {
    const { entries, run } = play([stepOf('1', SRS)], { S1: NOTHING_SEEN, 'S1@2': written() });
    expect([entries[0], run.ledger[0]?.label]).toEqual(['S1 partial no-result · replan done (plan version 2)', 'unverified']);
  });
});

// Seed 003 Format.
describe('row 2: FAILED', () => {
  for (const verdict of [null, 'APPROVED', 'REJECTED'])
    it(`with every artifact there and the verdict ${verdict ?? 'absent'}: the step is failed, and asked again`, () => {
      const { entries, askedBy } = play([stepOf('1', SRS)], { S1: written({ status: 'FAILED', verdict }), 'S1@2': written() });
      const words = verdict === null ? '' : ` ${verdict}`;
      expect([entries, askedBy]).toEqual([
        [`S1 failed step-failed${words} · replan done (plan version 2)`, 'S1@2 done · plan holds'],
        ['S1: start', 'S1@2: step-failed'],
      ]);
    });
});

// Seed 003 Boss Parsing Rule 3.
describe('row 3: SUCCESS, but an artifact, a check or a requirement fails', () => {
  const missing = delivered(read('1'), { artifacts: [artifact('srs', 'docs/srs-x.md', { is: 'missing', sha256: null })] });

  it('a missing artifact: failed, the line of the artifact gate says which, and the step is asked again', () => {
    const { entries, askedBy, run } = play([stepOf('1', SRS)], { S1: missing, 'S1@2': written() });
    expect([entries, askedBy, run.ledger[0]?.text?.words]).toEqual([
      ['S1 failed artifact-missing-srs · replan done (plan version 2)', 'S1@2 done · plan holds'],
      ['S1: start', 'S1@2: artifact-gate'],
      ['[ARTIFACT GATE] STEP 1 — missing: docs/srs-x.md. Re-invoking agent.'],
    ]);
  });

  it('a key that was not listed is missing, and named with its pattern', () => {
    const { run } = play([stepOf('1', SRS)], { S1: delivered(read('1')), 'S1@2': written() });
    expect(run.ledger[0]?.text?.words).toEqual(['[ARTIFACT GATE] STEP 1 — missing: srs (docs/srs-*.md). Re-invoking agent.']);
  });

  it('on the last attempt the line says that the gate is exhausted', () => {
    const { run, entries } = play([stepOf('1', { ...SRS, attempts: 2 })], { S1: missing, 'S1@2': missing });
    expect([entries, run.ledger.map(({ text }) => text?.words)]).toEqual([
      ['S1 failed artifact-missing-srs · replan done (plan version 2)', 'S1@2 failed artifact-missing-srs · replan exhausted'],
      [
        ['[ARTIFACT GATE] STEP 1 — missing: docs/srs-x.md. Re-invoking agent.'],
        ['[ARTIFACT GATE] STEP 1 — missing: docs/srs-x.md. Gate exhausted.'],
      ],
    ]);
  });

  it('a check that does not hold: failed under its own name, and the step is asked again', () => {
    const look = { check: 'run: npm test', is: 'disproved', saw: 'exit 1' } as const;
    const held = { ...look, is: 'holds', saw: 'exit 0' } as const;
    const { entries, askedBy } = play([stepOf('1', { ...SRS, checks: ['run: npm test'] })], {
      S1: { ...written(), looks: [look] },
      'S1@2': { ...written(), looks: [held] },
    });
    expect([entries, askedBy]).toEqual([
      ['S1 failed npm-test-exit-1 · replan done (plan version 2)', 'S1@2 done · plan holds'],
      ['S1: start', 'S1@2: artifact-gate'],
    ]);
  });

  it('a check that nobody could look at: partial, and the step is asked again', () => {
    const looks = [{ check: 'run: npm test', is: 'unobservable', saw: 'its time ran out' }] as const;
    const held = [{ check: 'run: npm test', is: 'holds', saw: 'exit 0' }] as const;
    const { entries } = play([stepOf('1', { ...SRS, checks: ['run: npm test'] })], {
      S1: { ...written(), looks: [...looks] },
      'S1@2': { ...written(), looks: [...held] },
    });
    expect(entries).toEqual(['S1 partial · replan done (plan version 2)', 'S1@2 done · plan holds']);
  });

  for (const [value, holds] of [
    [0, true],
    ['0', true],
    ['0%', true],
    [3, false],
    ['none', false],
    [undefined, false],
  ] as const)
    it(`a requirement on a metric that is ${value ?? 'missing'} ${holds ? 'holds' : 'does not hold'}`, () => {
      const require = [{ metric: 'tbc-count', is: '==', value: 0, text: 'metrics.tbc-count == 0' }] as const;
      const metrics = value === undefined ? [] : [{ key: 'tbc-count', value }];
      const { entries } = play([stepOf('1', { ...SRS, require: [...require], attempts: 1 })], { S1: written({ metrics }) });
      expect(entries).toEqual([holds ? 'S1 done · plan holds' : 'S1 failed require-tbc-count · replan exhausted']);
    });
});

describe('row 4: no gate', () => {
  for (const verdict of [null, 'N/A', 'REJECTED', 'PASS WITH ENV BLOCKER'])
    it(`any verdict, as ${verdict ?? 'none'}: done, and the plan holds`, () => {
      const { run } = play([stepOf('1', SRS)], { S1: written({ verdict }) });
      expect([run.ledger[0]?.status, run.ledger[0]?.label, run.outcome]).toEqual(['done', 'verified', 'COMPLETED']);
    });
});

const REVIEWED = [stepOf('3'), reviewOf('5', '3')];

// Seed 003 Boss Parsing Rule 5.
describe('row 5: a review that approves', () => {
  for (const verdict of ['APPROVED', 'PASS'])
    it(`${verdict} without critical issues: done, and the plan holds`, () => {
      const { entries, run } = play(REVIEWED, { S5: said(verdict) });
      expect([entries[1], run.outcome]).toEqual([`S5 done ${verdict} · plan holds`, 'COMPLETED']);
    });
});

describe('row 6: a review that approves with conditions', () => {
  it('conditions: debt goes on, satisfied, and the debt is kept', () => {
    const { entries, run } = play(REVIEWED, { S5: said('APPROVED_WITH_CONDITIONS') });
    expect([entries[1], run.ledger[1]?.gates.at(-1), run.outcome]).toEqual([
      'S5 done APPROVED_WITH_CONDITIONS · plan holds',
      { is: 'holds', at: run.ledger[1]?.endedAt, debt: 'S5: approved with conditions' },
      'COMPLETED',
    ]);
  });

  it('conditions: fix has them mended, and reviewed again', () => {
    const { askedBy, entries } = play([stepOf('3'), reviewOf('5', '3', { conditions: 'fix' })], { S5: said('APPROVED_WITH_CONDITIONS') });
    expect([askedBy, entries.at(-1)]).toEqual([
      ['S3: start', 'S5: start', 'S3@2: fix of S5', 'S5@2: review of S3@2'],
      'S5@2 done APPROVED · plan holds',
    ]);
  });
});

// Seed 003 Boss Parsing Rule 5, Boss Parsing Rule 6.
describe('row 7: a review that rejects with critical issues', () => {
  for (const verdict of ['REJECTED', 'FAIL'])
    it(`${verdict}: done, then the fix step, then the review again`, () => {
      const { entries, askedBy } = play(REVIEWED, { S5: said(verdict, ['no boundary for BR-002']) });
      expect([entries, askedBy]).toEqual([
        [
          'S3 done APPROVED · plan holds',
          `S5 done ${verdict} · replan done (plan version 2)`,
          'S3@2 done APPROVED · plan holds',
          'S5@2 done APPROVED · plan holds',
        ],
        ['S3: start', 'S5: start', 'S3@2: fix of S5', 'S5@2: review of S3@2'],
      ]);
    });
});

const DECIDED = [stepOf('3'), stepOf('5', { gate: 'human', fix: '3', rounds: 5 })];

describe('rows 8 and 9: a person decides', () => {
  it('is asked once the step is delivered, and nothing else moves', () => {
    const { run, sent } = play(DECIDED, {});
    expect([run.questions.map(({ kind, task, gate }) => [kind, task, gate]), sent, run.outcome]).toEqual([
      [['decide', 'S5', 'S5']],
      ['S3', 'S5'],
      null,
    ]);
  });

  it('approve: done, attested, and the plan holds', () => {
    const { run, entries } = play(DECIDED, {}).says({ name: 'decide', gate: 'S5', decision: 'approve' });
    expect([entries[1], run.ledger[1]?.label, run.outcome, run.handled.map(({ applied }) => applied)]).toEqual([
      'S5 done APPROVED · plan holds',
      'attested',
      'COMPLETED',
      [true],
    ]);
  });

  it('reject with a reason: done, attested, and the fix step is told the reason', () => {
    const { run, entries, askedBy } = play(DECIDED, {}).says({ name: 'decide', gate: 'S5', decision: 'reject', reason: 'too long' });
    expect([entries[1], run.ledger[1]?.label, run.ledger[1]?.delivery?.criticalIssues, askedBy.slice(2)]).toEqual([
      'S5 done REJECTED · replan done (plan version 2)',
      'attested',
      ['too long'],
      ['S3@2: fix of S5'],
    ]);
  });

  it('reject without a reason is exhausted: nobody can mend what nobody named', () => {
    const { entries, run } = play(DECIDED, {}).says({ name: 'decide', gate: 'S5', decision: 'reject' });
    expect([entries.at(-1), run.outcome]).toEqual(['S5 done REJECTED · replan exhausted', 'BLOCKED']);
  });

  it('what was rejected and mended is asked about again, and no later step begins before it is approved (C09)', () => {
    const mended = play([...DECIDED, stepOf('6')], {}).says({ name: 'decide', gate: 'S5', decision: 'reject', reason: 'too long' });
    const { run, sent } = mended;
    expect([sent, run.questions.map(({ task }) => task), run.outcome]).toEqual([['S3', 'S5', 'S3@2', 'S5@2'], ['S5@2'], null]);
    expect(mended.says({ name: 'decide', gate: 'S5', decision: 'approve' }).sent.at(-1)).toBe('S6');
  });

  it('a decision on another gate is refused', () => {
    const { run, entries } = play(DECIDED, {}).says({ name: 'decide', gate: 'S3', decision: 'approve' });
    expect([entries.length, run.handled.map(({ applied }) => applied)]).toEqual([1, [false]]);
  });

  it('what the agent says of itself approves nothing', () => {
    const { run } = play(DECIDED, { S5: delivered(read('5', { verdict: 'APPROVED' })) });
    expect(run.ledger.map(({ task }) => task)).toEqual(['S3']);
  });
});

// Seed 003 Boss Parsing Rule 6.
describe('row 10: any other verdict or combination of a review', () => {
  const rows: [string, Observation][] = [
    ['REJECTED without issues', said('REJECTED')],
    ['REJECTED with an empty issue', said('REJECTED', ['  '])],
    ['APPROVED with issues', said('APPROVED', ['it is broken'])],
    ['APPROVED_WITH_CONDITIONS with issues', said('APPROVED_WITH_CONDITIONS', ['it is broken'])],
    ['N/A', said('N/A')],
    ['none', said(null)],
    ['another word', said('LOOKS_GOOD')],
  ];
  for (const [name, seen] of rows)
    it(`${name}: a contradiction is no approval: the reviewer is asked again, never the fixer`, () => {
      const { askedBy, run } = play(REVIEWED, { S5: seen });
      expect([askedBy, run.outcome]).toEqual([['S3: start', 'S5: start', 'S5@2: contradiction'], 'COMPLETED']);
    });

  it('once; a second one exhausts', () => {
    const { askedBy, entries, run } = play(REVIEWED, { S5: said('N/A'), 'S5@2': said('REJECTED') });
    expect([askedBy.length, entries.at(-1), run.outcome]).toEqual([3, 'S5@2 done REJECTED · replan exhausted', 'BLOCKED']);
  });
});

describe('how an attempt ended', () => {
  const lost: End = { is: 'lost' };
  it('lost: the same id once more, and what comes then counts', () => {
    const { sent, entries } = play([stepOf('1', SRS)], { S1: [{ end: lost, seen: delivered({ is: 'none' }) }, written()] });
    expect([sent, entries]).toEqual([['S1', 'S1'], ['S1 done · plan holds']]);
  });

  it('lost twice: files that lie there are no delivery', () => {
    const files = delivered({ is: 'none' }, { artifacts: [artifact('srs', 'docs/srs-x.md')] });
    const { sent, entries } = play([stepOf('1', SRS)], { S1: { end: lost, seen: files }, 'S1@2': written() });
    expect([sent, entries[0]]).toEqual([['S1', 'S1', 'S1@2'], 'S1 partial no-result · replan done (plan version 2)']);
  });

  it('killed after its block was written and its artifacts were there: delivered, and the end is a risk', () => {
    const { entries, run } = play([stepOf('1', SRS)], { S1: { end: { is: 'signalled', signal: 'SIGKILL' }, seen: written() } });
    expect([entries, run.ledger[0]?.text?.risk]).toEqual([['S1 done · plan holds'], ['ended by SIGKILL']]);
  });

  it('its time ran out without a block: failed, agent-timeout, and asked again', () => {
    const { entries, askedBy } = play([stepOf('1', SRS)], {
      S1: { end: { is: 'timeout' }, seen: delivered({ is: 'none' }) },
      'S1@2': written(),
    });
    expect([entries[0], askedBy[1]]).toEqual(['S1 failed agent-timeout · replan done (plan version 2)', 'S1@2: step-failed']);
  });

  it('an agent that cannot be started is an obstacle: blocked, and nobody is asked again', () => {
    const end: End = { is: 'refused', why: 'no such program', blocker: 'agent-missing', userAction: 'install it' };
    const { entries, run } = play([stepOf('1', { onExhausted: 'continue-with-debt' }), stepOf('2')], {
      S1: { end, seen: delivered({ is: 'none' }) },
    });
    expect([entries, run.outcome]).toEqual([['S1 blocked agent-missing · replan exhausted'], 'BLOCKED']);
  });
});
