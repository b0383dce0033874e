import { describe, expect, it } from 'vitest';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import { advance, nextMoves } from '../../core/run.js';
import type { End, GateRecord, Planned, Policy, Run, Task } from '../../core/values.js';
import { violations } from '../../core/violations.js';
import { POLICY, runOf, seen, taskOf } from '../support/run-values.js';
import {
  carryOn,
  type Hands,
  honest,
  isMove,
  ledgerOf,
  lie,
  listed,
  planned,
  reply,
  says,
  told,
  until,
  written,
} from '../support/steps.js';

const WITHOUT_PLANNER: Policy = { ...POLICY, planner: false };

/** The remainder of a task under a new id, with its promise and its checks. */
function rest(id: string, of: string, more: Partial<Task> = {}): Task {
  return taskOf(id, { states: 'promise of T1', checks: ['file: out-T1'], continues: of, ...more });
}

const wall = (name: string): End => says('blocked', { blocker: name });
const broken = (name: string): End => says('failed', { blocker: name });

describe('a gate moves only along ∅ → holds | required → done | exhausted → reopened (R9)', () => {
  const RECORDS: GateRecord[] = [
    { is: 'holds', at: 1 },
    { is: 'required', at: 1 },
    { is: 'done', version: 2, at: 1 },
    { is: 'exhausted', blocker: 'x', why: 'y', final: false, at: 1 },
    { is: 'reopened', version: 2, at: 1 },
  ];
  /** A ledger without history shows the last record alone, so that each may also stand first. */
  const LEGAL = new Set([
    '',
    'holds',
    'required',
    'done',
    'exhausted',
    'reopened',
    'required done',
    'required exhausted',
    'exhausted reopened',
    'required exhausted reopened',
  ]);

  function paths(length: number): GateRecord[][] {
    if (length === 0) return [[]];
    return paths(length - 1).flatMap((path) => RECORDS.map((record) => [...path, record]));
  }

  const every = [0, 1, 2, 3].flatMap(paths);
  const named = every.map((gates) => ({ gates, path: gates.map((gate) => gate.is).join(' ') }));

  it.each(named.filter(({ path }) => LEGAL.has(path)))('legal: $path', ({ gates }) => {
    expect(orderViolations(gates)).toEqual([]);
  });

  it.each(named.filter(({ path, gates }) => !LEGAL.has(path) && gates.length <= 2))('illegal: $path', ({ gates }) => {
    expect(orderViolations(gates)).toEqual([`R9: the gates of T1 go ${gates.map((gate) => gate.is).join(' → ')}`]);
  });

  // Seed 002 §6.
  it('of all paths of three steps only one is legal', () => {
    const legal = named.filter(({ gates }) => gates.length === 3 && orderViolations(gates).length === 0);
    expect(legal.map(({ path }) => path)).toEqual(['required exhausted reopened']);
  });

  function orderViolations(gates: GateRecord[]): string[] {
    const run = carryOn(runOf([taskOf('T1')]));
    const ledger = run.ledger.map((entry) => ({ ...entry, gates }));
    return violations({ ...run, ledger }).filter((words) => words.startsWith('R9'));
  }
});

describe('every status has exactly one continuation (seed 002 §6)', () => {
  const open = (end: End, more: Partial<Policy> = {}) =>
    carryOn(runOf([taskOf('T1'), taskOf('T2')], { policy: { ...POLICY, ...more } }), { ends: { T1: [end] } }, until('replan'));

  // Seed 002 The loop.
  it('done: the plan holds, the next task follows', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), {}, until('dispatch'));
    const next = carryOn(run, {}, (one) => one.ledger.length === 1 && listed(one).includes('dispatch T2#1.1'));
    expect([ledgerOf(next), listed(next)]).toEqual([['T1 done verified | holds'], ['dispatch T2#1.1']]);
  });

  it('no_op: the plan holds, the next task follows, and nobody was sent', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), { before: { T1: 'holds' } }, until('dispatch'));
    expect([ledgerOf(run), listed(run), run.spent.dispatches]).toEqual([['T1 no_op verified | holds'], ['dispatch T2#1.1'], 1]);
  });

  it.each([
    ['partial', says('partial', { unresolved: ['the rest'] }), 'T1 partial verified | required'],
    ['blocked', wall('a-wall'), 'T1 blocked verified (a-wall) | required'],
    ['failed', broken('a-wall'), 'T1 failed verified (a-wall) | required'],
  ] as const)(
    '%s: a replan is required, recorded before the planner is asked, and nothing is dispatched meanwhile',
    (_status, end, line) => {
      const run = open(end);
      expect([ledgerOf(run), listed(run)]).toEqual([[line], ['planner replan']]);
    },
  );

  // Seed 002 §5.
  it('the planner is asked only when its gate is recorded (R5)', () => {
    const judged = carryOn(runOf([taskOf('T1')]), { ends: { T1: [wall('a-wall')] } }, (one) => one.ledger.length === 1);
    expect([listed(judged), listed(written(judged))]).toEqual([['record entry'], ['planner replan']]);
  });

  // Seed 002 §5.
  it('a new plan is written before its gate says that the replan is done', () => {
    const hands = { ends: { T1: [wall('a-wall')] }, planned: [planned(2, rest('T3', 'T1'), taskOf('T2'))] };
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), hands, (one) => one.plan.version === 2);
    expect([run.writes.map((write) => write.is), ledgerOf(run)]).toEqual([
      ['plan', 'gate'],
      ['T1 blocked verified (a-wall) | required → done 2'],
    ]);
  });

  // Seed 002 §5.
  it('no valid plan: exhausted, and the run closes through the report', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), { ends: { T1: [wall('a-wall')] } });
    expect([ledgerOf(run), run.outcome]).toEqual([['T1 blocked verified (a-wall) | required → exhausted'], 'BLOCKED']);
  });
});

