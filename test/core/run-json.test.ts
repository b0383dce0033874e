import { describe, expect, it } from 'vitest';
import { entryOf } from '../../core/ledger.js';
import { NOTHING_SPENT } from '../../core/limits.js';
import { gateWords, runJson, waitingJson } from '../../core/run-json.js';
import type { GateRecord, Run } from '../../core/values.js';
import { packEntry, unpackEntry } from '../../workflows/packing.js';
import { POLICY, runOf, taskOf } from '../support/run-values.js';
import { carryOn, planned, says, told, until } from '../support/steps.js';

/** The run as users read it: every name and every value of docs/interface.md §7. */
const json = (run: Run) => runJson(run, 'donewhen-demo');

describe('a finished run', () => {
  const run = carryOn(
    runOf([taskOf('T1', { covers: ['AC-002'] })], { input: { criteria: [{ id: 'AC-002', through: null }], noOp: null } }),
    {
      ends: { T1: [says('done', { stateDelta: ['out-T1 exists'], risk: ['it may rot'] })] },
      planned: [{ is: 'holds', reason: 'fine' }],
    },
  );

  it('reads as one document, whole', () => {
    expect(json(run)).toEqual({
      run: 'demo',
      workflowId: 'donewhen-demo',
      method: 'executePlan',
      phase: 'closed',
      outcome: 'COMPLETED',
      plan: { version: 1, goal: 'The files are there.', tasks: [] },
      ledger: [
        {
          seq: 1,
          task: 'T1',
          title: 'Part T1',
          status: 'done',
          planVersion: 1,
          attempt: 1,
          performer: 'mine',
          covers: ['AC-002'],
          stateDelta: ['out-T1 exists'],
          evidence: [{ check: 'file: out-T1', before: 'absent', after: 'there', holds: true, is: 'holds' }],
          words: [],
          verification: 'verified',
          discovered: [],
          unresolved: [],
          risk: ['it may rot'],
          userAction: [],
          deviation: null,
          blocker: null,
          continues: null,
          reopens: null,
          checks: ['file: out-T1'],
          gates: [{ gate: 'plan holds', at: '1970-01-01T00:00:03.000Z' }],
          cost: { usd: null, tokens: null },
          startedAt: '1970-01-01T00:00:00.000Z',
          endedAt: '1970-01-01T00:00:03.000Z',
          sha256: expect.any(String),
        },
      ],
      active: [],
      waiting: [],
      criteria: [{ id: 'AC-002', state: 'satisfied', label: 'verified', by: ['T1'] }],
      dispatches: 1,
      cost: { usd: 0, tokens: 0, unknown: false },
      messages: [],
      found: [],
      paused: null,
      stopped: null,
    });
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(json(run)))).toEqual(json(run));
  });
});

it('an estimated cost stands beside the reported one, and only where there is one', () => {
  const spentInAll = { ...NOTHING_SPENT, tokens: 900, estimatedUsd: 0.5 };
  const entry = entryOf(carryOn(runOf([taskOf('T1')]), { after: { T1: ['holds'] } }).ledger, 'T1');
  const ledger = entry === undefined ? [] : [{ ...entry, cost: { usd: null, tokens: 900, estimatedUsd: 0.5 } }];
  const read = runJson({ ...runOf([taskOf('T1')]), spentInAll, ledger }, 'donewhen-demo');
  expect([read.cost, read.ledger.map(({ cost }) => cost)]).toEqual([
    { usd: 0, tokens: 900, estimatedUsd: 0.5, unknown: false },
    [{ usd: null, tokens: 900, estimatedUsd: 0.5 }],
  ]);
  expect(ledger.map((one) => unpackEntry(packEntry(one)).cost)).toEqual([{ usd: null, tokens: 900, estimatedUsd: 0.5 }]);
});

it('a run that goes on says what is under way', () => {
  const run = carryOn(runOf([taskOf('T1'), taskOf('T2', { dependsOn: ['T1'] })]), {}, until('dispatch'));
  const { phase, outcome, active, plan, criteria } = json(run);
  expect({ phase, outcome, active, tasks: plan.tasks, criteria }).toEqual({
    phase: 'dispatching',
    outcome: null,
    active: [{ task: 'T1', title: 'Part T1', performer: 'mine', stage: 'dispatching', attempt: 1, startedAt: '1970-01-01T00:00:00.000Z' }],
    tasks: [
      { id: 'T1', title: 'Part T1', dependsOn: [], performer: 'mine' },
      { id: 'T2', title: 'Part T2', dependsOn: ['T1'], performer: 'mine' },
    ],
    criteria: [
      { id: 'T1', state: 'open', label: 'unverified', by: [] },
      { id: 'T2', state: 'open', label: 'unverified', by: [] },
    ],
  });
});

