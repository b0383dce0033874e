import { describe, expect, it } from 'vitest';
import { isExhausted } from '../../core/ledger.js';
import { planningToken } from '../../core/planning.js';
import { advance, nextMoves } from '../../core/run.js';
import type { Answer, Move, Policy, Run, Task } from '../../core/values.js';
import { POLICY, runOf, seen, taskOf } from '../support/run-values.js';
import {
  answerOf,
  carryOn,
  checked,
  type Hands,
  isMove,
  ledgerOf,
  listed,
  planned,
  reply,
  says,
  told,
  until,
  written,
} from '../support/steps.js';

/** Where such loops went wrong before, each as the shortest run that shows it. */
const WAITS: Policy = { ...POLICY, onBlocked: 'wait' };
const blocked = says('blocked', { blocker: 'no-key' });
const sideBySide = (tasks: Task[], policy: Policy = POLICY, parallel = 2) =>
  runOf(tasks, { policy, limits: { ...runOf([]).limits, parallel } });
const apart = (id: string, more: Partial<Task> = {}) => taskOf(id, { writes: [`${id}/**`], ...more });
const heir = (id: string, of: string, more: Partial<Task> = {}) =>
  taskOf(id, { states: `promise of ${of}`, checks: [`file: out-${of}`], continues: of, writes: [], ...more });

/** Answers the one move that these words name, as the listing has it. */
function answer(run: Run, words: string, hands: Hands = {}): Run {
  const at = listed(run).indexOf(words);
  const move: Move | undefined = nextMoves(run)[at];
  const said = move === undefined ? null : answerOf(run, move, hands);
  if (said === null) throw new Error(`${words} is not listed: ${listed(run).join(', ')}`);
  return checked(advance(run, said));
}

/** Both tasks are dispatched. */
const bothFly = (tasks = [apart('T1'), apart('T2')], policy: Policy = POLICY) =>
  carryOn(sideBySide(tasks, policy), {}, (run) => listed(run).filter((line) => line.startsWith('dispatch')).length === 2);

describe('answers', () => {
  it('1. an answer for something past changes nothing but the cost', () => {
    const looking = runOf([taskOf('T1')]);
    const move = nextMoves(looking)[0]?.id ?? '';
    const saw: Answer = { move, at: 1, is: 'observed', observation: seen(['file: out-T1'], 'disproved'), cost: { usd: 1, tokens: 2 } };
    const once = advance(looking, saw);
    const twice = advance(once, saw);
    expect(twice).toEqual({ ...once, spent: { ...once.spent, usd: 2, tokens: 4 }, spentInAll: { ...once.spentInAll, usd: 2, tokens: 4 } });
  });

  it('2. every asking has a new id, so that an old answer is not taken for a new one', () => {
    const run = carryOn(runOf([taskOf('T1')]), { ends: { T1: [{ is: 'lost' }] } }, until('dispatch'));
    const first = nextMoves(run).find(isMove('dispatch'));
    const again = carryOn(
      advance(run, { move: first?.id ?? '', at: run.clock, is: 'ended', end: { is: 'lost' } }),
      { after: { T1: ['disproved'] } },
      until('dispatch'),
    );
    const stale = advance(again, { move: first?.id ?? '', at: again.clock, is: 'ended', end: { is: 'lost' } });
    expect([listed(again), stale]).toEqual([['dispatch T1#2.1'], again]);
  });

  it('2. an unclear end is asked for again with the same token, under another id', () => {
    const run = carryOn(runOf([taskOf('T1')]), {}, until('dispatch'));
    const move = nextMoves(run).find(isMove('dispatch'));
    const again = advance(run, { move: move?.id ?? '', at: run.clock, is: 'unclear', counts: false });
    const next = nextMoves(again).find(isMove('dispatch'));
    expect([next?.token, next?.id === move?.id, again.spent.dispatches]).toEqual(['T1#1.1', false, 1]);
  });

  it('3. a leg after a usage limit has a token of its own: the old one would find the stored limit for ever', () => {
    const limited = { is: 'limited', until: 5000, why: 'usage limit' } as const;
    const run = carryOn(runOf([taskOf('T1')]), { ends: { T1: [limited] } }, (one) => listed(one).includes('dispatch T1#1.3'));
    expect(listed(run)).toEqual(['dispatch T1#1.3']);
  });

  it('3. so has a planner who is asked anew about the same entries', () => {
    const ask = (run: Run) => told(run, { name: 'resolve', blocker: 'no-key', resolution: 'yes' });
    const token = (run: Run) => (run.planning === null ? '' : planningToken(run, run.planning));
    const once = ask(carryOn(runOf([taskOf('T1')], { policy: WAITS }), { ends: { T1: [blocked] } }));
    const twice = ask(carryOn(once));
    expect(new Set([token(once), token(twice)]).size).toBe(2);
  });
});

