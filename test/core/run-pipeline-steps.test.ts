import { describe, expect, it } from 'vitest';
import type { SeenArtifact, Step } from '../../core/methods/pipeline-values.js';
import { methodOf } from '../../core/methods/registry.js';
import { debtsOf } from '../../core/methods/run-pipeline-ending.js';
import { nextMoves } from '../../core/run.js';
import type { Entry, Observation, Run } from '../../core/values.js';
import { type Ends, PipelinePlay, type Script } from '../support/pipeline-play.js';
import { artifact, commandOf, delivered, pipelineRun, read, reviewOf, stepOf } from '../support/pipeline-values.js';
import { NOTHING_SEEN, POLICY } from '../support/run-values.js';

/** What counts as delivered, which steps apply, and how a pipeline goes on from its ledger (seed 003; docs/interface.md §10). */

const SRS: Partial<Step> = { artifacts: [{ key: 'srs', pattern: 'docs/srs-*.md' }] };
const TWO: Partial<Step> = {
  artifacts: [
    { key: 'srs', pattern: 'docs/srs-*.md' },
    { key: 'log', pattern: 'docs/log-*.md' },
  ],
};

function play(steps: Step[], script: Script = {}): PipelinePlay {
  return new PipelinePlay(pipelineRun(steps), script).carryOn();
}

function leaves(...artifacts: SeenArtifact[]): Observation {
  return delivered(read('1'), { artifacts });
}

function states(run: Run): string[] {
  return methodOf(run.method)
    .criteria(run)
    .map(({ id, state, label }) => `${id} ${state} ${label}`);
}

