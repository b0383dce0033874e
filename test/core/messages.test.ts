import { describe, expect, it } from 'vitest';
import { HANDLED_MAX, NOTES_MAX } from '../../core/limits.js';
import { planningToken } from '../../core/planning.js';
import { advance, nextMoves } from '../../core/run.js';
import type { Policy, Run, Task } from '../../core/values.js';
import { RETURN_CONTRACT } from '../../documents/brief.js';
import { parsePlan, toTasks } from '../../documents/plan.js';
import { POLICY, runOf, taskOf } from '../support/run-values.js';
import { carryOn, ledgerOf, listed, planned, reply, says, told, until, written } from '../support/steps.js';

/** Human acts (R12): applied exactly once, to what was shown, and always answered. */
const WAITS: Policy = { ...POLICY, onBlocked: 'wait' };
const HUMAN = (id: string, more: Partial<Task> = {}) =>
  taskOf(id, { performer: 'human', checks: ['human: does the badge work?'], ...more });

/** T1 is handed over to a person. */
const handedOver = (...more: Task[]) => carryOn(runOf([HUMAN('T1'), ...more]), {}, until('person'));

/** T1 is blocked by no-key, exhausted, and the run waits for a person. */
const exhausted = () => carryOn(runOf([taskOf('T1')], { policy: WAITS }), { ends: { T1: [says('blocked', { blocker: 'no-key' })] } });

const working = () => carryOn(runOf([taskOf('T1'), taskOf('T2')]), {}, until('dispatch'));

/** What a lost worker leaves of the look or the reading that a person's act asked for. */
function afterLoss(run: Run): Run {
  const move = nextMoves(run).find((one) => one.is === 'read' || (one.is === 'observe' && one.when === 'resolution'));
  return advance(run, { move: move?.id ?? 'none', at: run.clock, is: 'unclear', counts: false });
}

const t2 = taskOf('T2', { states: 'promise of T1', checks: ['file: out-T1'], reopens: 'T1' });

