import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blockText } from '../../documents/pipeline/blocks.js';
import { committed } from '../../support/load-values.js';
import { openSite, type Site, sharedSupervisor } from '../../support/looks.js';
import { stepAt } from '../../support/pipeline-site.js';
import { reviewOf, stepOf } from '../../support/pipeline-values.js';

const supervisor = sharedSupervisor();
let site: Site;
beforeEach(() => {
  site = openSite(supervisor);
  site.write('src/a.mjs', 'a');
  committed(site.workspace);
});
afterEach(() => site.leave());
afterAll(() => supervisor.close());

const REPORT = 'reports/05.md';
const review = reviewOf('5', '3', { agent: 'okr.reviewspec', artifacts: [{ key: 'findings', pattern: 'reviews/*.md' }] });
const answer = blockText({
  step: '5',
  agent: 'okr.reviewspec',
  artifacts: { findings: 'reviews/5.md', report: REPORT },
  verdict: 'APPROVED',
});
const contentOf = (path: string) => {
  const file = join(site.workspace, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};

function reviews(more: Record<string, string> = {}): string {
  for (const [path, text] of Object.entries({ 'reviews/5.md': 'fine', [REPORT]: 'fine', ...more })) site.write(path, text);
  return answer;
}

const SET_ASIDE = 'set aside in attempts/S5.1.1/set-aside';

// Seed 003: review steps produce reports only. docs/interface.md §10: a review writes its own artifacts and its report.
describe('a review', () => {
  it('leaves its artifacts and its report, and nothing else: the rest is a deviation, put back, and kept', async () => {
    const { deviations, delivery } = await stepAt(site, supervisor, review).carryOut(() =>
      reviews({ 'src/a.mjs': 'mended', 'notes.txt': 'n' }),
    );
    expect(deviations).toEqual([`the review of step 5, which writes reviews/*.md, ${REPORT}, changed notes.txt, src/a.mjs; ${SET_ASIDE}`]);
    expect(['reviews/5.md', REPORT, 'src/a.mjs', 'notes.txt'].map(contentOf)).toEqual(['fine', 'fine', 'a', null]);
    expect(['src/a.mjs', 'notes.txt'].map((path) => contentOf(`.donewhen/demo/attempts/S5.1.1/set-aside/${path}`))).toEqual([
      'mended',
      'n',
    ]);
    expect(delivery?.artifacts.map(({ path, is }) => [path, is])).toEqual([
      ['reviews/5.md', 'there'],
      [REPORT, 'there'],
    ]);
  });

  it('that writes no more than that has not deviated', async () => {
    expect((await stepAt(site, supervisor, review).carryOut(() => reviews())).deviations).toEqual([]);
  });

  it('makes no check hold with what it was not to write, and hands none of it on', async () => {
    const strict = { ...review, checks: ['file: src/a.mjs contains "mended"'] };
    const words = answer.replace('next-inputs: {}', 'next-inputs:\n  notes: notes.txt');
    const { looks, delivery } = await stepAt(site, supervisor, strict).carryOut(() => {
      reviews({ 'src/a.mjs': 'mended', 'notes.txt': 'n' });
      return words;
    });
    expect([looks.map(({ is }) => is), delivery?.nextInputs]).toEqual([
      ['disproved'],
      [{ key: 'notes', value: 'notes.txt', there: false }],
    ]);
  });

  it('whose answer names no report leaves none', async () => {
    const { deviations } = await stepAt(site, supervisor, review).carryOut(() => {
      reviews();
      return 'I looked.';
    });
    expect(deviations).toEqual([`the review of step 5, which writes reviews/*.md, changed ${REPORT}; ${SET_ASIDE}`]);
  });

  it('is looked at once more with the same result, whatever others wrote since', async () => {
    const step = stepAt(site, supervisor, review);
    const before = await step.look(1);
    await step.send(1, () => reviews({ 'notes.txt': 'n' }));
    const first = await step.see(1, before);
    site.write('reviews/6.md', 'later');
    expect([(await step.see(1, before)).deviations, contentOf('reviews/6.md')]).toEqual([first.deviations, 'later']);
  });

  it('in a second try is held against what the first one left', async () => {
    const step = stepAt(site, supervisor, review);
    const before = await step.look(1);
    await step.send(1, () => reviews({ 'notes.txt': 'n' }));
    await step.see(1, before);
    await step.send(1, () => reviews({ 'more.txt': 'm' }), 2);
    expect((await step.see(1, before, 2)).deviations).toEqual([
      `the review of step 5, which writes reviews/*.md, ${REPORT}, changed more.txt; set aside in attempts/S5.2.1/set-aside`,
    ]);
  });
});

it('a step that is no review may write wherever its pipeline does not say otherwise', async () => {
  const step = stepOf('5', { agent: 'okr.reviewspec', artifacts: review.artifacts });
  const { deviations } = await stepAt(site, supervisor, step).carryOut(() => reviews({ 'src/a.mjs': 'mended' }));
  expect([deviations, contentOf('src/a.mjs')]).toEqual([[], 'mended']);
});