describe('the artifact gate', () => {
  const faults: [string, Partial<SeenArtifact>, string][] = [
    ['is not there', { is: 'missing', sha256: null }, 'missing'],
    ['lies outside of the workspace', { is: 'outside', sha256: null }, 'outside'],
    ['is empty', { is: 'empty' }, 'empty'],
    ['is neither a file nor a folder', { is: 'irregular', sha256: null }, 'irregular'],
    ['does not match its pattern', { matches: false }, 'unmatched'],
    ['lay there before and was not touched', { before: 'content of docs/srs-x.md' }, 'stale'],
  ];
  for (const [name, more, is] of faults)
    it(`a demanded file that ${name} is not accepted, and the line says which`, () => {
      const { entries, run } = play([stepOf('1', { ...SRS, attempts: 1 })], { S1: leaves(artifact('srs', 'docs/srs-x.md', more)) });
      expect([entries, run.ledger[0]?.text?.words, run.ledger[0]?.delivery?.artifacts]).toEqual([
        [`S1 failed artifact-${is}-srs · replan exhausted`],
        [`[ARTIFACT GATE] STEP 1 — ${is}: docs/srs-x.md. Gate exhausted.`],
        [],
      ]);
    });

  it('a demanded file that nobody could look at: partial', () => {
    const { entries } = play([stepOf('1', { ...SRS, attempts: 1 })], {
      S1: leaves(artifact('srs', 'docs/srs-x.md', { is: 'unobservable', sha256: null })),
    });
    expect(entries).toEqual(['S1 partial · replan exhausted']);
  });

  it('a file that was changed is fresh, and is kept with its hash', () => {
    const { run } = play([stepOf('1', SRS)], { S1: leaves(artifact('srs', 'docs/srs-x.md', { before: 'old' })) });
    expect(run.ledger[0]?.delivery?.artifacts).toEqual([{ key: 'srs', path: 'docs/srs-x.md', sha256: 'content of docs/srs-x.md' }]);
  });

  it('of a list of files under one key each is demanded', () => {
    const { entries } = play([stepOf('1', { ...SRS, attempts: 1 })], {
      S1: leaves(artifact('srs', 'docs/srs-a.md'), artifact('srs', 'docs/srs-b.md', { is: 'empty' })),
    });
    expect(entries).toEqual(['S1 failed artifact-empty-srs · replan exhausted']);
  });

  it('what an earlier attempt wrote, and this one left as it was, is confirmed', () => {
    const { entries } = play([stepOf('1', TWO)], {
      S1: leaves(artifact('srs', 'docs/srs-x.md')),
      'S1@2': leaves(artifact('srs', 'docs/srs-x.md', { before: 'content of docs/srs-x.md' }), artifact('log', 'docs/log-x.md')),
    });
    expect(entries).toEqual(['S1 failed artifact-missing-log · replan done (plan version 2)', 'S1@2 done · plan holds']);
  });

  const written = artifact('srs', 'docs/srs-x.md');
  const untouched = leaves(artifact('srs', 'docs/srs-x.md', { before: 'content of docs/srs-x.md' }));
  const forgetting: [string, Observation | Ends][] = [
    ['a block that does not list it', delivered(read('1'), { unlisted: [written] })],
    ['no block', delivered({ is: 'none' }, { unlisted: [written] })],
    ['a block of another step', delivered(read('7'), { artifacts: [written] })],
    ['its time running out', { end: { is: 'timeout' }, seen: delivered({ is: 'none' }, { unlisted: [written] }) }],
  ];
  for (const [name, seen] of forgetting)
    it(`a file that was written with ${name} delivers nothing, and the next attempt may list it as it is`, () => {
      const { entries, run } = play([stepOf('1', SRS)], { S1: seen, 'S1@2': untouched });
      expect([run.ledger[0]?.status, entries[1]]).toEqual(['failed', 'S1@2 done · plan holds']);
    });

  it('an old file that was listed under a key that nobody demands confirms nothing', () => {
    const old = { before: 'content of docs/srs-x.md' };
    const { entries } = play([stepOf('1', { ...SRS, attempts: 2 })], {
      S1: leaves(artifact('report', 'docs/srs-x.md', old)),
      'S1@2': leaves(artifact('srs', 'docs/srs-x.md', old)),
    });
    expect(entries).toEqual([
      'S1 failed artifact-missing-srs · replan done (plan version 2)',
      'S1@2 failed artifact-stale-srs · replan exhausted',
    ]);
  });

  it('what another step wrote confirms nothing', () => {
    const script = {
      S1: leaves(artifact('srs', 'docs/srs-x.md')),
      S2: delivered(read('2'), { artifacts: [artifact('srs', 'docs/srs-x.md', { before: 'content of docs/srs-x.md' })] }),
    };
    const { entries } = play([stepOf('1', SRS), stepOf('2', { ...SRS, attempts: 1 })], script);
    expect(entries.at(-1)).toBe('S2 failed artifact-stale-srs · replan exhausted');
  });

  it('a listed file that no key demands must be there, no more', () => {
    const there = leaves(artifact('srs', 'docs/srs-x.md'), artifact('report', 'r.md', { is: 'empty', before: 'content of r.md' }));
    const gone = leaves(artifact('srs', 'docs/srs-x.md'), artifact('report', 'r.md', { is: 'missing', sha256: null }));
    expect(play([stepOf('1', { ...SRS, attempts: 1 })], { S1: there }).entries).toEqual(['S1 done · plan holds']);
    expect(play([stepOf('1', { ...SRS, attempts: 1 })], { S1: gone }).entries).toEqual([
      'S1 failed artifact-missing-report · replan exhausted',
    ]);
  });

  it('a fix that changes nothing is noted, uses up its round, and is not asked again', () => {
    const same = artifact('srs', 'docs/srs-x.md', { before: 'content of docs/srs-x.md' });
    const { askedBy, run } = play([stepOf('1', SRS), reviewOf('5', '1')], {
      S1: leaves(artifact('srs', 'docs/srs-x.md')),
      S5: delivered(read('5', { verdict: 'REJECTED', criticalIssues: ['wrong'] })),
      'S1@2': leaves(same),
    });
    const [, review, fix] = run.ledger.map(({ text }) => text);
    expect([askedBy, fix?.words, fix?.stateDelta, review?.words]).toEqual([
      ['S1: start', 'S5: start', 'S1@2: fix of S5', 'S5@2: review of S1@2'],
      ['a STEP-RESULT block of this attempt: step 1, agent agent-1, SUCCESS', 'the fix changed nothing'],
      [],
      ['a STEP-RESULT block of this attempt: step 5, agent agent-5, SUCCESS'],
    ]);
  });
});

