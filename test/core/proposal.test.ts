import { describe, expect, it } from 'vitest';
import { aboutOf } from '../../core/methods/execute-plan.js';
import { proposalProblems } from '../../core/methods/proposal.js';
import type { Json, Redefined, Run, Task } from '../../core/values.js';
import { POLICY, runOf, taskOf } from '../support/run-values.js';
import { carryOn, ledgerOf, planned, reply, says, told, until } from '../support/steps.js';

/** R19 and the replan rules: what a plan version may be. Every refusal says what to write instead. */
interface Proposed {
  version?: number;
  by?: 'planner' | 'person';
  noOp?: boolean;
  reopening?: string[];
  because?: string;
  redefined?: Redefined[];
}

function problems(run: Run, tasks: Task[], more: Proposed = {}): string[] {
  const { version = run.plan.version + 1, by = 'planner', noOp = false, reopening = [], because = 'T1 failed', redefined = [] } = more;
  return proposalProblems(run, aboutOf(run), { is: 'proposal', version, tasks, noOp, because, redefined, by, reopening });
}

/** T1 is failed and the planner is asked; T2 is still to be done. */
function afterFailure(more: { tasks?: Task[]; about?: Json } = {}): Run {
  const tasks = more.tasks ?? [taskOf('T1'), taskOf('T2')];
  const run = runOf(tasks, { input: more.about ?? { criteria: null, noOp: null } });
  return carryOn(run, { ends: { T1: [says('failed', { blocker: 'a-wall' })] } }, until('replan'));
}

/** What continues T1: its promise, its check. */
const t3 = (more: Partial<Task> = {}) => taskOf('T3', { states: 'promise of T1', checks: ['file: out-T1'], continues: 'T1', ...more });
const t2 = (more: Partial<Task> = {}) => taskOf('T2', more);

describe('a plan that is taken', () => {
  it('continues what is unfinished and keeps what is still to be done', () => {
    expect(problems(afterFailure(), [t3(), t2()])).toEqual([]);
  });

  it('may state the remainder in other words, where it says what it restates', () => {
    expect(problems(afterFailure(), [t3({ states: 'the rest of it', restates: 'promise of T1' }), t2()])).toEqual([]);
  });

  it('may split the remainder in two, and its checks with it', () => {
    const run = afterFailure({ tasks: [taskOf('T1', { checks: ['file: a', 'file: b'] }), taskOf('T2')] });
    const first = taskOf('T3', { states: 'the first half', restates: 'promise of T1', checks: ['file: a'], continues: 'T1' });
    const second = taskOf('T4', { states: 'the second half', restates: 'promise of T1', checks: ['file: b'], continues: 'T1' });
    expect(problems(run, [first, second, t2()])).toEqual([]);
  });

  it('may split a task that is still to be done', () => {
    const first = taskOf('T4', { states: 'half of it', restates: 'promise of T2', checks: ['file: out-T2'] });
    const second = taskOf('T5', {
      states: 'the other half',
      restates: 'promise of T2',
      checks: ['file: out-T2', 'file: more'],
      dependsOn: ['T4'],
    });
    expect(problems(afterFailure(), [t3(), first, second])).toEqual([]);
  });

  it('may split what was split before, as long as the first words stay', () => {
    const half = taskOf('T2', { states: 'half of it', restates: 'all of it' });
    const quarter = (id: string, restates: string) => taskOf(id, { states: `a part, ${id}`, restates, checks: ['file: out-T2'] });
    const run = afterFailure({ tasks: [taskOf('T1'), half] });
    expect(problems(run, [t3(), quarter('T4', 'all of it'), quarter('T5', 'all of it')])).toEqual([]);
    expect(problems(run, [t3(), quarter('T4', 'half of it'), quarter('T5', 'half of it')])).toEqual([
      'T2 would be covered by nothing: what was promised must stay promised, in the same words or with Restates',
    ]);
  });

  it('may add a check, a task and a dependency on what is done', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2'), taskOf('T9')]), { ends: { T2: [says('partial')] } }, until('replan'));
    const rest = taskOf('T3', { states: 'promise of T2', checks: ['file: out-T2', 'run: npm test'], continues: 'T2', dependsOn: ['T1'] });
    expect(problems(run, [rest, taskOf('T9'), taskOf('T4')])).toEqual([]);
  });

  it('leaves what is done to the ledger', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), { ends: { T2: [says('partial')] } }, until('replan'));
    expect(problems(run, [taskOf('T3', { states: 'promise of T2', checks: ['file: out-T2'], continues: 'T2' })])).toEqual([]);
  });
});