describe('writes', () => {
  it('4. of several writes only the head of the queue is listed', () => {
    const hands: Hands = { ends: { T1: [blocked] }, planned: [planned(2, heir('T2', 'T1'))] };
    const run = carryOn(runOf([taskOf('T1')]), hands, (one) => one.plan.version === 2);
    const records = (one: Run) => listed(one).filter((line) => line.startsWith('record'));
    expect([run.writes.length, records(run), records(answer(run, 'record plan'))]).toEqual([2, ['record plan'], ['record gate']]);
  });

  it('5. no planner is asked before `replan required` is recorded', () => {
    const run = carryOn(runOf([taskOf('T1')]), { ends: { T1: [blocked] } }, (one) => one.planning !== null);
    expect([listed(run), listed(answer(run, 'record entry'))]).toEqual([['record entry'], ['planner replan']]);
  });

  // Seed 002 §5.
  it('5. nothing is dispatched while a write waits (R1)', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), {}, (one) => one.ledger.length === 1);
    const looked = answer(run, 'look before T2');
    expect([listed(looked), listed(answer(looked, 'record entry'))]).toEqual([['record entry'], ['dispatch T2#1.1']]);
  });
});

describe('planning beside other work', () => {
  it('6. the processes drain before the planner is asked', () => {
    const failed = written(
      answer(answer(bothFly(), 'dispatch T1#1.1', { ends: { T1: [blocked] } }), 'look after T1', { after: { T1: ['disproved'] } }),
    );
    const drained = carryOn(failed, {}, until('replan'));
    expect([listed(failed), listed(drained), ledgerOf(drained).length]).toEqual([['dispatch T2#1.1'], ['planner replan'], 2]);
  });

  it('6. what is with a person survives it, and must stand in the new plan as it was', () => {
    const tasks = [apart('T1', { performer: 'human' }), apart('T2')];
    const plans = [planned(2, heir('T3', 'T2')), planned(2, heir('T3', 'T2'), tasks[0] as Task)];
    const run = carryOn(sideBySide(tasks), { ends: { T2: [blocked] }, planned: plans }, (one) => one.ledger.length === 2);
    expect([plans.length, run.questions.map((question) => question.task), ledgerOf(run)]).toEqual([
      0,
      ['T1'],
      ['T2 blocked verified (no-key) | required → done 2', 'T3 done verified | holds'],
    ]);
  });

  it('7. an entry that arrives during planning makes the same ask anew, and uses up no refusal', () => {
    const tasks = [apart('T1', { performer: 'human' }), apart('T2')];
    const asked = carryOn(sideBySide(tasks), { ends: { T2: [blocked] } }, until('replan'));
    const attested = told(asked, { name: 'attest', task: 'T1', happened: 'no' });
    const run = carryOn(attested, {}, until('replan'));
    expect([run.planning?.triggers, run.planning?.refusals, run.planning?.move === asked.planning?.move]).toEqual([[1, 2], 0, false]);
  });

  it('8. nothing is promoted during planning, not even a leg whose usage limit is over', () => {
    const tasks = [apart('T1'), apart('T2')];
    const ends = { T1: [{ is: 'limited', until: 3000, why: 'usage limit' } as const], T2: [blocked] };
    const run = carryOn(bothFly(tasks), { ends }, until('replan'));
    expect([run.active.map((attempt) => attempt.stage), listed(run)]).toEqual([['limited'], ['planner replan']]);
  });

  it("9. a person's plan beats a planner in flight: its answer is no longer awaited", () => {
    const asked = carryOn(runOf([taskOf('T1')]), { ends: { T1: [blocked] } }, until('replan'));
    const ask = nextMoves(asked).find(isMove('replan'));
    const reading = told(asked, { name: 'replan', plan: '# PLAN' });
    const given = answer(reading, 'read', { read: planned(2, heir('T2', 'T1')) });
    const late = advance(given, { move: ask?.id ?? '', at: given.clock, is: 'planned', planned: planned(2, heir('T9', 'T1')) });
    expect([listed(reading), given.plan.tasks.map((task) => task.id), late]).toEqual([['read'], ['T2'], given]);
  });

  it('16. a planner who was still to be asked whether the plan holds is not asked once the run is exhausted', () => {
    const run = bothFly([apart('T1'), apart('T2')], { ...POLICY, planner: true });
    const news = written(
      answer(answer(run, 'dispatch T1#1.1', { ends: { T1: [says('done', { deviation: 'by hand' })] } }), 'look after T1'),
    );
    const budget = says('blocked', { blocker: 'budget-tokens' });
    const last = written(answer(answer(news, 'dispatch T2#1.1', { ends: { T2: [budget] } }), 'look after T2'));
    expect([ledgerOf(news), ledgerOf(last), last.planning, listed(last)]).toEqual([
      ['T1 done verified | '],
      ['T1 done verified | holds', 'T2 blocked verified (budget-tokens) | required → exhausted'],
      null,
      ['record report'],
    ]);
  });

  it("17. an impossible replan exhausts only what is required: a done sibling's gate holds", () => {
    const ends = { T1: [says('done', { deviation: 'by hand' })], T2: [blocked] };
    const run = carryOn(bothFly(), { ends, planned: [{ is: 'none', reason: 'no key' }] });
    expect([ledgerOf(run), run.outcome]).toEqual([
      ['T1 done verified | holds', 'T2 blocked verified (no-key) | required → exhausted'],
      'BLOCKED',
    ]);
  });

  it('23. what ends under an older plan, while a newer one has its work already, closes its gate with that plan', () => {
    const flying = carryOn(runOf([taskOf('T1')]), {}, until('dispatch'));
    const taken = taskOf('T2', { states: 'in another way', restates: 'promise of T1', checks: ['run: npm test'] });
    const given = answer(told(flying, { name: 'replan', plan: '# PLAN' }), 'read', { read: planned(2, taken) });
    const run = carryOn(given, { ends: { T1: [blocked] } });
    expect([reply(given), ledgerOf(run), run.outcome]).toEqual([
      'applied: plan version 2, by ana',
      ['T1 blocked verified (no-key) | required → done 2', 'T2 done verified | holds'],
      'COMPLETED',
    ]);
  });
});

