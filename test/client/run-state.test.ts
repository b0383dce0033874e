import { expect, it } from 'vitest';
import { readRunState } from '../../client/run-state.js';
import { entryDocument, runDocument, taskDocument } from './support/run-documents.js';

it('reads a run as its workflow answers it', () => {
  const document = runDocument({
    ledger: [entryDocument(1, 'T1')],
    plan: { version: 1, goal: 'g', tasks: [taskDocument('T2')] },
    active: [
      {
        task: 'T2',
        title: 'Part T2',
        performer: 'mine',
        stage: 'limited',
        startedAt: '2026-12-01T08:00:00.000Z',
        until: '2026-12-01T10:00:00.000Z',
        why: 'usage limit reached',
      },
    ],
    waiting: [{ kind: 'resolve', task: null, gate: 'T1', ask: 'x?', since: '2026-12-01T08:00:00.000Z', until: '2026-12-31T08:00:00.000Z' }],
    criteria: [{ id: 'AC-001', state: 'open', label: 'unverified', by: [] }],
    stopped: { by: 'ana', reason: 'lunch' },
    found: ['PLAN.found-1.md'],
  });
  expect(readRunState(document)).toEqual({
    run: 'demo',
    workflowId: 'donewhen-demo',
    phase: 'dispatching',
    outcome: null,
    plan: { version: 1, goal: 'g', tasks: [{ id: 'T2', title: 'Part T2', dependsOn: [], performer: 'mine' }] },
    ledger: [
      {
        seq: 1,
        task: 'T1',
        title: 'Part T1',
        status: 'done',
        verification: 'verified',
        planVersion: 1,
        performer: 'mine',
        evidence: [{ check: 'file: out-T1', before: 'absent', after: 'there, 5 bytes', holds: true }],
        checks: ['file: out-T1'],
        unresolved: [],
        risk: [],
        userAction: [],
        blocker: null,
        continues: null,
        reopens: null,
        gates: ['plan holds'],
        gateBlocker: null,
        gateNote: null,
        verdict: null,
        startedAt: '2026-12-01T08:58:00.000Z',
        endedAt: '2026-12-01T08:59:30.000Z',
      },
    ],
    active: [
      {
        task: 'T2',
        performer: 'mine',
        stage: 'limited',
        attempt: 1,
        startedAt: '2026-12-01T08:00:00.000Z',
        until: '2026-12-01T10:00:00.000Z',
        why: 'usage limit reached',
      },
    ],
    waiting: [{ kind: 'resolve', task: null, gate: 'T1', ask: 'x?', since: '2026-12-01T08:00:00.000Z' }],
    planner: null,
    criteria: [{ id: 'AC-001', state: 'open', label: 'unverified', by: [] }],
    dispatches: 0,
    cost: { usd: 0, tokens: 0, estimatedUsd: null, unknown: false },
    stopped: { by: 'ana', reason: 'lunch' },
    paused: null,
    found: ['PLAN.found-1.md'],
  });
});

it('a run whose plan is still being read is a run', () => {
  expect(readRunState({ run: 'demo', phase: 'checking', outcome: null })).toMatchObject({
    run: 'demo',
    phase: 'checking',
    outcome: null,
    ledger: [],
    plan: { version: 0, tasks: [] },
  });
});

it('a cost that nobody told is unknown, not zero', () => {
  expect(readRunState({ run: 'demo', phase: 'checking' })?.cost).toEqual({ usd: null, tokens: null, estimatedUsd: null, unknown: true });
});

it('an unknown outcome is none', () => {
  expect(readRunState(runDocument({ outcome: 'SHIPPED' }))?.outcome).toEqual(null);
});

it.each([null, undefined, 'demo', [], {}, { run: 'demo' }, { phase: 'closed' }])('%o is no run', (value) => {
  expect(readRunState(value)).toEqual(null);
});

it('a document of the wrong types is read as far as it can be', () => {
  const state = readRunState({
    run: 'demo',
    phase: 'closed',
    ledger: [null, 3, { task: 7 }],
    waiting: 'x',
    criteria: {},
    active: [{}],
    stopped: 'no',
  });
  expect(state).toMatchObject({ ledger: [{ task: '', status: '' }], waiting: [], criteria: [], active: [{ stage: '' }], stopped: null });
});