describe('a version', () => {
  it.each([0, 1, 3])('%i after version 1 is refused', (version) => {
    expect(problems(afterFailure(), [t3(), t2()], { version })).toEqual([`Plan version is ${version}; it must be 2`]);
  });

  it('by a planner says why the plan changes', () => {
    expect(problems(afterFailure(), [t3(), t2()], { because: ' ' })).toEqual([
      'Replanned because: is missing; say in one sentence why the plan changes',
    ]);
    expect(
      problems(afterFailure(), [taskOf('T3', { states: 'promise of T1', continues: 'T1' }), t2()], { because: '', by: 'person' }),
    ).toEqual([]);
  });

  it('that declares the goal met after a ledger entry is refused', () => {
    expect(problems(afterFailure(), [], { noOp: true })).toEqual([
      'Status: no-op cannot follow a ledger entry; plan what is left',
      'T1 would stay unfinished: a task must say Continues: T1',
      'T2 would be covered by nothing: what was promised must stay promised, in the same words or with Restates',
      'the check of T1 must stand in the tasks that continue it word for word: file: out-T1',
      'the check of T2 must stand in the tasks that continue it word for word: file: out-T2',
    ]);
  });
});

describe('an id (R2)', () => {
  // Seed 002 §1.
  it('with a ledger entry is never used again', () => {
    expect(problems(afterFailure(), [t3(), t2(), taskOf('T1', { continues: 'T1' })])).toEqual([
      'T1 has a ledger entry; use a new id and say what it continues',
    ]);
  });

  it('stands once', () => {
    expect(problems(afterFailure(), [t3(), t2(), t2()])).toEqual(['T2 stands twice; every task needs an id of its own']);
  });

  // Seed 002 Anti-patterns.
  it('is bound to its promise', () => {
    const other = taskOf('T2', { states: 'something easier', restates: 'promise of T2' });
    expect(problems(afterFailure(), [t3(), other])).toEqual(['T2 now promises something else; a new promise needs a new id']);
  });
});

describe('an id of an earlier plan version', () => {
  /** Version 2 planned T2 away into T4, and T4 failed. */
  const second = () => {
    const t4 = taskOf('T4', { states: 'promise of T2', checks: ['file: out-T2'] });
    const ends = { T1: [says('failed', { blocker: 'a' })], T3: [says('failed', { blocker: 'b' })] };
    return carryOn(
      runOf([taskOf('T1'), taskOf('T2')]),
      { ends, planned: [planned(2, t3(), t4)] },
      (run) => run.planning !== null && run.plan.version === 2,
    );
  };
  const heirs = [
    taskOf('T5', { states: 'promise of T1', checks: ['file: out-T1'], continues: 'T3' }),
    taskOf('T4', { states: 'promise of T2', checks: ['file: out-T2'] }),
  ];

  it('is kept, although neither plan nor ledger has it any more', () => {
    expect(second().retired).toEqual([{ id: 'T2', states: 'promise of T2' }]);
  });

  it('never names another promise', () => {
    expect(problems(second(), [...heirs, taskOf('T2', { states: 'something new' })])).toEqual([
      'T2 now promises something else; a new promise needs a new id',
    ]);
  });

  it('may come back for the promise that it had', () => {
    expect(problems(second(), [...heirs, taskOf('T2')])).toEqual([]);
  });
});

describe('a dependency (J02, J05)', () => {
  it('on what failed is refused', () => {
    expect(problems(afterFailure(), [t3(), t2({ dependsOn: ['T1'] })])).toEqual([
      'T2 depends on T1, which is failed; depend on what continues it',
    ]);
  });

  it('on what nobody knows is refused', () => {
    expect(problems(afterFailure(), [t3(), t2({ dependsOn: ['T7'] })])).toEqual([
      'T2 depends on T7, which neither the plan nor the ledger has',
    ]);
  });

  it('in a circle is refused, and every task that cannot start is named', () => {
    const circle = [t3({ dependsOn: ['T4'] }), taskOf('T4', { dependsOn: ['T3'] }), t2({ dependsOn: ['T4'] })];
    expect(problems(afterFailure(), circle)).toEqual(['T3, T4, T2 depend on each other in a circle']);
  });

  it('on itself is a circle', () => {
    expect(problems(afterFailure(), [t3({ dependsOn: ['T3'] }), t2()])).toEqual(['T3 depend on each other in a circle']);
  });
});