describe('attest', () => {
  it('is asked for with what the person is to do and what is to be true then', () => {
    expect(handedOver().questions.map(({ kind, task, ask }) => [kind, task, ask])).toEqual([
      ['attest', 'T1', 'Part T1 — does the badge work?'],
    ]);
  });

  // Seed 002 Execution modes.
  it('tells a person the task, its Done when and what is to be said, in plain words: no form to fill in (seed 002, Human handoff)', () => {
    const plan =
      '# PLAN: demo\n\nGoal: g\nPlan version: 1\n\n## T1 — The door\nTask: Fit the\nbadge reader.\nDone when: The badge opens the door.\nPerformer: human\nChecks:\n- human: does it open?\n';
    const tasks = toTasks(parsePlan(plan, { file: 'PLAN.md' }).draft, { defaultPerformer: 'mine', hash: (text) => text });
    const [question] = carryOn(runOf(tasks), {}, until('person')).questions;
    expect(question?.ask).toBe('The door — Fit the badge reader. Done when: The badge opens the door. — does it open?');
    const form = RETURN_CONTRACT.split('\n').filter((line) => /^[a-z_]+:/.test(line));
    expect(form.filter((line) => question?.ask.includes(line))).toEqual([]);
  });

  it.each([
    ['yes', 'T1 done attested | holds'],
    ['partly', 'T1 partial attested | required'],
    ['no', 'T1 failed attested (attested-no) | required'],
  ] as const)('%s on a handed-over task: %s', (happened, line) => {
    const run = told(handedOver(), { name: 'attest', task: 'T1', happened });
    const judged = carryOn(run, {}, (one) => one.ledger.length === 1);
    expect([reply(run), ledgerOf(judged)]).toEqual(['applied: recorded for T1', [line]]);
  });

  // Seed 002 Execution modes.
  it('keeps who said it and in which words', () => {
    const run = told(handedOver(), { name: 'attest', task: 'T1', happened: 'yes', nowTrue: 'it opens the door', unexpected: 'it beeps' });
    const judged = carryOn(run, {}, (one) => one.ledger.length === 1);
    expect([judged.ledger[0]?.text?.words, judged.ledger[0]?.text?.stateDelta, judged.ledger[0]?.news]).toEqual([
      ['ana attests: yes; now true: it opens the door; unexpected: it beeps'],
      ['it opens the door'],
      ['it beeps'],
    ]);
  });

  it('answers the human checks of a task that an agent did', () => {
    const both = taskOf('T1', { checks: ['file: out-T1', 'human: is it nice?'] });
    const asked = carryOn(runOf([both]), {}, until('person'));
    const run = carryOn(told(asked, { name: 'attest', task: 'T1', happened: 'yes' }));
    expect([asked.questions[0]?.ask, ledgerOf(run), run.outcome]).toEqual(['is it nice?', ['T1 done attested | holds'], 'COMPLETED']);
  });

  it('is refused before anybody was asked (G12)', () => {
    const run = told(handedOver(HUMAN('T2', { dependsOn: ['T1'] })), { name: 'attest', task: 'T2', happened: 'yes' });
    expect([reply(run), run.ledger]).toEqual(['refused: nobody was asked about T2 yet', []]);
  });

  it('is refused for a task that the plan does not have (G13)', () => {
    expect(reply(told(handedOver(), { name: 'attest', task: 'T9', happened: 'yes' }))).toBe('refused: the plan has no T9');
  });

  it('is refused for what is done already: the second click gets the first answer (G05, G09, G06)', () => {
    const answered = written(
      carryOn(told(handedOver(taskOf('T2')), { name: 'attest', task: 'T1', happened: 'yes' }), {}, (run) => run.ledger.length === 1),
    );
    const again = told(answered, { name: 'attest', task: 'T1', happened: 'no' });
    expect([reply(again), ledgerOf(again)]).toEqual(['refused: T1 is done already', ['T1 done attested | holds']]);
  });

  it('of two at once only the first counts, while what it says is still being looked at', () => {
    const machine = HUMAN('T1', { checks: ['file: out-T1'] });
    const first = told(carryOn(runOf([machine]), {}, until('person')), { name: 'attest', task: 'T1', happened: 'yes' });
    const second = told(first, { name: 'attest', task: 'T1', happened: 'no' });
    expect([reply(second), ledgerOf(carryOn(second))]).toEqual([
      'refused: T1 is answered already, by ana: what that says is being looked at',
      ['T1 done verified | holds'],
    ]);
  });

  it('with a task that the run drops is refused afterwards (G13)', () => {
    const stopped = told(handedOver(), { name: 'stop' });
    expect(reply(told(stopped, { name: 'attest', task: 'T1', happened: 'yes' }))).toBe('refused: nobody was asked about T1 yet');
  });

  it('that is still being verified when the run is stopped is kept', () => {
    const machine = HUMAN('T1', { checks: ['file: out-T1'] });
    const attested = told(carryOn(runOf([machine]), {}, until('person')), { name: 'attest', task: 'T1', happened: 'yes' });
    const run = carryOn(told(attested, { name: 'stop' }));
    expect([ledgerOf(run), run.outcome]).toEqual([['T1 done verified | holds'], 'COMPLETED']);
  });
});

it('several people are asked at the same time, and each answer is for its own task alone (G11)', () => {
  const limits = { ...runOf([]).limits, parallel: 2 };
  const both = carryOn(
    runOf([HUMAN('T1', { writes: ['a'] }), HUMAN('T2', { writes: ['b'] })], { limits }),
    {},
    (one) => one.questions.length === 2,
  );
  const answered = carryOn(told(both, { name: 'attest', task: 'T2', happened: 'yes' }), {}, (one) => one.ledger.length === 1);
  expect([ledgerOf(answered), answered.questions.map(({ task }) => task)]).toEqual([['T2 done attested | holds'], ['T1']]);
});

