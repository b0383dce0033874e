import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunJson } from '../../core/run-json.js';
import { planText, taskText } from '../client/support/folders.js';
import { findBrowser, openBrowser } from '../support/browser.js';
import { createTestHome, type TestHome } from '../support/homes.js';
import { type Onlooker, onlookerAt, serverOf } from '../support/onlooker.js';
import { createStage, makeFolder, SLOW_MS, type Stage } from '../support/stage.js';

const TEST_MS = 240_000;
const executable = findBrowser();
const INLINE = taskText('T1', { lines: 'Performer: inline\nRun: echo made > out-T1\n' });
const BY_HAND = taskText('T2', { checks: ['human: does it open?'], lines: 'Performer: human\n', depends: 'T1' });

let home: TestHome;
let stage: Stage;
let onlooker: Onlooker;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (executable === null) return;
  home = createTestHome();
  stage = createStage(home, { plan: planText(INLINE) });
  const dev = stage.begin('dev', '--json');
  await stage.until('dev serves', () => dev.said().out.trimEnd().endsWith('}'));
  onlooker = onlookerAt(home);
  browser = await openBrowser(executable);
  page = await browser.newPage({ viewport: { width: 1500, height: 1000 } });
  page.setDefaultTimeout(SLOW_MS);
}, TEST_MS);
afterAll(async () => {
  await browser?.close();
  await onlooker?.close();
  await stage?.remove();
  await home?.remove();
});

/** A run under the standing worker, as anybody's client starts it. */
async function started(slug: string, ...tasks: string[]) {
  const plan = planText(...tasks).replace('# PLAN: demo', `# PLAN: ${slug}`);
  const workspace = { path: makeFolder(join(stage.outside, slug)) };
  return onlooker.client.workflow.start('executePlan', {
    workflowId: `donewhen-${slug}`,
    taskQueue: 'donewhen',
    args: [{ plan, workspace }],
  });
}
type Handle = Awaited<ReturnType<typeof started>>;

const waits = (handle: Handle) =>
  stage.until('it waits for a person', async () => ((await handle.query('state')) as RunJson).phase === 'waiting');

async function open(handle: Handle, tab: 'timeline' | 'user-metadata' | 'search-attributes'): Promise<void> {
  const workflows = `http://127.0.0.1:${serverOf(home).uiPort}/namespaces/default/workflows`;
  await page.goto(`${workflows}/${handle.workflowId}/${handle.firstExecutionRunId}/${tab}`);
}

/** The details, as the page shows them once they have come. They are asked of the worker. */
async function details(handle: Handle, words: string): Promise<string> {
  await open(handle, 'user-metadata');
  const frame = page.frameLocator('iframe').locator('body').filter({ hasText: words });
  await frame.first().waitFor();
  return ((await frame.first().textContent()) ?? '').replace(/\n+/g, '\n').trim();
}

async function searchAttributes(handle: Handle): Promise<Record<string, unknown>> {
  await open(handle, 'search-attributes');
  const text = page.locator('.cm-content').filter({ hasText: 'DonewhenPhase' });
  await text.waitFor();
  const shown = Object.entries(JSON.parse((await text.textContent()) ?? '') as Record<string, unknown>);
  return Object.fromEntries(shown.filter(([name]) => name.startsWith('Donewhen')));
}

/** What the timeline says of each activity, in the order in which they began. */
async function timeline(handle: Handle, last: string): Promise<string[]> {
  await open(handle, 'timeline');
  await page.getByText(last).first().waitFor();
  const texts = await page.locator('span:visible').filter({ hasText: '•' }).allTextContents();
  return [...new Set(texts)];
}

/** Menus and dialogs are in the page twice, of which one is to be seen. */
const seen = (id: string) => page.locator(`[data-testid="${id}"]:visible`);

async function send(kind: 'signal' | 'update', name: string, input: object): Promise<void> {
  await page.getByRole('button', { name: 'More Actions' }).first().click();
  await seen(`${kind}-button`).click();
  const dialog = seen(`${kind}-confirmation-modal`);
  await dialog.getByTestId(`${kind}-select-button`).click();
  await dialog.getByText(name, { exact: true }).locator('visible=true').first().click();
  await dialog.locator('.cm-content').click();
  await page.keyboard.insertText(JSON.stringify(input, null, 2));
  await dialog.getByTestId('confirm-modal-button').click();
}

describe.skipIf(executable === null)('the Web UI', () => {
  test('shows of a finished run what became of it, each step, and its attributes', { timeout: TEST_MS }, async () => {
    const handle = await started('finished', INLINE);
    await handle.result();
    expect((await details(handle, 'COMPLETED')).split('\n')).toEqual([
      'finished — COMPLETED · 1 of 1 tasks · plan version 1 · 0.00 USD',
      'The files are there.',
      'Ledger',
      'T1 Part T1 — done (verified)',
    ]);
    expect(await timeline(handle, 'report · record')).toEqual([
      'load • load',
      'check • T1 · check',
      'dispatch • T1 · dispatch',
      'verify • T1 · verify',
      'record • T1 · record',
      'record • report · record',
    ]);
    expect(await searchAttributes(handle)).toMatchObject({ DonewhenPhase: 'closed', DonewhenOutcome: 'COMPLETED', DonewhenTasksDone: 1 });
  });

  test.each(['signal', 'update'] as const)('shows what a run waits for, and takes the answer by %s', { timeout: TEST_MS }, async (kind) => {
    const handle = await started(`waits-for-${kind}`, INLINE, BY_HAND);
    await waits(handle);
    expect(await searchAttributes(handle)).toEqual({
      DonewhenCostUsd: 0,
      DonewhenMethod: 'executePlan',
      DonewhenOutcome: 'none',
      DonewhenPhase: 'waiting',
      DonewhenSlug: `waits-for-${kind}`,
      DonewhenTask: ['T2'],
      DonewhenTasksDone: 1,
      DonewhenTasksTotal: 2,
      DonewhenWaitingFor: ['attest T2'],
    });
    expect((await details(handle, 'does it open?')).split('\n').slice(2, 5)).toEqual([
      'Waits for a person',
      expect.stringContaining('does it open?'),
      'Answer (More Actions → Send a Signal or Update): attest {"task":"T2","happened":"yes","by":"NAME"}',
    ]);
    await send(kind, 'attest', { task: 'T2', happened: 'yes', by: 'ana' });
    const run = (await handle.result()) as RunJson;
    expect(run.ledger.map(({ task, verification }) => [task, verification])).toEqual([
      ['T1', 'verified'],
      ['T2', 'attested'],
    ]);
  });
});