describe('Continues and Reopens (R7)', () => {
  it('name what has an entry', () => {
    expect(problems(afterFailure(), [t3(), t2({ continues: 'T8' })])).toEqual(['T2: Continues names T8, which has no ledger entry']);
  });

  it('never name what is done: only unfinished work is continued', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), { ends: { T2: [says('partial')] } }, until('replan'));
    const rest = taskOf('T3', { states: 'promise of T2', checks: ['file: out-T2'], continues: 'T2' });
    expect(problems(run, [rest, taskOf('T4', { continues: 'T1' })])).toEqual([
      'T4: Continues names T1, which is done; only unfinished work is continued',
    ]);
  });

  // Seed 002 §7.
  it('Reopens without a reopening is refused: it would start the count anew', () => {
    const sly = taskOf('T3', { states: 'promise of T1', checks: ['file: out-T1'], reopens: 'T1' });
    expect(problems(afterFailure(), [sly, t2()])).toEqual(['T3: nothing reopened T1; write Continues: T1']);
  });

  it('taking up unfinished work without naming it is refused: it would start the count anew', () => {
    const sly = [t3({ continues: undefined }), taskOf('T4', { restates: 'promise of T1', checks: ['file: out-T1'] })];
    expect(sly.map((task) => problems(afterFailure(), [task, t2()]))).toEqual([
      ['T3 takes up what T1 left, and must say Continues: T1'],
      ['T4 takes up what T1 left, and must say Continues: T1'],
    ]);
  });

  it('and so is taking it up once more beside a task that names it: each of two would have three attempts', () => {
    const beside = taskOf('T4', { states: 'promise of T1', checks: ['file: out-T1'] });
    const reworded = taskOf('T5', { states: 'the same in other words', restates: 'promise of T1', checks: ['file: out-T1'] });
    expect(problems(afterFailure(), [t3(), beside, reworded, t2()])).toEqual([
      'T4 takes up what T1 left, and must say Continues: T1',
      'T5 takes up what T1 left, and must say Continues: T1',
    ]);
  });

  it('but a task that stood in the plan with the same words goes on by itself', () => {
    const twin = taskOf('T2', { states: 'promise of T1' });
    expect(problems(afterFailure({ tasks: [taskOf('T1'), twin] }), [t3(), twin])).toEqual([]);
  });

  it('naming an older one of the line is refused: it has fewer attempts behind it', () => {
    const hands = {
      ends: { T1: [says('failed', { blocker: 'a' })], T3: [says('failed', { blocker: 'b' })] },
      planned: [planned(2, t3(), t2())],
    };
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), hands, (one) => one.planning !== null && one.plan.version === 2);
    const heir = (continues: string) => taskOf('T4', { states: 'promise of T1', checks: ['file: out-T1'], continues });
    expect(problems(run, [heir('T1'), t2()])).toEqual(['T4: Continues names T1, whose work went on as T3; name T3']);
    expect(problems(run, [heir('T3'), t2()])).toEqual([]);
  });

  it('what was reopened is not continued, also where the plan that reopened it did not take it up', () => {
    const hands = { ends: { T1: [says('failed', { blocker: 'a' })] } };
    const waits = { ...POLICY, onBlocked: 'wait' } as const;
    const exhausted = carryOn(runOf([taskOf('T1'), taskOf('T2')], { policy: waits }), hands, (one) => one.questions.length > 0);
    const elsewhere = planned(2, taskOf('T3', { states: 'promise of T1' }), t2());
    const ends = { T3: [says('failed', { blocker: 'b' })] };
    const run = carryOn(told(exhausted, { name: 'replan', plan: '# PLAN' }), { read: elsewhere, ends }, until('replan'));
    const heir = (more: Partial<Task>) => taskOf('T4', { states: 'promise of T1', checks: ['file: out-T1', 'file: out-T3'], ...more });
    expect(ledgerOf(run)[0]).toBe('T1 failed verified (a) | required → exhausted → reopened 2');
    expect(problems(run, [heir({ continues: 'T1' }), t2()])).toEqual(['T4: T1 is reopened; write Reopens: T1 instead of Continues']);
    expect(problems(run, [heir({ continues: 'T3' }), t2()])).toEqual([]);
  });

  // Seed 002 §7.
  it('a planner that never names what it goes on with comes to an end all the same', () => {
    const sly = (version: number) => planned(version, t3({ continues: undefined }));
    const hands = { ends: { T1: [says('failed', { blocker: 'a-wall' })] }, planned: [sly(2), sly(2), sly(2)] };
    const run = carryOn(runOf([taskOf('T1')]), hands);
    expect([ledgerOf(run), run.outcome]).toEqual([['T1 failed verified (a-wall) | required → exhausted'], 'FAILED']);
  });

  // Seed 002 §7.
  it('after a confirmed reopening it is Reopens, not Continues', () => {
    const exhausted = carryOn(runOf([taskOf('T1')], { policy: { ...POLICY, onBlocked: 'wait' } }), {
      ends: { T1: [says('blocked', { blocker: 'no-key' })] },
    });
    const run = told(exhausted, { name: 'resolve', blocker: 'no-key', resolution: 'the key is there' });
    const reopens = taskOf('T2', { states: 'promise of T1', checks: ['file: out-T1'], reopens: 'T1' });
    const continues = taskOf('T2', { states: 'promise of T1', checks: ['file: out-T1'], continues: 'T1' });
    expect([reopens, continues].map((task) => problems(run, [task], { reopening: ['T1'] }))).toEqual([
      [],
      ['T2: T1 is exhausted; write Reopens: T1 instead of Continues'],
    ]);
  });
});