describe('what was shown binds (G03)', () => {
  it.each([
    [1, 'applied: recorded for T1'],
    ['1', 'applied: recorded for T1'],
    ['plan-1', 'applied: recorded for T1'],
    [2, 'refused: it was shown plan version 2; the plan is at version 1 now'],
    [0, 'refused: it was shown plan version 0; the plan is at version 1 now'],
    ['plan-2', 'refused: what was shown is not what stands now'],
  ])('shown %j: %s', (shown, answer) => {
    expect(reply(told(handedOver(), { name: 'attest', task: 'T1', happened: 'yes', shown }))).toBe(answer);
  });

  it('a stale approval is refused, and the gate stays exhausted', () => {
    const run = told(exhausted(), { name: 'decide', gate: 'T1', decision: 'approve', shown: 7 });
    expect([reply(run), ledgerOf(run)]).toEqual([
      'refused: it was shown plan version 7; the plan is at version 1 now',
      ['T1 blocked verified (no-key) | required → exhausted'],
    ]);
  });
});

describe('one id is one act (C13)', () => {
  it('the same id twice is applied once, and answered as before', () => {
    const once = told(working(), { id: 'click', name: 'message', to: 'performer', text: 'use tabs' });
    const twice = told(once, { id: 'click', name: 'message', to: 'performer', text: 'use tabs' });
    expect([twice.notes, twice.handled]).toEqual([[{ to: 'performer', text: 'use tabs', by: 'ana' }], once.handled]);
  });

  it('the same id with another act in it changes nothing', () => {
    const once = told(working(), { id: 'click', name: 'pause' });
    const twice = told(once, { id: 'click', name: 'stop' });
    expect([twice.stopped, twice.handled]).toEqual([null, once.handled]);
  });

  it('a refused act stays refused under its id', () => {
    const refused = told(working(), { id: 'click', name: 'resume' });
    const paused = told(refused, { name: 'pause' });
    const again = told(paused, { id: 'click', name: 'resume' });
    expect([again.paused?.by, again.handled.length]).toEqual(['ana', 2]);
  });

  it('counts also while the first is still being checked', () => {
    const body = { id: 'click', name: 'resolve', blocker: 'no-key', resolution: 'it is there', check: 'test -s key' } as const;
    const once = told(exhausted(), body);
    const run = carryOn(told(once, body), { planned: [planned(2, t2)] });
    expect([run.handled.map((one) => one.id), ledgerOf(run).length]).toEqual([['click'], 2]);
  });

  it('is remembered for the newest acts, so that the state stays small', () => {
    let run = working();
    for (let count = 0; count < HANDLED_MAX + 10; count++)
      run = told(run, { id: `note-${count}`, name: 'message', to: 'performer', text: String(count) });
    expect([run.handled.length, run.notes.length, run.handled[0]?.id]).toEqual([HANDLED_MAX, NOTES_MAX, 'note-10']);
  });
});