describe('people', () => {
  const exhausted = () => carryOn(runOf([taskOf('T1')], { policy: WAITS }), { ends: { T1: [blocked] } });
  const resolve = { id: 'r', name: 'resolve', blocker: 'no-key', resolution: 'yes', check: 'test -s key' } as const;

  it('10. the check of a resolution that answers after another reopening is refused', () => {
    const checking = told(exhausted(), resolve);
    const given = answer(told(checking, { name: 'replan', plan: '# PLAN' }), 'read', {
      read: planned(2, heir('T2', 'T1', { continues: undefined, reopens: 'T1' })),
    });
    const run = answer(given, 'look resolution');
    expect([reply(run), ledgerOf(run)]).toEqual([
      'refused: it was reopened meanwhile',
      ['T1 blocked verified (no-key) | required → exhausted → reopened 2'],
    ]);
  });

  it('11. a message that comes again while it is still pending is one message', () => {
    const once = told(exhausted(), resolve);
    const twice = told(once, resolve);
    expect([twice.handled, listed(twice)]).toEqual([[], listed(once)]);
  });

  it('12. a stop does not drop what a person has just attested', () => {
    const asked = carryOn(runOf([taskOf('T1', { performer: 'human' })]), {}, until('person'));
    const attested = told(asked, { name: 'attest', task: 'T1', happened: 'yes' });
    expect(ledgerOf(carryOn(told(attested, { name: 'stop' })))).toEqual(['T1 done verified | holds']);
  });

  it('13. a stop does not skip the look before closing', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), {}, (one) => one.ledger.length === 2);
    const last = carryOn(told(run, { name: 'stop' }), { sweep: { 'file: out-T1': 'disproved' } });
    expect([last.ledger.length, last.outcome]).toEqual([3, 'PARTIAL']);
  });

  it('24. of two exhausted entries one is reopened: the other stops nothing and keeps the outcome open', () => {
    const both = carryOn(bothFly([apart('T1'), apart('T2')], WAITS), {
      ends: { T1: [blocked], T2: [says('blocked', { blocker: 'no-disk' })] },
    });
    const run = carryOn(told(both, { name: 'resolve', blocker: 'no-disk', resolution: 'it is larger' }), {
      planned: [planned(2, heir('T3', 'T2', { continues: undefined, reopens: 'T2' }))],
    });
    expect([ledgerOf(run), run.outcome]).toEqual([
      [
        'T1 blocked verified (no-key) | required → exhausted',
        'T2 blocked verified (no-disk) | required → exhausted → reopened 2',
        'T3 done verified | holds',
      ],
      'BLOCKED',
    ]);
  });

  it('24. and in the same instant as well: the clock does not decide which came first', () => {
    const run = told(exhausted(), { name: 'resolve', blocker: 'no-key', resolution: 'yes' });
    const next = carryOn(run, {
      planned: [planned(2, heir('T2', 'T1', { continues: undefined, reopens: 'T1' }))],
      ends: { T2: [blocked] },
    });
    const frozen: Run = {
      ...next,
      ledger: next.ledger.map((entry) => ({ ...entry, gates: entry.gates.map((gate) => ({ ...gate, at: 0 })) })),
    };
    expect([isExhausted(next), isExhausted(frozen)]).toEqual([true, true]);
  });

  it('25. a message while the report is written is still applied', () => {
    const closing = carryOn(runOf([taskOf('T1')]), { ends: { T1: [blocked] } }, (one) => one.closing);
    const run = carryOn(told(closing, { name: 'resolve', blocker: 'no-key', resolution: 'yes' }), {
      planned: [planned(2, heir('T2', 'T1', { continues: undefined, reopens: 'T1' }))],
    });
    expect([ledgerOf(run), run.outcome]).toEqual([
      ['T1 blocked verified (no-key) | required → exhausted → reopened 2', 'T2 done verified | holds'],
      'COMPLETED',
    ]);
  });
});