describe('next-inputs', () => {
  const missing = { nextInputs: [{ key: 'spec', value: 'docs/spec.md', there: false }] };
  const seen = delivered(read('1', { nextInputs: [{ key: 'spec', values: ['docs/spec.md'] }] }), missing);

  it('that are not there are a warning', () => {
    const { run } = play([stepOf('1'), stepOf('2')], { S1: seen });
    expect([run.outcome, run.ledger[0]?.text?.risk]).toEqual([
      'COMPLETED',
      ['next-inputs: spec is not there, and is not handed on: docs/spec.md'],
    ]);
  });

  it('that are not there, or outside the workspace, are not handed on; a word is', () => {
    const listed = ['docs/spec.md', '/etc/passwd', 'there.md', 'mod01'];
    const { run } = play([stepOf('1'), stepOf('2')], {
      S1: delivered(read('1', { nextInputs: [{ key: 'spec', values: listed }] }), {
        nextInputs: [
          { key: 'spec', value: 'docs/spec.md', there: false },
          { key: 'spec', value: '/etc/passwd', there: false, outside: true },
          { key: 'spec', value: 'there.md', there: true },
          { key: 'spec', value: 'mod01', there: false },
        ],
      }),
    });
    expect([run.ledger[0]?.delivery?.nextInputs, run.ledger[0]?.text?.risk]).toEqual([
      [{ key: 'spec', values: ['there.md', 'mod01'] }],
      [
        'next-inputs: spec is not there, and is not handed on: docs/spec.md',
        'next-inputs: spec is outside the workspace, and is not handed on: /etc/passwd',
        'next-inputs: spec is not there: mod01',
      ],
    ]);
  });

  it('that are not there are an error where a later step takes them', () => {
    const taking = stepOf('2', { inputs: [{ name: 'it', step: '1', key: 'spec' }] });
    const { entries } = play([stepOf('1', { attempts: 1 }), taking], { S1: seen });
    expect(entries).toEqual(['S1 failed artifact-missing-spec · replan exhausted']);
  });

  it('that a later step takes must be listed', () => {
    const taking = stepOf('2', { inputs: [{ name: 'it', step: '1', key: 'spec' }] });
    const { run } = play([stepOf('1', { attempts: 1 }), taking], {});
    expect(run.ledger[0]?.text?.words).toEqual(['[ARTIFACT GATE] STEP 1 — missing: spec (an input of a later step). Gate exhausted.']);
  });
});

describe('a command', () => {
  const none = (...artifacts: SeenArtifact[]) => delivered({ is: 'none' }, { artifacts });
  const exits = (code: number, seen: Observation): Ends => ({ end: { is: 'exited', code }, seen });
  const demanding = commandOf('13', SRS);

  it('needs no block: what it left is what counts', () => {
    expect(play([demanding], { S13: none(artifact('srs', 'docs/srs-x.md')) }).entries).toEqual(['S13 done · plan holds']);
  });

  it('of many files that match, one that is new delivers its key', () => {
    const old = artifact('srs', 'docs/srs-old.md', { before: 'content of docs/srs-old.md' });
    expect(play([demanding], { S13: none(old, artifact('srs', 'docs/srs-x.md')) }).entries).toEqual(['S13 done · plan holds']);
    expect(play([commandOf('13', { ...SRS, attempts: 1 })], { S13: none(old) }).entries).toEqual([
      'S13 failed artifact-stale-srs · replan exhausted',
    ]);
  });

  it('that leaves nothing to look at is judged by its exit', () => {
    expect(play([commandOf('13')], { S13: none() }).entries).toEqual(['S13 done · plan holds']);
    expect(play([commandOf('13', { attempts: 1 })], { S13: exits(3, none()) }).entries).toEqual([
      'S13 failed agent-exit-3 · replan exhausted',
    ]);
  });

  it('that leaves what it should and exits otherwise delivers, and its exit is a risk', () => {
    const { entries, run } = play([demanding], { S13: exits(3, none(artifact('srs', 'docs/srs-x.md'))) });
    expect([entries, run.ledger[0]?.text?.risk]).toEqual([['S13 done · plan holds'], ['exited 3']]);
  });

  it('that is lost and left nothing to look at is never done', () => {
    const lost: Ends = { end: { is: 'lost' }, seen: none() };
    expect(play([commandOf('13', { attempts: 1 })], { S13: lost }).entries).toEqual(['S13 partial no-result · replan exhausted']);
  });
});