describe('resolve', () => {
  // Seed 002 Resuming.
  it("on a person's word alone reopens as attested", () => {
    const run = carryOn(told(exhausted(), { name: 'resolve', blocker: 'no-key', resolution: 'it is in ./key' }), {
      planned: [planned(2, t2)],
    });
    expect(run.ledger[0]?.gates.at(-1)).toEqual({
      is: 'reopened',
      version: 2,
      at: expect.any(Number),
      by: 'ana',
      label: 'attested',
      words: 'it is in ./key',
    });
  });

  it('with a check that holds reopens as verified', () => {
    const asked = told(exhausted(), { name: 'resolve', blocker: 'no-key', resolution: 'it is in ./key', check: 'test -s key' });
    const run = carryOn(asked, { planned: [planned(2, t2)] });
    expect([listed(asked), run.handled[0]?.reason, run.ledger[0]?.gates.at(-1)]).toEqual([
      ['resolve T1', 'wait', 'look resolution'],
      'T1 is reopened; the check holds',
      { is: 'reopened', version: 2, at: expect.any(Number), by: 'ana', label: 'verified', words: 'it is in ./key' },
    ]);
  });

  // Seed 002 Resuming.
  it.each(['disproved', 'unobservable'] as const)('with a check that is %s reopens nothing (R11)', (resolution) => {
    const asked = told(exhausted(), { name: 'resolve', blocker: 'no-key', resolution: 'it is in ./key', check: 'test -s key' });
    const run = carryOn(asked, { resolution });
    expect([reply(run), ledgerOf(run), listed(run)]).toEqual([
      'refused: its check does not hold: run: test -s key',
      ['T1 blocked verified (no-key) | required → exhausted'],
      ['resolve T1', 'wait'],
    ]);
  });

  it('with a check is looked at again when the worker is lost over it', () => {
    const asked = told(exhausted(), { name: 'resolve', blocker: 'no-key', resolution: 'it is in ./key', check: 'test -s key' });
    expect(afterLoss(asked)).toEqual(asked);
  });

  it.each(['no-key', 'T1'])('finds the gate by %s', (blocker) => {
    expect(reply(told(exhausted(), { name: 'resolve', blocker, resolution: 'yes' }))).toBe('applied: T1 is reopened on the word of ana');
  });

  it('of something else is refused, and says what is open', () => {
    expect(reply(told(exhausted(), { name: 'resolve', blocker: 'no-cash', resolution: 'yes' }))).toBe(
      'refused: no open blocker is called no-cash; open: no-key',
    );
  });

  it('while nothing is exhausted is refused', () => {
    expect(reply(told(working(), { name: 'resolve', blocker: 'no-key', resolution: 'yes' }))).toBe(
      'refused: no open blocker is called no-key; nothing is exhausted',
    );
  });

  it('a second time while the first reopens is answered with the first (G09)', () => {
    const once = told(exhausted(), { name: 'resolve', blocker: 'no-key', resolution: 'it is in ./key', by: 'ana' });
    const twice = told(once, { name: 'resolve', blocker: 'no-key', resolution: 'elsewhere', by: 'bob' });
    expect([reply(twice), twice.planning?.resolution?.text]).toEqual(['refused: T1 is being reopened already, by ana', 'it is in ./key']);
  });

  it('a second time while the first is being checked is refused', () => {
    const once = told(exhausted(), { name: 'resolve', blocker: 'no-key', resolution: 'a', check: 'test -s key' });
    expect(reply(told(once, { name: 'resolve', blocker: 'no-key', resolution: 'b' }))).toBe('refused: another resolution is being checked');
  });

  it('whose check comes back after somebody else reopened it is refused', () => {
    const checking = told(exhausted(), { name: 'resolve', blocker: 'no-key', resolution: 'a', check: 'test -s key' });
    const decided = told(checking, { name: 'decide', gate: 'T1', decision: 'approve' });
    const run = carryOn(decided, { planned: [planned(2, t2)] });
    expect([run.handled.map((one) => [one.name, one.applied, one.reason]), run.outcome]).toEqual([
      [
        ['decide', true, 'T1 is reopened'],
        ['resolve', false, 'it was reopened meanwhile'],
      ],
      'COMPLETED',
    ]);
  });

  it('after a failed reopening asks the planner anew: it is another ask with another token', () => {
    const once = told(exhausted(), { name: 'resolve', blocker: 'no-key', resolution: 'it is in ./key' });
    const failed = carryOn(once, { planned: [{ is: 'none', reason: 'I see no key' }] });
    const twice = told(failed, { name: 'resolve', blocker: 'no-key', resolution: 'now it is' });
    const tokens = [once, twice].map((run) => (run.planning === null ? '' : planningToken(run, run.planning)));
    expect([ledgerOf(failed), new Set(tokens).size]).toEqual([['T1 blocked verified (no-key) | required → exhausted'], 2]);
  });
});