describe('what was promised stays promised (R19)', () => {
  // Seed 002 Escalation.
  it('a softer promise in its place is refused', () => {
    const run = afterFailure();
    expect(problems(run, [t3({ states: 'somebody tried' }), t2()])).toEqual([
      'T1 would be covered by nothing: what was promised must stay promised, in the same words or with Restates',
    ]);
  });

  it('unfinished work that nothing takes up is refused', () => {
    expect(problems(afterFailure(), [t2()])).toEqual([
      'T1 would stay unfinished: a task must say Continues: T1',
      'the check of T1 must stand in the tasks that continue it word for word: file: out-T1',
    ]);
  });

  it('a planner neither drops the Spec nor rewrites the goal; a person may', () => {
    const redefined: Redefined[] = [
      { field: 'Spec', was: './SPEC.md' },
      { field: 'Goal', was: 'The files are there.' },
    ];
    expect(problems(afterFailure(), [t3(), t2()], { redefined })).toEqual([
      'Spec: is not as it was; only a person changes it, so write Spec: ./SPEC.md',
      'Goal: is not as it was; only a person changes it, so write Goal: The files are there.',
    ]);
    expect(problems(afterFailure(), [t3(), t2()], { redefined, by: 'person' })).toEqual([]);
  });

  // Seed 002 Escalation.
  it('a task that is dropped before it was begun is refused', () => {
    expect(problems(afterFailure(), [t3()])).toEqual([
      'T2 would be covered by nothing: what was promised must stay promised, in the same words or with Restates',
      'the check of T2 must stand in the tasks that continue it word for word: file: out-T2',
    ]);
  });
});