it('a usage limit says until when and why', () => {
  const run = carryOn(runOf([taskOf('T1')]), { ends: { T1: [{ is: 'limited', until: 600_000, why: 'usage limit' }] } }, until('wait'));
  expect(json(run).active.map(({ stage, until: end, why }) => ({ stage, end, why }))).toEqual([
    { stage: 'limited', end: '1970-01-01T00:10:00.000Z', why: 'usage limit' },
  ]);
});

it('what waits for a person says what for and how long (G08)', () => {
  const run = carryOn(runOf([taskOf('T1', { performer: 'human', title: 'Open the door' })]), {}, until('person'));
  expect(waitingJson(run)).toEqual([
    {
      kind: 'attest',
      task: 'T1',
      gate: null,
      ask: 'Open the door',
      since: '1970-01-01T00:00:01.000Z',
      until: '1970-01-31T00:00:01.000Z',
    },
  ]);
});

it('a criterion that nothing met is unsatisfied once the run is closed', () => {
  const run = carryOn(told(runOf([taskOf('T1')]), { name: 'stop', reason: 'enough' }));
  expect([json(run).criteria, json(run).stopped]).toEqual([
    [{ id: 'T1', state: 'unsatisfied', label: 'unverified', by: [] }],
    { by: 'ana', reason: 'enough' },
  ]);
});

it('a failure shows its blocker, what continues it and why its gate ended', () => {
  const run = carryOn(runOf([taskOf('T1')], { policy: { ...POLICY, askPlanner: 'mechanical' } }), {
    ends: { T1: [says('failed', { blocker: 'a-wall', deviation: 'by hand' })], T2: [says('failed', { blocker: 'a-wall' })] },
    planned: [planned(2, taskOf('T2', { states: 'promise of T1', checks: ['file: out-T1'], continues: 'T1' }))],
  });
  const lines = json(run).ledger.map(({ task, blocker, continues, deviation, gates, attempt }) => ({
    task,
    blocker,
    continues,
    deviation,
    attempt,
    gates: gates.map(({ gate, note }) => (note === undefined ? gate : `${gate}: ${note}`)),
  }));
  expect(lines).toEqual([
    {
      task: 'T1',
      blocker: 'a-wall',
      continues: null,
      deviation: 'by hand',
      attempt: 1,
      gates: ['replan required', 'replan done (plan version 2)'],
    },
    {
      task: 'T2',
      blocker: 'a-wall',
      continues: 'T1',
      deviation: null,
      attempt: 2,
      gates: ['replan required', 'replan exhausted: a-wall stopped T1 and T2 alike'],
    },
  ]);
});

it('acts by people are shown with their answers', () => {
  const run = told(runOf([taskOf('T1')]), { id: 'click', name: 'resume' });
  expect(json(run).messages).toEqual([
    { id: 'click', name: 'resume', by: 'ana', applied: false, reason: 'it is not paused', at: '1970-01-01T00:00:01.000Z' },
  ]);
});

it('an entry of an earlier execution keeps its names, and its text is in the record', () => {
  const run = carryOn(runOf([taskOf('T1')]));
  const lean: Run = { ...run, ledger: run.ledger.map((entry) => ({ ...entry, text: null })) };
  const { stateDelta, evidence, sha256 } = json(lean).ledger[0] ?? { stateDelta: null, evidence: null };
  expect({ stateDelta, evidence, sha256 }).toEqual({ stateDelta: [], evidence: [], sha256: expect.any(String) });
});

it('a gate has the words of the ledger', () => {
  const gates: GateRecord[] = [
    { is: 'holds', at: 0 },
    { is: 'required', at: 0 },
    { is: 'done', version: 2, at: 0 },
    { is: 'exhausted', blocker: 'x', why: 'y', final: false, at: 0 },
    { is: 'reopened', version: 3, at: 0 },
  ];
  expect(gates.map(gateWords)).toEqual([
    'plan holds',
    'replan required',
    'replan done (plan version 2)',
    'replan exhausted',
    'replan reopened (plan version 3)',
  ]);
});