describe('decide', () => {
  it('approve reopens the gate of that name', () => {
    expect(reply(told(exhausted(), { name: 'decide', gate: 'no-key', decision: 'approve' }))).toBe('applied: T1 is reopened');
  });

  it('reject is final: nobody is waited for any longer', () => {
    const run = told(exhausted(), { name: 'decide', gate: 'T1', decision: 'reject' });
    expect([reply(run), carryOn(run).outcome]).toEqual(['applied: T1 stays exhausted, by ana', 'BLOCKED']);
  });

  it('on a gate that is not open is refused, and says where to look (G04)', () => {
    expect(reply(told(working(), { name: 'decide', gate: 'T1', decision: 'approve' }))).toBe(
      'refused: no open gate is called T1; donewhen waiting demo lists them',
    );
  });
});

describe('replan', () => {
  it('is read again when the worker is lost over it', () => {
    const asked = told(working(), { name: 'replan', plan: '# PLAN' });
    expect(afterLoss(asked)).toEqual(asked);
  });

  it('is read before it is answered, and a second plan meanwhile is refused', () => {
    const once = told(working(), { name: 'replan', plan: '# PLAN' });
    const twice = told(once, { name: 'replan', plan: '# PLAN' });
    expect([once.handled, listed(once), reply(twice)]).toEqual([[], ['dispatch T1#1.1', 'read'], 'refused: another plan is being read']);
  });

  it('that is prose is refused with what is wrong', () => {
    const run = carryOn(
      told(working(), { name: 'replan', plan: 'hello' }),
      { read: { is: 'unreadable', problems: ['no title', 'no tasks'] } },
      (one) => one.proposed === null,
    );
    expect(reply(run)).toBe('refused: no title; no tasks');
  });

  it('whose reading got lost is refused, so that it can be sent again', () => {
    const asked = told(working(), { name: 'replan', plan: '# PLAN' });
    const run = advance(asked, { move: asked.proposed?.move ?? '', at: asked.clock, is: 'unclear', counts: true });
    expect(reply(run)).toBe('refused: the plan could not be read; send it again');
  });
});

describe('message', () => {
  it('is shown to its role in the next brief', () => {
    const run = told(working(), { name: 'message', to: 'planner', text: 'no new packages' });
    expect([reply(run), run.notes]).toEqual([
      'applied: shown to the planner in its next brief',
      [{ to: 'planner', text: 'no new packages', by: 'ana' }],
    ]);
  });

  it('to nobody there is is refused, with whom it may go to', () => {
    const run = told(working(), { name: 'message', to: 'nobody', text: 'hello?' });
    expect([reply(run), run.notes]).toEqual(['refused: nobody is called nobody; a message goes to: performer, planner', []]);
    expect(reply(told(working(), { name: 'message', to: ' Planner', text: 'hello' }))).toBe(
      'applied: shown to the planner in its next brief',
    );
  });

  // Seed 002 Execution modes.
  it('is never read as consent (G01)', () => {
    const run = told(exhausted(), { name: 'message', to: 'planner', text: 'yes, approve, it is fine, no-key is resolved' });
    expect([ledgerOf(run), run.planning]).toEqual([['T1 blocked verified (no-key) | required → exhausted'], null]);
  });
});

