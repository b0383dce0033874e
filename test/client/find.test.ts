import { describe, expect, it } from 'vitest';
import { decide, type Found, type FoundEntry, type FoundWorkflow } from '../../client/find.js';

const HERE = { host: 'host-a', folder: '/plans/demo' };
const found = (more: Partial<Found> = {}): Found => ({
  slug: 'demo',
  again: false,
  here: HERE,
  plan: { titleSlug: 'demo', version: 1 },
  ledger: null,
  workflow: { is: 'none' },
  ...more,
});
const last = (gate: FoundEntry['gate'], planVersion = 1): FoundEntry => ({ task: 'T1', planVersion, gate });
const ledger = (entry: FoundEntry | null, title = 'demo') => ({ title, titleSlug: title, entries: entry === null ? 0 : 1, last: entry });
const closed = (gate: FoundEntry['gate'] | null, more: Partial<Extract<FoundWorkflow, { is: 'closed' }>> = {}): FoundWorkflow => ({
  is: 'closed',
  from: HERE,
  outcome: 'FAILED',
  last: gate === null ? null : last(gate),
  samePlan: true,
  ...more,
});
const versioned = (version: number) => ({ titleSlug: 'demo', version });

describe('nothing is there yet', () => {
  it('a plan without workflow and ledger is a new run', () => {
    expect(decide(found())).toEqual({ do: 'start', ledger: false, words: 'new run demo' });
  });

  it('a name whose input was refused before is as good as new', () => {
    expect(decide(found({ workflow: { is: 'refused' } }))).toEqual({ do: 'start', ledger: false, words: 'new run demo' });
  });
});

describe('the workflow is running', () => {
  it('the same plan rejoins', () => {
    expect(decide(found({ workflow: { is: 'running', from: HERE, samePlan: true } }))).toEqual({
      do: 'rejoin',
      words: 'run demo is running: rejoined',
      warning: null,
    });
  });

  it('another plan rejoins all the same, and says how to hand it over', () => {
    expect(decide(found({ workflow: { is: 'running', from: HERE, samePlan: false } }))).toEqual({
      do: 'rejoin',
      words: 'run demo is running: rejoined',
      warning: 'PLAN.md is not the plan that run demo carries out: `donewhen replan demo PLAN.md --by NAME` hands it over',
    });
  });

  it('a fresh record of a running run is refused', () => {
    expect(decide(found({ again: true, workflow: { is: 'running', from: HERE, samePlan: true } }))).toEqual({
      do: 'refuse',
      words: 'run demo is running: stop it first with `donewhen stop demo --by NAME`, then --again',
    });
  });
});

describe('the workflow is closed', () => {
  it.each([
    ['required', 1, 'run demo closed FAILED: a new execution from LEDGER.md, where the planner is asked now because of T1'],
    ['missing', 1, 'run demo closed FAILED: a new execution from LEDGER.md, where the gate of T1 is decided first'],
    [
      'required',
      2,
      'run demo closed FAILED: a new execution from LEDGER.md, where only the gate of T1 was left open: plan version 2 goes on',
    ],
    ['missing', 2, 'run demo closed FAILED: a new execution from LEDGER.md, where the gate of T1 is decided first'],
    ['exhausted', 2, 'run demo closed FAILED: a new execution from LEDGER.md, where T1 is reopened by plan version 2'],
  ] as const)('with its last gate %s and plan version %i it goes on from the files', (gate, version, words) => {
    expect(decide(found({ plan: versioned(version), ledger: ledger(last(gate)), workflow: closed(gate) }))).toEqual({
      do: 'start',
      ledger: true,
      words,
    });
  });

  it.each([
    [
      'exhausted',
      'FAILED',
      '--again starts a fresh record, or `donewhen resolve demo BLOCKER --resolution TEXT --by NAME` once its blocker is gone',
    ],
    ['holds', 'COMPLETED', '--again starts a fresh record'],
    ['done', 'COMPLETED', '--again starts a fresh record'],
    ['reopened', 'PARTIAL', '--again starts a fresh record'],
  ] as const)('with its last gate %s and the same plan it is not run again in silence (B16)', (gate, outcome, way) => {
    expect(decide(found({ ledger: ledger(last(gate)), workflow: closed(gate, { outcome }) }))).toEqual({
      do: 'refuse',
      words: `run demo closed ${outcome}: ${way}`,
    });
  });

  it('a changed plan under the same version must raise it', () => {
    expect(decide(found({ ledger: ledger(last('required')), workflow: closed('required', { samePlan: false }) }))).toEqual({
      do: 'refuse',
      words: 'run demo closed FAILED: PLAN.md was changed under the same version: raise Plan version, or --again for a fresh record',
    });
  });

  it('a newer plan for a run that is complete is a fresh record', () => {
    expect(
      decide(
        found({ plan: versioned(2), ledger: ledger(last('holds')), workflow: closed('holds', { outcome: 'COMPLETED', samePlan: false }) }),
      ),
    ).toEqual({
      do: 'refuse',
      words: 'run demo closed COMPLETED: --again starts a fresh record',
    });
  });

  it('an older plan than the recorded one is named', () => {
    expect(decide(found({ ledger: ledger(last('required', 2)), workflow: closed('required', { last: last('required', 2) }) }))).toEqual({
      do: 'refuse',
      words:
        'run demo closed FAILED: PLAN.md has version 1, the run is at version 2: put the newer plan back, or --again for a fresh record',
    });
  });

  it('without its LEDGER.md nothing is done twice', () => {
    expect(decide(found({ plan: versioned(2), workflow: closed('exhausted') }))).toEqual({
      do: 'refuse',
      words: 'run demo closed FAILED and its LEDGER.md is missing: put it back to go on, or --again for a fresh record',
    });
  });

  it('stopped before anything was recorded, it begins again', () => {
    expect(decide(found({ workflow: closed(null, { outcome: 'PARTIAL' }) }))).toEqual({
      do: 'start',
      ledger: false,
      words: 'run demo closed PARTIAL before anything was recorded, and there is no LEDGER.md: a new run from the start',
    });
  });

  it('a plan that was a no-op is not run again in silence', () => {
    expect(decide(found({ workflow: closed(null, { outcome: 'NO_OP' }) }))).toEqual({
      do: 'refuse',
      words: 'run demo closed NO_OP: --again starts a fresh record',
    });
  });

  it('a fresh record moves the old one away', () => {
    expect(decide(found({ again: true, ledger: ledger(last('holds')), workflow: closed('holds', { outcome: 'COMPLETED' }) }))).toEqual({
      do: 'again',
      words: 'a fresh record of demo: what was recorded so far moves to .donewhen/demo/runs/',
    });
  });
});