describe('without a planner', () => {
  it.each([
    ['blocked', wall('a-wall'), 'BLOCKED'],
    ['failed', broken('a-wall'), 'FAILED'],
    ['partial', says('partial'), 'FAILED'],
  ] as const)('%s goes to replan exhausted and the run ends %s', (_status, end, outcome) => {
    const run = carryOn(runOf([taskOf('T1')], { policy: WITHOUT_PLANNER }), { ends: { T1: [end] } });
    expect([run.ledger[0]?.gates.map((gate) => gate.is), run.outcome]).toEqual([['required', 'exhausted'], outcome]);
  });

  it('news disturbs nobody', () => {
    const news = says('done', { deviation: 'the TTL is 60 s' });
    const run = carryOn(runOf([taskOf('T1')], { policy: WITHOUT_PLANNER }), { ends: { T1: [news] } });
    expect([ledgerOf(run), run.outcome]).toEqual([['T1 done verified | holds'], 'COMPLETED']);
  });
});

describe('when the planner is asked although the task is done', () => {
  const asked = (end: End, askPlanner: Policy['askPlanner']) => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')], { policy: { ...POLICY, askPlanner } }), { ends: { T1: [end] } }, (one) =>
      listed(one).some((line) => line === 'planner holds?' || line.startsWith('dispatch T2')),
    );
    return listed(run);
  };

  it.each([
    ['mechanical', honest, 'dispatch T2#1.1'],
    ['mechanical', says('done', { deviation: 'another way' }), 'dispatch T2#1.1'],
    ['on-news', honest, 'dispatch T2#1.1'],
    ['on-news', says('done', { deviation: 'another way' }), 'planner holds?'],
    ['on-news', says('done', { unresolved: ['the rest'] }), 'planner holds?'],
    ['always', honest, 'planner holds?'],
  ] as const)('%s: %j', (askPlanner, end, line) => {
    expect(asked(end, askPlanner)).toEqual([line]);
  });

  it('a claim that disagrees with the checks is news', () => {
    const run = carryOn(runOf([taskOf('T1')]), { ends: { T1: [says('failed')] }, after: { T1: ['holds'] } }, until('replan'));
    expect([ledgerOf(run), listed(run)]).toEqual([['T1 done verified | '], ['planner holds?']]);
  });

  it.each([
    ['PLAN HOLDS', { is: 'holds', reason: 'nothing depends on it' }, 'nothing depends on it'],
    [
      'an unreadable answer, the one exception to fail-closed',
      { is: 'unreadable', problems: ['prose'] },
      "the planner's answer was unreadable: prose",
    ],
  ] as [string, Planned, string][])('%s lets the plan hold, noted', (_title, answer, note) => {
    const run = carryOn(runOf([taskOf('T1')], { policy: { ...POLICY, askPlanner: 'always' } }), { planned: [answer] });
    expect(run.ledger[0]?.gates).toEqual([{ is: 'holds', at: expect.any(Number), note }]);
  });

  it('a new plan on news is required and done in one write', () => {
    const hands = { planned: [planned(2, taskOf('T2'), taskOf('T3'))], ends: { T1: [says('done', { deviation: 'another way' })] } };
    expect(ledgerOf(carryOn(runOf([taskOf('T1'), taskOf('T2')]), hands))).toEqual([
      'T1 done verified | required → done 2',
      'T2 done verified | holds',
      'T3 done verified | holds',
    ]);
  });

  it('no valid plan on news exhausts the entry that brought it', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), { ends: { T1: [says('done', { deviation: 'it is a different table' })] } });
    expect([ledgerOf(run), run.outcome]).toEqual([['T1 done verified | required → exhausted'], 'PARTIAL']);
  });

  it('asked for a new plan, PLAN HOLDS is no answer', () => {
    const hold = { is: 'holds', reason: 'fine' } as const;
    const run = carryOn(runOf([taskOf('T1')]), { ends: { T1: [wall('a-wall')] }, planned: [hold, hold, hold] });
    const why = "the planner's plan was refused: the gate requires a new plan; PLAN HOLDS is no answer to that";
    expect(run.ledger[0]?.gates.at(-1)).toEqual({ is: 'exhausted', blocker: 'a-wall', why, final: false, at: expect.any(Number) });
  });
});