describe('pause and resume', () => {
  it('a pause lets what runs end and be judged, then dispatches nothing (C06)', () => {
    const run = carryOn(told(working(), { name: 'pause', reason: 'lunch' }));
    expect([ledgerOf(run), listed(run), run.paused]).toEqual([
      ['T1 done verified | holds'],
      [],
      { by: 'ana', reason: 'lunch', at: expect.any(Number) },
    ]);
  });

  it('resume goes on where it was', () => {
    const run = carryOn(told(carryOn(told(working(), { name: 'pause' })), { name: 'resume' }));
    expect([ledgerOf(run), run.outcome]).toEqual([['T1 done verified | holds', 'T2 done verified | holds'], 'COMPLETED']);
  });

  it('a second try and the end of a usage limit wait for the resume as well', () => {
    const lost = carryOn(told(working(), { name: 'pause' }), { ends: { T1: [{ is: 'lost' }] } });
    const limited = carryOn(told(working(), { name: 'pause' }), { ends: { T1: [{ is: 'limited', until: 9_000, why: 'usage limit' }] } });
    expect([listed(lost), listed(limited)]).toEqual([[], []]);
  });

  it('a planner that was asked before the pause may answer; one that was not is not asked', () => {
    const blocked = (run: Run) => carryOn(run, { ends: { T1: [says('blocked')] } }, (one) => one.ledger.length === 1);
    const asked = told(written(blocked(working())), { name: 'pause' });
    const unasked = written(told(blocked(working()), { name: 'pause' }));
    expect([listed(asked), listed(unasked)]).toEqual([['planner replan'], []]);
  });

  it('what is attested during a pause is judged', () => {
    const run = carryOn(told(told(handedOver(taskOf('T2')), { name: 'pause' }), { name: 'attest', task: 'T1', happened: 'yes' }));
    expect([ledgerOf(run), listed(run)]).toEqual([['T1 done attested | holds'], []]);
  });

  it('twice is refused, and so is a resume of what runs', () => {
    const paused = told(working(), { name: 'pause' });
    expect([reply(told(paused, { name: 'pause' })), reply(told(working(), { name: 'resume' }))]).toEqual([
      'refused: it is paused already, by ana',
      'refused: it is not paused',
    ]);
  });
});

describe('stop', () => {
  it('ends what runs, looks at it, and reports: what does not hold is partial and its gate stays open', () => {
    const stopped = told(working(), { name: 'stop', reason: 'enough' });
    const run = carryOn(stopped, { after: { T1: ['disproved'] } });
    expect([listed(stopped), ledgerOf(run), run.outcome, run.stopped?.reason]).toEqual([
      ['dispatch T1#1.1 cut'],
      ['T1 partial verified | required'],
      'PARTIAL',
      'enough',
    ]);
  });

  it('what is there all the same is done (B06)', () => {
    const run = carryOn(told(working(), { name: 'stop' }), { after: { T1: ['holds'] } });
    expect([ledgerOf(run), run.plan.tasks.map((task) => task.id), run.outcome]).toEqual([['T1 done verified | holds'], ['T2'], 'PARTIAL']);
  });

  it('drops what was not begun without an entry: the same tasks remain, whenever it comes (B07)', () => {
    const tasks = [taskOf('T1'), taskOf('T2')];
    const moments = [runOf(tasks), carryOn(runOf(tasks), {}, (one) => one.active[0]?.stage === 'dispatching')];
    const left = moments.map((run) => carryOn(told(run, { name: 'stop' }), { after: { T1: ['disproved'] } }));
    expect(left.map((run) => [run.plan.tasks.map((task) => task.id), run.ledger.map((entry) => entry.task)])).toEqual([
      [['T1', 'T2'], []],
      [['T2'], ['T1']],
    ]);
  });

  it('ends the wait for a usage limit: the attempt is looked at and is partial', () => {
    const limited = carryOn(working(), { ends: { T1: [{ is: 'limited', until: 1e9, why: 'usage limit' }] } }, until('wait'));
    const run = carryOn(told(limited, { name: 'stop' }));
    expect([ledgerOf(run), run.outcome]).toEqual([['T1 partial verified | required'], 'PARTIAL']);
  });

  it('ends the planner that was asked, and the gate stays required', () => {
    const asked = carryOn(working(), { ends: { T1: [says('blocked', { blocker: 'no-key' })] } }, until('replan'));
    const run = told(asked, { name: 'stop' });
    expect([listed(run), ledgerOf(run), carryOn(run).outcome]).toEqual([
      ['record report'],
      ['T1 blocked verified (no-key) | required'],
      'BLOCKED',
    ]);
  });

  it('answers the plan and the resolution that were still being read', () => {
    const reading = told(working(), { id: 'p', name: 'replan', plan: '# PLAN', by: 'bob' });
    const checking = told(exhausted(), { id: 'r', name: 'resolve', blocker: 'no-key', resolution: 'yes', check: 'test -s key', by: 'bob' });
    const answers = [reading, checking].map((run) =>
      told(run, { id: 's', name: 'stop' }).handled.map((one) => [one.id, one.by, one.applied, one.reason]),
    );
    expect(answers).toEqual([
      [
        ['p', 'bob', false, 'the run was stopped by ana'],
        ['s', 'ana', true, 'the run ends with a report'],
      ],
      [
        ['r', 'bob', false, 'the run was stopped by ana'],
        ['s', 'ana', true, 'the run ends with a report'],
      ],
    ]);
  });

  it('is followed by nothing: every later act is refused with who stopped it', () => {
    const run = told(working(), { name: 'stop' });
    const acts = [
      told(run, { name: 'stop' }),
      told(run, { name: 'pause' }),
      told(run, { name: 'replan', plan: '# PLAN' }),
      told(run, { name: 'resolve', blocker: 'T1', resolution: 'yes' }),
      told(run, { name: 'message', to: 'performer', text: 'hello' }),
    ];
    expect(acts.map(reply)).toEqual(acts.map(() => 'refused: the run was stopped by ana'));
  });

  it('does not skip the look before closing: what was undone is no COMPLETED', () => {
    const last = carryOn(runOf([taskOf('T1'), taskOf('T2')]), {}, (run) => run.ledger.length === 2);
    const run = carryOn(told(last, { name: 'stop' }), { sweep: { 'file: out-T1': 'disproved' } });
    expect([ledgerOf(run).at(-1), run.outcome]).toEqual(['F1 failed verified (undone-t1) | required', 'PARTIAL']);
  });
});

