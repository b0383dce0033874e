import { describe, expect, it } from 'vitest';
import { detailsOf } from '../../workflows/details.js';
import { planOf, runOf, taskOf } from '../support/run-values.js';
import { carryOn, says, until } from '../support/steps.js';

const byHand = taskOf('T2', { title: 'Badge', performer: 'human', checks: ['human: does it open?'] });
const DETAILS_BYTES_MAX = 4096;

describe("the run page's details", () => {
  it('say what a person is asked, with the input that answers it, and what is done', () => {
    const run = carryOn(runOf([taskOf('T1'), byHand, taskOf('T3')]), {}, until('person'));
    expect(detailsOf(run).split(/\n+/)).toEqual([
      '**demo** — waiting · 1 of 3 tasks · plan version 1 · 0.00 USD',
      'The files are there.',
      '**Waits for a person**',
      '- Badge — does it open?',
      '  Answer (More Actions → Send a Signal or Update): **attest** `{"task":"T2","happened":"yes","by":"NAME"}`',
      '**Ledger**',
      '- T1 Part T1 — **done** (verified)',
      '**Still to do**',
      '- T3 Part T3',
    ]);
  });

  it('say what is done now, in plain words', () => {
    const run = carryOn(
      runOf([taskOf('T1')]),
      { ends: { T1: [{ is: 'limited', until: 90_000, why: 'five hours are used up' }] } },
      until('wait'),
    );
    expect(detailsOf(run).split(/\n+/).slice(2)).toEqual([
      '**Now**',
      '- T1 Part T1 — waits for a usage limit until 1970-01-01 00:01 UTC: five hours are used up · mine',
    ]);
  });

  it('say that the planner is at its usage limit, until when, and why', () => {
    const run = carryOn(
      runOf([taskOf('T1')]),
      { ends: { T1: [says('failed')] }, planned: [{ is: 'limited', until: 90_000, why: 'five hours are used up' }] },
      until('wait'),
    );
    expect(detailsOf(run)).toContain('**Now**\n\n- the planner waits for a usage limit until 1970-01-01 00:01 UTC: five hours are used up');
  });

  it('name the blocker that a person can resolve', () => {
    const policy = { planner: false, onBlocked: 'wait', askPlanner: 'on-news', finalSweep: true } as const;
    const run = carryOn(runOf([taskOf('T1')], { policy }), { ends: { T1: [says('blocked', { blocker: 'no-key' })] } });
    expect(detailsOf(run)).toContain('**resolve** `{"blocker":"no-key","resolution":"TEXT","by":"NAME"}`');
  });

  it('fit into what the page takes, however large the run is', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => taskOf(`T${index + 1}`, { title: 'Ж'.repeat(60) }));
    const run = carryOn(runOf(many, { plan: { ...planOf(...many), goal: 'Ж'.repeat(5_000) } }), {}, until('dispatch'));
    expect(Buffer.byteLength(detailsOf(run))).toBeLessThanOrEqual(DETAILS_BYTES_MAX);
  });
});