describe('an agent at its usage limit', () => {
  const limited = (seen: Observation): Ends => ({ end: { is: 'limited', until: 60_000, why: 'usage limit' }, seen });

  for (const [name, seen] of [
    ['no block', delivered({ is: 'none' })],
    ['a block that says FAILED', delivered(read('1', { status: 'FAILED' }))],
    ['an artifact missing', leaves()],
  ] as const)
    it(`with ${name} is waited for, and uses up nothing`, () => {
      const { run } = play([stepOf('1', { ...SRS, attempts: 1 })], { S1: limited(seen) });
      expect([run.ledger, nextMoves(run).map(({ is }) => is)]).toEqual([[], ['wait']]);
    });

  it('with everything delivered is done', () => {
    expect(play([stepOf('1', SRS)], { S1: limited(leaves(artifact('srs', 'docs/srs-x.md'))) }).entries).toEqual(['S1 done · plan holds']);
  });
});

describe('conditions and checks before a step', () => {
  const conditional = [stepOf('3'), reviewOf('5', '3'), stepOf('6', { when: { step: '5', verdict: 'APPROVED_WITH_CONDITIONS' } })];
  const says = (verdict: string | null) => ({ S5: delivered(read('5', { verdict })) });

  it('a condition that holds lets the step begin', () => {
    expect(play(conditional, says('APPROVED_WITH_CONDITIONS')).sent).toEqual(['S3', 'S5', 'S6']);
  });

  it('a condition that does not hold skips it: no_op, with the condition as evidence, and no criterion', () => {
    const { entries, run, sent } = play(conditional, says('APPROVED'));
    expect([entries.at(-1), run.ledger[2]?.text?.words, states(run), sent, run.outcome]).toEqual([
      'S6 no_op · plan holds',
      ['skipped: when step 5 says APPROVED_WITH_CONDITIONS; it says APPROVED'],
      ['S3 satisfied verified', 'S5 satisfied verified'],
      ['S3', 'S5'],
      'COMPLETED',
    ]);
  });

  it('no verdict skips it', () => {
    const { entries } = play([stepOf('3'), stepOf('6', { when: { step: '3', verdict: 'APPROVED' } })], { S3: delivered(read('3')) });
    expect(entries.at(-1)).toBe('S6 no_op · plan holds');
  });

  it('a check that holds already is recorded and skips nothing', () => {
    const looks = [{ check: 'run: true', is: 'holds', saw: 'exit 0' }] as const;
    const seen = { ...delivered(read('1')), looks: [...looks] };
    const run = new PipelinePlay(pipelineRun([stepOf('1', { checks: ['run: true'] })]), { S1: seen }, { before: seen }).carryOn();
    expect([run.sent, run.run.ledger[0]?.text?.evidence.map(({ before, after }) => [before, after])]).toEqual([
      ['S1'],
      [['exit 0', 'exit 0']],
    ]);
  });

  it('a human check is asked of a person once the rest is delivered', () => {
    const asking = play([stepOf('1', { checks: ['human: is it readable?'], attempts: 1 })]);
    expect(asking.run.questions.map(({ kind, ask }) => [kind, ask])).toEqual([['attest', 'is it readable?']]);
    const yes = new PipelinePlay(asking.run).says({ name: 'attest', task: 'S1', happened: 'yes' });
    const no = new PipelinePlay(asking.run).says({ name: 'attest', task: 'S1', happened: 'no' });
    expect([yes.entries, yes.run.ledger[0]?.label, no.entries]).toEqual([
      ['S1 done APPROVED · plan holds'],
      'attested',
      ['S1 failed attested-no APPROVED · replan exhausted'],
    ]);
  });

  it('nobody who answers is no yes', () => {
    const asking = play([stepOf('1', { gate: 'human' })]);
    const [question] = asking.run.questions;
    const { entries, run } = asking.take({ move: `${question?.id}/until`, at: question?.until ?? 0, is: 'elapsed' }).carryOn();
    expect([entries, run.outcome]).toEqual([['S1 blocked no-answer · replan exhausted'], 'BLOCKED']);
  });
});

