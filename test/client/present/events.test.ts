import { expect, it } from 'vitest';
import { eventsBetween } from '../../../client/present/events.js';
import { type RunState, readRunState } from '../../../client/run-state.js';
import { entryDocument, runDocument, taskDocument } from '../support/run-documents.js';

function stateOf(more: Record<string, unknown> = {}): RunState {
  const state = readRunState(runDocument(more));
  if (state === null) throw new Error('no run');
  return state;
}

const works = (task: string, stage = 'dispatching') => ({ task, title: '', performer: 'mine', stage, startedAt: null });
const plan = (version: number, ...ids: string[]) => ({ version, goal: 'g', tasks: ids.map((id) => taskDocument(id)) });

it('nothing new, nothing said', () => {
  const state = stateOf({ ledger: [entryDocument(1, 'T1')], active: [works('T2')] });
  expect(eventsBetween(state, state)).toEqual([]);
});

it('a dispatch, its end and the next dispatch are a line each', () => {
  const first = stateOf({ plan: plan(1, 'T1', 'T2'), active: [works('T1')] });
  const second = stateOf({ plan: plan(1, 'T2'), ledger: [entryDocument(1, 'T1')], active: [works('T2')] });
  expect([...eventsBetween(null, first), ...eventsBetween(first, second)]).toEqual([
    'T1 dispatched to mine',
    'T1 done (verified)',
    'T2 dispatched to mine',
  ]);
});

it('a failure, the gate and the new plan', () => {
  const failed = entryDocument(1, 'T1', { status: 'failed', blocker: 'agent-exit-3', gates: [] });
  const before = stateOf({ plan: plan(1, 'T1') });
  const judged = stateOf({ plan: plan(1), ledger: [{ ...failed, gates: [{ gate: 'replan required' }] }] });
  const planned = stateOf({
    plan: plan(2, 'T2'),
    ledger: [{ ...failed, gates: [{ gate: 'replan required' }, { gate: 'replan done (plan version 2)' }] }],
  });
  expect([...eventsBetween(before, judged), ...eventsBetween(judged, planned)]).toEqual([
    'T1 failed (verified, blocker agent-exit-3)',
    'T1: replan required',
    'T1: replan done (plan version 2)',
    'plan version 2: T2',
  ]);
});

it('the first plan is no news', () => {
  expect(eventsBetween(stateOf({ plan: {} }), stateOf({ plan: plan(1, 'T1') }))).toEqual([]);
});

it('a question comes with its answer, once', () => {
  const asked = stateOf({ waiting: [{ kind: 'attest', task: 'T3', gate: null, ask: 'Does it open?', since: null }] });
  expect([eventsBetween(stateOf(), asked), eventsBetween(asked, asked)]).toEqual([
    ['waiting for a person: T3: Does it open?: donewhen attest demo T3 --happened yes --by NAME'],
    [],
  ]);
});

it('a limit, a pause, its end, a stop and a found file are said', () => {
  const by = { by: 'ana', reason: 'lunch' };
  const until = '2026-12-01T12:00:00.000Z';
  const limited = stateOf({ active: [{ ...works('T1', 'limited'), until, why: '5-hour limit reached' }] });
  const planner = stateOf({ planner: { limited: true, until, why: '5-hour limit reached' } });
  const paused = stateOf({ paused: by });
  expect([
    eventsBetween(stateOf({ active: [works('T1')] }), limited),
    eventsBetween(stateOf(), planner),
    eventsBetween(planner, planner),
    eventsBetween(stateOf(), paused),
    eventsBetween(paused, stateOf()),
    eventsBetween(stateOf(), stateOf({ stopped: { by: 'ana', reason: '' } })),
    eventsBetween(stateOf(), stateOf({ found: ['LEDGER.found-1.md'] })),
  ]).toEqual([
    [`T1 waits for a usage limit until ${until}: 5-hour limit reached`],
    [`the planner waits for a usage limit until ${until}: 5-hour limit reached`],
    [],
    ['paused by ana: lunch'],
    ['resumed'],
    ['stopped by ana'],
    ['saved beside, written by somebody else: LEDGER.found-1.md'],
  ]);
});

it('words of others stay one line', () => {
  const state = stateOf({ waiting: [{ kind: 'attest', task: 'T1', gate: null, ask: 'a\nb\u001b[2J', since: null }] });
  expect(eventsBetween(stateOf(), state)).toEqual(['waiting for a person: T1: a b: donewhen attest demo T1 --happened yes --by NAME']);
});