describe('endings', () => {
  it('14. an exhausted run does not close over a dispatched attempt that awaits its second try: it is looked at once more', () => {
    const tasks = [apart('T1'), apart('T2')];
    const flying = bothFly(tasks, { ...POLICY, planner: false });
    const lost = answer(answer(flying, 'dispatch T1#1.1', { ends: { T1: [{ is: 'lost' }] } }), 'dispatch T2#1.1', {
      ends: { T2: [blocked] },
    });
    const judged = answer(lost, 'look after T2', { after: { T2: ['disproved'] } });
    const run = carryOn(judged, { after: { T1: ['disproved'] } });
    expect([ledgerOf(run), run.spent.dispatches]).toEqual([
      ['T2 blocked verified (no-key) | required → exhausted', 'T1 partial verified | required → exhausted'],
      2,
    ]);
  });

  it('15. the first that may go is promoted, not the first that is ready', () => {
    const tasks = [apart('T1'), apart('T2'), apart('T3'), apart('T4', { performer: 'human' })];
    const base = sideBySide(tasks, POLICY, 2);
    const attempt = base.active[0];
    if (attempt === undefined) throw new Error('nothing is under way');
    const of = (task: Task, stage: 'ready' | 'dispatching', leg: number) => ({
      ...attempt,
      task,
      stage,
      leg,
      move: `m-${task.id}`,
      dispatched: leg > 1,
    });
    const active = [
      of(tasks[0] as Task, 'dispatching', 1),
      of(tasks[1] as Task, 'dispatching', 2),
      of(tasks[2] as Task, 'ready', 2),
      of(tasks[3] as Task, 'ready', 1),
    ];
    const run = advance({ ...base, active }, { move: 'nothing', at: 1, is: 'elapsed' });
    expect(run.active.map((one) => `${one.task.id} ${one.stage}`)).toEqual([
      'T1 dispatching',
      'T2 dispatching',
      'T3 ready',
      'T4 handedOver',
    ]);
  });

  // Seed 002 Resuming.
  it('18. the look before closing repeats only checks that held', () => {
    const failed = carryOn(
      runOf([taskOf('T1'), taskOf('T2')]),
      {
        ends: { T1: [says('failed', { blocker: 'a-wall' })] },
        planned: [planned(2, heir('T3', 'T1', { checks: ['file: out-T1', 'run: npm test'] }), taskOf('T2'))],
      },
      (run) => run.sweep !== null,
    );
    const sweep = nextMoves(failed).find(isMove('observe'));
    expect(sweep?.when === 'sweep' && sweep.looks).toEqual([
      { check: 'file: out-T1', seqs: [2] },
      { check: 'run: npm test', seqs: [2] },
    ]);
  });

  it("19. a look that overlaps another's last effect is repeated before closing", () => {
    const flying = bothFly();
    const ended = answer(flying, 'dispatch T1#1.1');
    const overlapping = answer(answer(ended, 'dispatch T2#1.1'), 'look after T1');
    const run = carryOn(answer(overlapping, 'look after T2'), {}, (one) => one.sweep !== null);
    const sweep = nextMoves(run).find(isMove('observe'));
    expect([run.ledger.map((entry) => [entry.task, entry.asOf]), sweep?.when === 'sweep' && sweep.looks]).toEqual([
      [
        ['T1', 1],
        ['T2', 2],
      ],
      [{ check: 'file: out-T1', seqs: [1] }],
    ]);
  });

  it('22. what runs when another exhausts may end, nothing new starts, and exhausted stands', () => {
    const flying = bothFly([apart('T1'), apart('T2'), apart('T3')], { ...POLICY, planner: false });
    const judged = answer(answer(flying, 'dispatch T1#1.1', { ends: { T1: [blocked] } }), 'look after T1', {
      after: { T1: ['disproved'] },
    });
    const run = carryOn(judged);
    expect([ledgerOf(run), run.plan.tasks.map((task) => task.id), run.outcome]).toEqual([
      ['T1 blocked verified (no-key) | required → exhausted', 'T2 done verified | holds'],
      ['T3'],
      'BLOCKED',
    ]);
  });
});