describe('a refused plan goes back twice, with its problems', () => {
  it('the third refusal exhausts', () => {
    const bad = planned(1, rest('T2', 'T1'));
    const hands = { ends: { T1: [wall('a-wall')] }, planned: [bad, bad, bad, planned(2, rest('T2', 'T1'))] };
    const run = carryOn(runOf([taskOf('T1')]), hands);
    expect([ledgerOf(run), hands.planned.length]).toEqual([['T1 blocked verified (a-wall) | required → exhausted'], 1]);
  });

  it('a better plan in between is taken', () => {
    const hands = { ends: { T1: [wall('a-wall')] }, planned: [planned(1, rest('T2', 'T1')), planned(2, rest('T2', 'T1'))] };
    expect(ledgerOf(carryOn(runOf([taskOf('T1')]), hands))).toEqual([
      'T1 blocked verified (a-wall) | required → done 2',
      'T2 done verified | holds',
    ]);
  });

  it('the problems stand in what the planner is asked next', () => {
    const run = carryOn(
      runOf([taskOf('T1')]),
      { ends: { T1: [wall('a-wall')] }, planned: [planned(1, rest('T2', 'T1'))] },
      (one) => (one.planning?.refusals ?? 0) > 0,
    );
    expect(run.planning?.problems).toEqual(['Plan version is 1; it must be 2']);
  });
});