describe('a part of a pipeline', () => {
  const steps = [stepOf('1'), stepOf('2'), reviewOf('3', '1')];
  const ranged = (range: { from: string } | { only: string }, script: Script = {}) =>
    new PipelinePlay(pipelineRun(steps, { about: { range } }), script).carryOn();

  it('--from begins there, and is PARTIAL at best', () => {
    const { sent, run } = ranged({ from: '2' });
    expect([sent, run.outcome, states(run)]).toEqual([['S2', 'S3'], 'PARTIAL', ['S2 satisfied verified', 'S3 satisfied verified']]);
  });

  it.each([
    [{ from: '2' }, 'only what begins with step 2 was to be carried out; what the steps before it had left was taken as it lay there'],
    [{ only: '2' }, 'only step 2 was to be carried out; what the others had left was taken as it lay there'],
  ])('is said to be one: %j', (range, words) => {
    expect(debtsOf(ranged(range).run)).toEqual([words]);
  });

  it('--only runs no other step, not even to fix', () => {
    const script = { S3: delivered(read('3', { verdict: 'REJECTED', criticalIssues: ['wrong'] })) };
    const { sent, run, entries } = ranged({ only: '3' }, script);
    expect([sent, run.outcome, entries]).toEqual([['S3'], 'BLOCKED', ['S3 done REJECTED · replan exhausted']]);
    expect(run.ledger.at(-1)?.gates.at(-1)).toMatchObject({ why: 'not approved, and no other step is carried out' });
  });
});

describe('the last look before closing', () => {
  const checked = (step: string, ...checks: string[]) => stepOf(step, { checks: checks.map((check) => `run: ${check}`), attempts: 2 });
  const holding = (step: string, ...checks: string[]): Observation => ({
    ...delivered(read(step)),
    looks: checks.map((check) => ({ check: `run: ${check}`, is: 'holds', saw: 'exit 0' })),
  });
  const script = Object.fromEntries(
    ['S1', 'S1@2', 'S1@3', 'S2', 'S2@2'].map((task) => [task, holding(task.slice(1, 2), task.startsWith('S1') ? 'a' : 'b')]),
  );

  it('what no longer holds has its step done again', () => {
    const steps = [checked('1', 'a'), stepOf('3')];
    const { askedBy, run } = new PipelinePlay(pipelineRun(steps), script, { broken: [['run: a']] }).carryOn();
    expect([askedBy, run.outcome]).toEqual([['S1: start', 'S3: start', 'F1: undefined', 'S1@2: final check F1'], 'COMPLETED']);
  });

  it('several are done again as they are written', () => {
    const steps = [checked('1', 'a'), checked('2', 'b'), stepOf('3')];
    const { askedBy } = new PipelinePlay(pipelineRun(steps), script, { broken: [['run: a', 'run: b']] }).carryOn();
    expect(askedBy.slice(3)).toEqual(['F1: undefined', 'F2: undefined', 'S1@2: final check F1', 'S2@2: final check F2']);
  });

  it('what is undone as often as it may be tried is exhausted', () => {
    const steps = [checked('1', 'a'), checked('2', 'b')];
    const broken = [['run: a'], ['run: b'], ['run: a']];
    const { entries, run } = new PipelinePlay(pipelineRun(steps), script, { broken }).carryOn();
    expect([entries.slice(2), run.outcome]).toEqual([
      [
        'F1 failed undone-s1 · replan done (plan version 2)',
        'S1@2 done · plan holds',
        'F2 failed undone-s2 · replan done (plan version 3)',
        'S2@2 done · plan holds',
        'F3 failed undone-s1@2 · replan exhausted',
      ],
      'BLOCKED',
    ]);
  });

  it('of a step that was fixed only the newest attempt is looked at', () => {
    const steps = [checked('1', 'a'), reviewOf('5', '1'), checked('2', 'b')];
    const rejected = delivered(read('5', { verdict: 'REJECTED', criticalIssues: ['wrong'] }));
    const { run } = new PipelinePlay(pipelineRun(steps), { ...script, S5: rejected }, { broken: [['run: a']] }).carryOn();
    expect(run.ledger.flatMap(({ undoes }) => undoes ?? [])).toEqual(['S1@2']);
  });
});