describe('the workflow was terminated, or lost with its database', () => {
  it('terminated, it goes on from LEDGER.md', () => {
    expect(decide(found({ ledger: ledger(last('holds')), workflow: { is: 'gone', from: HERE, how: 'terminated' } }))).toEqual({
      do: 'start',
      ledger: true,
      words: 'run demo was terminated: a new execution from LEDGER.md, where one task is recorded and not done again',
    });
  });

  it.each([
    ['missing', 1, 'the gate of T1 is decided first'],
    ['required', 1, 'the planner is asked now because of T1'],
    ['required', 2, 'only the gate of T1 was left open: plan version 2 goes on'],
    ['exhausted', 1, 'T1 is exhausted: it is reported, and nobody is sent'],
    ['exhausted', 2, 'T1 is reopened by plan version 2'],
    ['holds', 1, 'one task is recorded and not done again'],
  ] as const)('lost, with a last gate %s and plan version %i, it goes on by the matrix', (gate, version, words) => {
    expect(decide(found({ plan: versioned(version), ledger: ledger(last(gate)) }))).toEqual({
      do: 'start',
      ledger: true,
      words: `LEDGER.md found: ${words}`,
    });
  });
});

describe('a name that is somebody else’s', () => {
  const elsewhere = { host: 'host-a', folder: '/other/demo' };

  it.each([
    { is: 'running', from: elsewhere, samePlan: true },
    closed('holds', { from: elsewhere }),
    { is: 'gone', from: elsewhere, how: 'terminated' },
  ] as FoundWorkflow[])('the same slug from another folder is refused, naming both and --slug: $is', (workflow) => {
    expect(decide(found({ workflow }))).toEqual({
      do: 'refuse',
      words: 'run demo belongs to /other/demo, not to /plans/demo: start this plan under another name with --slug NAME',
    });
  });

  it('the same folder on another host is another folder', () => {
    const from = { host: 'host-b', folder: '/plans/demo' };
    expect(decide(found({ workflow: { is: 'running', from, samePlan: true } }))).toEqual({
      do: 'refuse',
      words: 'run demo belongs to /plans/demo on host host-b, not to /plans/demo: start this plan under another name with --slug NAME',
    });
  });

  it('a run that was started by other means is left alone', () => {
    expect(decide(found({ workflow: { is: 'running', from: null, samePlan: true } }))).toEqual({
      do: 'refuse',
      words:
        'run demo was not started from /plans/demo: watch it with `donewhen watch demo`, or start this plan under another name with --slug NAME',
    });
  });

  it.each([false, true])('a ledger of another plan is refused, naming it; again: %s (B03)', (again) => {
    expect(decide(found({ again, ledger: ledger(last('holds'), 'some-other-plan') }))).toEqual({
      do: 'refuse',
      words: 'LEDGER.md:1 is the ledger of another plan, "some-other-plan", not of demo: move it away, or write elsewhere with --out DIR',
    });
  });

  it('under another name, a ledger with the plan’s own title is its ledger', () => {
    expect(decide(found({ slug: 'demo-2', ledger: ledger(last('holds'), 'demo') }))).toEqual({
      do: 'start',
      ledger: true,
      words: 'LEDGER.md found: one task is recorded and not done again',
    });
  });
});

it('a pipeline has no planner to ask: its open gate is decided', () => {
  const plan = { titleSlug: 'demo', version: 1, file: 'okr.yaml' };
  expect(decide(found({ plan, ledger: ledger(last('required')) })).words).toBe('LEDGER.md found: the gate of T1 is decided first');
});