describe('the lineage limit counts and compares, whatever anybody says (R7)', () => {
  const three = [planned(2, rest('T2', 'T1')), planned(3, rest('T3', 'T2')), planned(4, rest('T4', 'T3'))];

  // Seed 002 §7.
  it('three attempts at the same work, each with another blocker, are the last', () => {
    const hands = { ends: { T1: [broken('one')], T2: [broken('two')], T3: [broken('three')] }, planned: [...three] };
    const run = carryOn(runOf([taskOf('T1')]), hands);
    expect([ledgerOf(run), run.outcome]).toEqual([
      [
        'T1 failed verified (one) | required → done 2',
        'T2 failed verified (two) | required → done 3',
        'T3 failed verified (three) | required → exhausted',
      ],
      'FAILED',
    ]);
  });

  // Seed 002 §7.
  it('the same blocker twice in a row exhausts at once, and no planner is asked', () => {
    const hands = { ends: { T1: [broken('same-wall')], T2: [broken('same-wall')] }, planned: [...three] };
    const run = carryOn(runOf([taskOf('T1')]), hands);
    expect([ledgerOf(run), hands.planned.length]).toEqual([
      ['T1 failed verified (same-wall) | required → done 2', 'T2 failed verified (same-wall) | required → exhausted'],
      2,
    ]);
  });

  it('three partials without a blocker count as well', () => {
    const hands = { ends: { T1: [says('partial')], T2: [says('partial')], T3: [says('partial')] }, planned: [...three] };
    const run = carryOn(runOf([taskOf('T1')]), hands);
    expect(run.ledger.map((entry) => [entry.task, entry.attempt, entry.gates.at(-1)?.is])).toEqual([
      ['T1', 1, 'done'],
      ['T2', 2, 'done'],
      ['T3', 3, 'exhausted'],
    ]);
  });

  it('three tasks that are done one after the other are no loop (D05)', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2'), taskOf('T3'), taskOf('T4')]));
    expect([ledgerOf(run).length, run.outcome]).toEqual([4, 'COMPLETED']);
  });

  it('the same blocker in two lineages is two obstacles', () => {
    const hands = {
      ends: { T1: [broken('same-wall')], T2: [broken('same-wall')] },
      planned: [
        planned(2, rest('T3', 'T1'), taskOf('T2')),
        planned(3, taskOf('T4', { states: 'promise of T2', checks: ['file: out-T2'], continues: 'T2' })),
      ],
    };
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), hands);
    expect([ledgerOf(run).map((line) => line.split(' | ')[1]), run.outcome]).toEqual([
      ['required → done 2', 'holds', 'required → done 3', 'holds'],
      'COMPLETED',
    ]);
  });

  // Seed 002 §7.
  it('a confirmed reopening starts the count anew', () => {
    const first = carryOn(runOf([taskOf('T1')], { policy: { ...POLICY, onBlocked: 'wait' } }), {
      ends: { T1: [broken('one')], T2: [broken('two')], T3: [broken('three')] },
      planned: [...three.slice(0, 2)],
    });
    const reopened = told(first, { name: 'resolve', blocker: 'three', resolution: 'the disk is larger' });
    const last = carryOn(reopened, {
      ends: { T4: [broken('three')], T5: [broken('five')] },
      planned: [
        planned(4, taskOf('T4', { states: 'promise of T1', checks: ['file: out-T1'], reopens: 'T3' })),
        planned(5, rest('T5', 'T4')),
        planned(6, rest('T6', 'T5')),
      ],
    });
    expect([last.ledger.map((entry) => `${entry.task} ${entry.attempt} ${entry.gates.at(-1)?.is}`), last.outcome]).toEqual([
      ['T1 1 done', 'T2 2 done', 'T3 3 reopened', 'T4 1 done', 'T5 2 done', 'T6 3 holds'],
      'COMPLETED',
    ]);
  });

  it('two tasks that undo each other come to an end: what a sweep found undone belongs to the lineage of what it undoes', () => {
    const mend = (id: string, what: 'T1' | 'T2', of: string) =>
      rest(id, of, { states: `promise of ${what}`, checks: [`file: out-${what}`] });
    const hands: Hands = {
      sweep: { 'file: out-T1': 'disproved', 'file: out-T2': 'disproved' },
      planned: [
        planned(2, mend('T3', 'T1', 'F1')),
        planned(3, mend('T4', 'T2', 'F2')),
        planned(4, mend('T5', 'T1', 'F3')),
        planned(5, mend('T6', 'T2', 'F4')),
      ],
    };
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), hands);
    expect([run.ledger.map((entry) => `${entry.task} ${entry.undoes ?? entry.continues ?? ''}`.trim()), run.outcome]).toEqual([
      ['T1', 'T2', 'F1 T1', 'T3 F1', 'F2 T2', 'T4 F2', 'F3 T3', 'T5 F3', 'F4 T4', 'T6 F4', 'F5 T5'],
      'FAILED',
    ]);
  });
});