describe('with a SPEC, criteria are what must stay covered', () => {
  const about: Json = {
    criteria: [
      { id: 'AC-001', through: null },
      { id: 'AC-002', through: null },
      { id: 'FR-001', through: ['AC-001', 'AC-002'] },
    ],
    noOp: null,
  };
  const tasks = [taskOf('T1', { covers: ['AC-001'] }), taskOf('T2', { covers: ['AC-002'] })];

  it('a new way in other words is taken, where it continues the task, covers the criterion and keeps its checks', () => {
    const way = taskOf('T3', { states: 'done in another way', covers: ['AC-001'], checks: ['file: out-T1'], continues: 'T1' });
    expect(problems(afterFailure({ tasks, about }), [way, tasks[1] as Task])).toEqual([]);
  });

  it('a criterion that nothing covers any more is refused, and with it the FR that it stands for', () => {
    const way = taskOf('T3', {
      states: 'done in another way',
      covers: ['AC-001'],
      checks: ['file: out-T1', 'file: out-T2'],
      continues: 'T1',
    });
    expect(problems(afterFailure({ tasks, about }), [way])).toEqual([
      'AC-002 would be covered by nothing: what was promised must stay promised, in the same words or with Restates',
      'the check of T2 must stand in the tasks that continue it word for word: file: out-T2',
    ]);
  });

  it('a criterion whose failed task nothing continues is refused, with every FR that it stands for', () => {
    const other = taskOf('T3', { states: 'done in another way', covers: ['AC-001'], checks: ['file: out-T1'] });
    expect(problems(afterFailure({ tasks, about }), [other, tasks[1] as Task])).toEqual([
      'AC-001 would stay unfinished: a task must say Continues: T1',
      'FR-001 would stay unfinished: a task must say Continues: T1',
    ]);
  });
});

describe('a planner never writes evidence', () => {
  it.each([
    ['replaces a check', ['run: true']],
    ['drops every check', []],
    ['softens a check', ['file: out-T1 contains "x"']],
  ])('a plan that %s is refused', (_title, checks) => {
    expect(problems(afterFailure(), [t3({ checks }), t2()])).toEqual(['the check of T1 must stand in T3 word for word: file: out-T1']);
  });

  it('a check of a task that is still to be done stands as well', () => {
    expect(problems(afterFailure(), [t3(), t2({ checks: ['run: true'] })])).toEqual([
      'the check of T2 must stand in T2 word for word: file: out-T2',
    ]);
  });

  it('a compiled check binds like a written one', () => {
    const run = afterFailure();
    const ledger = run.ledger.map((entry) => ({ ...entry, checks: [...entry.checks, 'run: npm run compiled'] }));
    expect(problems({ ...run, ledger }, [t3(), t2()])).toEqual(['the check of T1 must stand in T3 word for word: run: npm run compiled']);
  });

  it('a person may change a check', () => {
    expect(problems(afterFailure(), [t3({ checks: ['run: npm test'] }), t2({ checks: [] })], { by: 'person' })).toEqual([]);
  });

  it('a person may not give up a promise either', () => {
    expect(problems(afterFailure(), [t3()], { by: 'person' })).toEqual([
      'T2 would be covered by nothing: what was promised must stay promised, in the same words or with Restates',
    ]);
  });
});

describe('what is under way stands unchanged', () => {
  const handed = () => {
    const tasks = [taskOf('T1', { performer: 'human', writes: [] }), taskOf('T2', { writes: [] })];
    const run = runOf(tasks, { limits: { ...runOf([]).limits, parallel: 2 } });
    return carryOn(run, { ends: { T2: [says('failed', { blocker: 'a-wall' })] } }, until('replan'));
  };
  const rest = taskOf('T3', { states: 'promise of T2', checks: ['file: out-T2'], continues: 'T2' });

  it('a handed-over task that stands as it was is kept', () => {
    expect(problems(handed(), [taskOf('T1', { performer: 'human', writes: [] }), rest])).toEqual([]);
  });

  it.each([
    ['is left out', []],
    ['has other checks', [taskOf('T1', { checks: ['file: out-T1', 'human: is it nice?'] })]],
  ])('a handed-over task that %s is refused, for it is with a person (G13)', (_title, tasks) => {
    expect(problems(handed(), [...tasks, rest], { by: 'person' })).toContain('T1 is under way; it must stand unchanged in the new plan');
  });
});