describe('a pipeline that goes on from its ledger', () => {
  const steps = [stepOf('3', SRS), reviewOf('5', '3'), stepOf('6')];
  const rejected = delivered(read('5', { verdict: 'REJECTED', criticalIssues: ['wrong'] }));

  function recordUntil(task: string): Entry[] {
    const run = new PipelinePlay(pipelineRun(steps), {
      S3: delivered(read('3'), { artifacts: [artifact('srs', 'docs/srs-x.md')] }),
      S5: rejected,
    });
    while (!nextMoves(run.run).some((move) => move.is === 'dispatch' && move.attempt.task.id === task)) run.step();
    return run.run.ledger;
  }

  it('an attempt that was interrupted keeps its id', () => {
    const { plan } = pipelineRun(steps, { entries: recordUntil('S3@2') });
    expect(plan.tasks.map(({ id, askedBy }) => [id, askedBy])).toEqual([
      ['S3@2', 'fix of S5'],
      ['S5@2', 'review of S3@2'],
      ['S6', 'start'],
    ]);
  });

  it('a gate that was never decided is decided now', () => {
    const entries = recordUntil('S3@2').map((entry) => (entry.task === 'S5' ? { ...entry, gates: [] } : entry));
    const { plan, ledger } = pipelineRun(steps, { entries });
    expect([plan.version, plan.tasks.map(({ id }) => id), ledger[1]?.gates.map(({ is }) => is)]).toEqual([
      2,
      ['S3@2', 'S5@2', 'S6'],
      ['required', 'done'],
    ]);
  });

  it('a gate whose replan was required and not made is decided now', () => {
    const entries = recordUntil('S3@2').map((entry) =>
      entry.task === 'S5' ? { ...entry, gates: [{ is: 'required', at: 0 } as const] } : entry,
    );
    expect(pipelineRun(steps, { entries }).plan.tasks.map(({ id }) => id)).toEqual(['S3@2', 'S5@2', 'S6']);
  });

  it('an exhausted gate stays exhausted until somebody opens it', () => {
    const closed = play([stepOf('3'), reviewOf('5', '3', { rounds: 0 }), stepOf('6')], { S5: rejected });
    const again = new PipelinePlay(
      pipelineRun([stepOf('3'), reviewOf('5', '3', { rounds: 0 }), stepOf('6')], {
        entries: closed.run.ledger,
        policy: { ...POLICY, planner: false, onBlocked: 'wait' },
      }),
    ).carryOn();
    expect([again.sent, again.run.questions.map(({ kind }) => kind)]).toEqual([[], ['resolve']]);
    expect(again.says({ name: 'resolve', blocker: 'gate-S5-exhausted', resolution: 'done by hand' }).sent).toEqual(['S5@2', 'S6']);
  });

  it('a step that nobody looked at delivers nothing, also when its files lie there', () => {
    const { entries } = play([stepOf('3', { ...SRS, attempts: 1 })], { S3: NOTHING_SEEN });
    expect(entries).toEqual(['S3 partial no-result · replan exhausted']);
  });

  it('an approval whose gate stands exhausted in a ledger that somebody edited satisfies nothing', () => {
    const whole = play([reviewOf('5', '3')]);
    const gates = [{ is: 'required', at: 0 } as const, { is: 'exhausted', blocker: 'x', why: 'y', final: false, at: 0 } as const];
    const run = pipelineRun([reviewOf('5', '3')], { entries: whole.run.ledger.map((entry) => ({ ...entry, gates })) });
    expect(states(run)).toEqual(['S5 unsatisfied verified']);
  });

  it('an approval that no person gave in a ledger that somebody edited opens no human gate', () => {
    const whole = play([reviewOf('5', '3')]);
    const run = pipelineRun([stepOf('5', { gate: 'human' })], { entries: whole.run.ledger });
    expect(states(run)).toEqual(['S5 unsatisfied verified']);
  });
});