describe('a budget that is used up', () => {
  const limited = (more: Partial<Run['limits']>) => ({ limits: { ...LIMITS_DEFAULT, ...more } });

  it('blocks the next task by its name, exhausts without a planner and ends BLOCKED (D02, D11)', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')], limited({ dispatches: 1 })));
    expect([ledgerOf(run), run.outcome, run.spent.dispatches]).toEqual([
      ['T1 done verified | holds', 'T2 blocked verified (budget-dispatches) | required → exhausted'],
      'BLOCKED',
      1,
    ]);
  });

  it('says how much it was and how it is granted once more', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')], limited({ dispatches: 1 })));
    expect(run.ledger[1]?.text?.userAction).toEqual([
      'limits.dispatches: 1 is used up: donewhen resolve demo budget-dispatches --resolution TEXT --by NAME grants it once more',
    ]);
  });

  it('is granted once more by a resolution: the same task under the next id, made by code', () => {
    const first = carryOn(
      runOf([taskOf('T1'), taskOf('T2'), taskOf('T3', { dependsOn: ['T2'] })], {
        ...limited({ dispatches: 1 }),
        policy: { ...POLICY, onBlocked: 'wait' },
      }),
    );
    const granted = told(first, { name: 'resolve', blocker: 'budget-dispatches', resolution: 'one more is fine' });
    expect([reply(granted), granted.plan.version, granted.plan.tasks.map((task) => [task.id, task.reopens, task.dependsOn])]).toEqual([
      'applied: T2 is reopened on the word of ana',
      2,
      [
        ['T4', 'T2', []],
        ['T3', undefined, ['T4']],
      ],
    ]);
  });

  it('is granted alone: another budget keeps its count', () => {
    const first = carryOn(runOf([taskOf('T1'), taskOf('T2')], { ...limited({ dispatches: 1 }), policy: { ...POLICY, onBlocked: 'wait' } }));
    const costly: Run = { ...first, spent: { ...first.spent, usd: 20, tokens: 900, activeMs: 5000 } };
    const granted = told(costly, { name: 'resolve', blocker: 'budget-dispatches', resolution: 'one more is fine' });
    expect({ ...granted.spent, activeMs: 0 }).toEqual({ dispatches: 0, usd: 20, tokens: 900, unknown: false, activeMs: 0 });
  });

  it('makes a task of the same terms: what may not be repeated still may not', () => {
    const careful = taskOf('T2', { repeatable: false, timeoutMs: 60_000, writes: ['src/**'] });
    const first = carryOn(runOf([taskOf('T1'), careful], { ...limited({ dispatches: 1 }), policy: { ...POLICY, onBlocked: 'wait' } }));
    const granted = told(first, { name: 'resolve', blocker: 'budget-dispatches', resolution: 'one more is fine' });
    expect(granted.plan.tasks).toEqual([{ ...careful, id: 'T3', reopens: 'T2' }]);
  });

  it.each([
    ['cost', { costUsd: 1 }, { usd: 1, tokens: null }],
    ['tokens', { tokens: 500 }, { usd: null, tokens: 500 }],
  ] as const)('of %s counts what agents say they cost (D12)', (name, limits, cost) => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')], limited(limits)), {}, until('dispatch'));
    const spent: Run = { ...run, spent: { ...run.spent, usd: cost.usd ?? 0, tokens: cost.tokens ?? 0 } };
    expect(carryOn(spent).ledger.map((entry) => entry.blocker)).toEqual([undefined, `budget-${name}`]);
  });

  it('of hours counts the time in which the run worked', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')], limited({ runHours: 0.0005 })));
    expect(run.ledger.map((entry) => entry.blocker)).toEqual([undefined, 'budget-hours']);
  });

  it('does not hold up a second try after a loss, which is the same attempt', () => {
    const run = carryOn(runOf([taskOf('T1')], limited({ dispatches: 1 })), { ends: { T1: [{ is: 'lost' }, lie] } });
    expect([ledgerOf(run), run.spent.dispatches]).toEqual([['T1 done verified | holds'], 2]);
  });
});

describe('an exhausted run', () => {
  it('starts nothing new, and what holds still holds', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2'), taskOf('T3')], { policy: WITHOUT_PLANNER }), {
      ends: { T2: [broken('a-wall')] },
    });
    expect([ledgerOf(run), run.plan.tasks.map((task) => task.id)]).toEqual([
      ['T1 done verified | holds', 'T2 failed verified (a-wall) | required → exhausted'],
      ['T3'],
    ]);
  });

  // Seed 002 Escalation.
  it('waits for a person where people.onBlocked says so, and says for what (G14)', () => {
    const hands = { ends: { T1: [says('blocked', { blocker: 'no-key', userAction: ['put a key'] })] } };
    const run = carryOn(runOf([taskOf('T1')], { policy: { ...WITHOUT_PLANNER, onBlocked: 'wait' } }), hands);
    expect([listed(run), run.questions[0]?.ask, run.outcome]).toEqual([['resolve T1', 'wait'], 'no-key stopped T1: put a key', null]);
  });

  it('closes when the wait is over: no answer is no yes (R11)', () => {
    const waiting = carryOn(runOf([taskOf('T1')], { policy: { ...WITHOUT_PLANNER, onBlocked: 'wait' } }), {
      ends: { T1: [wall('no-key')] },
    });
    const wait = nextMoves(waiting).find(isMove('wait'));
    const over = advance(waiting, { move: wait?.id ?? '', at: wait?.until ?? 0, is: 'elapsed' });
    expect([listed(over), carryOn(over).outcome]).toEqual([['record report'], 'BLOCKED']);
  });
});

it('a discovery is news with its label, confirmed or not (R10)', () => {
  const fact = { label: 'reported, unconfirmed', fact: 'the moon table has 7 rows' } as const;
  const looking = carryOn(runOf([taskOf('T1')]), {}, until('observe', 'after'));
  const move = nextMoves(looking).find(isMove('observe'));
  const observation = { ...seen(['file: out-T1'], 'holds'), discovered: [fact] };
  const run = advance(looking, { move: move?.id ?? '', at: looking.clock, is: 'observed', observation });
  expect([run.ledger[0]?.news, run.ledger[0]?.text?.discovered, listed(written(run))]).toEqual([
    ['[reported, unconfirmed] the moon table has 7 rows'],
    [fact],
    ['planner holds?'],
  ]);
});