describe('two exhausted entries, one of them reopened', () => {
  const both = () => {
    const run = runOf([taskOf('T1', { writes: [] }), taskOf('T2', { writes: [] })], {
      limits: { ...runOf([]).limits, parallel: 2 },
      policy: { ...POLICY, onBlocked: 'wait' },
    });
    const ends = { T1: [says('blocked', { blocker: 'no-key' })], T2: [says('blocked', { blocker: 'no-disk' })] };
    return told(carryOn(run, { ends }), { name: 'resolve', blocker: 'no-disk', resolution: 'it is larger' });
  };
  const reopens = taskOf('T3', { states: 'promise of T2', checks: ['file: out-T2'], reopens: 'T2' });

  it('the other one need not be planned', () => {
    expect(problems(both(), [reopens], { reopening: ['T2'] })).toEqual([]);
  });

  it('and may not: nothing reopened it', () => {
    const more = taskOf('T4', { states: 'promise of T1', checks: ['file: out-T1'], continues: 'T1' });
    expect(problems(both(), [reopens, more], { reopening: ['T2'] })).toEqual([
      'T4: T1 is exhausted and nothing reopened it; plan without it',
    ]);
  });

  it('and not without naming it either', () => {
    const more = taskOf('T4', { states: 'promise of T1', checks: ['file: out-T1'] });
    expect(problems(both(), [reopens, more], { reopening: ['T2'] })).toEqual([
      'T4 takes up what T1 left, which is exhausted and nothing reopened it; plan without it',
    ]);
  });

  it('the run goes on with the one and keeps the other open', () => {
    const run = carryOn(
      both(),
      { planned: [planned(2, reopens)] },
      (one) => one.questions.some((question) => question.kind === 'resolve') || one.outcome !== null,
    );
    expect([ledgerOf(run), run.outcome]).toEqual([
      [
        'T1 blocked verified (no-key) | required → exhausted',
        'T2 blocked verified (no-disk) | required → exhausted → reopened 2',
        'T3 done verified | holds',
      ],
      'BLOCKED',
    ]);
  });
});

describe("a person's plan", () => {
  const given = (run: Run, ...tasks: Task[]) =>
    carryOn(told(run, { name: 'replan', plan: '# PLAN' }), { read: planned(2, ...tasks) }, (one) => one.proposed === null);

  it('is read by code and taken, with who gave it', () => {
    const run = given(afterFailure(), t3({ checks: ['run: npm test'] }), t2());
    expect([reply(run), run.plan.version, run.plan.because, run.planning]).toEqual([
      'applied: plan version 2, by ana',
      2,
      'it went wrong (by ana)',
      null,
    ]);
  });

  it('is refused with every problem, and the run goes on with the old one', () => {
    const run = given(afterFailure(), t3());
    expect([reply(run), run.plan.version]).toEqual([
      'refused: T2 would be covered by nothing: what was promised must stay promised, in the same words or with Restates',
      1,
    ]);
  });

  it('reopens what is exhausted and what it takes up', () => {
    const exhausted = carryOn(runOf([taskOf('T1')], { policy: { ...POLICY, onBlocked: 'wait' } }), {
      ends: { T1: [says('blocked', { blocker: 'no-key' })] },
    });
    const run = carryOn(given(exhausted, t3({ continues: undefined })));
    expect([ledgerOf(run), run.outcome]).toEqual([
      ['T1 blocked verified (no-key) | required → exhausted → reopened 2', 'T3 done verified | holds'],
      'COMPLETED',
    ]);
  });

  it('goes on where the planner saw no valid plan on the news of a done task', () => {
    const news = carryOn(runOf([taskOf('T1'), taskOf('T2')], { policy: { ...POLICY, onBlocked: 'wait' } }), {
      ends: { T1: [says('done', { deviation: 'it is a different table' })] },
    });
    const run = carryOn(given(news, t2()));
    expect([ledgerOf(news), ledgerOf(run), run.outcome]).toEqual([
      ['T1 done verified | required → exhausted'],
      ['T1 done verified | required → exhausted → reopened 2', 'T2 done verified | holds'],
      'COMPLETED',
    ]);
  });

  it('that continues an exhausted lineage is told to reopen it', () => {
    const exhausted = carryOn(runOf([taskOf('T1')], { policy: { ...POLICY, onBlocked: 'wait' } }), {
      ends: { T1: [says('blocked', { blocker: 'no-key' })] },
    });
    expect(reply(given(exhausted, t3()))).toBe('refused: T3: T1 is exhausted; write Reopens: T1 instead of Continues');
  });

  it('beats a planner that is being asked', () => {
    const asked = afterFailure();
    const run = given(asked, t3(), t2());
    expect([ledgerOf(run), run.planning, run.active.map((attempt) => attempt.task.id)]).toEqual([
      ['T1 failed verified (a-wall) | required → done 2'],
      null,
      ['T3'],
    ]);
  });
});