describe('while and after closing', () => {
  const closing = () => carryOn(runOf([taskOf('T1')]), { ends: { T1: [says('blocked', { blocker: 'no-key' })] } }, (run) => run.closing);

  it('a resolution that comes while the report is written is applied', () => {
    const run = carryOn(told(closing(), { name: 'resolve', blocker: 'no-key', resolution: 'it is there' }), { planned: [planned(2, t2)] });
    expect([ledgerOf(run).at(-1), run.outcome]).toEqual(['T2 done verified | holds', 'COMPLETED']);
  });

  it('a plan or a check that comes while the report is written is answered before the run closes', () => {
    const reading = carryOn(told(closing(), { name: 'replan', plan: '# PLAN' }), { read: { is: 'unreadable', problems: ['prose'] } });
    const checking = carryOn(told(closing(), { name: 'resolve', blocker: 'no-key', resolution: 'x', check: 'test -s key' }), {
      resolution: 'disproved',
    });
    expect([reading, checking].map((run) => [reply(run), run.outcome])).toEqual([
      ['refused: prose', 'BLOCKED'],
      ['refused: its check does not hold: run: test -s key', 'BLOCKED'],
    ]);
  });

  it('a closed run takes nothing more, and says so', () => {
    const closed = carryOn(runOf([taskOf('T1')]), { ends: { T1: [says('blocked', { blocker: 'no-key' })] } });
    const run = told(closed, { name: 'resolve', blocker: 'no-key', resolution: 'it is there' });
    expect([reply(run), run.outcome, listed(run)]).toEqual(['refused: the run is closed: BLOCKED', 'BLOCKED', []]);
  });
});

it('what cannot be read is refused by name, recorded and visible, and the run goes on', () => {
  const run = told(working(), { name: 'refused', of: 'attest', reason: 'attest has no task' });
  expect([run.handled.map((one) => [one.name, one.applied, one.reason]), listed(run)]).toEqual([
    [['attest', false, 'attest has no task']],
    ['dispatch T1#1.1'],
  ]);
});
