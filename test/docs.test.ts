import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '../documents/config.js';
import { parseLedger } from '../documents/ledger.js';
import { renderLedger } from '../documents/ledger-render.js';
import { parsePlan } from '../documents/plan.js';
import { renderProblem } from '../documents/problem.js';
import { SEARCH_ATTRIBUTES } from '../workflows/names.js';
import { ROOT } from './support/sources.js';

const readText = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manual = readText('docs/interface.md');
const readme = readText('README.md');

/** The content of the fenced blocks of a language whose first line begins with these words. */
function blocks(text: string, language: string, begin = ''): string[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, marked, content]) => marked === language && content?.startsWith(begin))
    .map(([, , content]) => content ?? '');
}

describe('what the documentation shows is what the product reads and writes', () => {
  it('every PLAN.md in it is sound', () => {
    const plans = [manual, readme].flatMap((text) => blocks(text, 'markdown', '# PLAN:'));
    expect(plans.length).toBe(2);
    expect(plans.flatMap((text) => parsePlan(text, { file: 'PLAN.md' }).problems.map(renderProblem))).toEqual([]);
  });

  it('its LEDGER.md is written as donewhen writes it, to the letter', () => {
    const [ledger = ''] = blocks(manual, 'markdown', '# LEDGER:');
    const parsed = parseLedger(ledger, { file: 'LEDGER.md' });
    expect(parsed.problems.map(renderProblem)).toEqual([]);
    expect(renderLedger(parsed.ledger)).toBe(ledger);
  });

  it('every donewhen.yaml in it is valid', () => {
    const configurations = [...blocks(manual, 'yaml'), ...blocks(readme, 'yaml')];
    expect(configurations.length).toBe(3);
    expect(configurations.flatMap((text) => parseConfig(text, { file: 'donewhen.yaml' }).problems.map(renderProblem))).toEqual([]);
  });

  it('the one in the manual names every key, and its defaults are the real ones', () => {
    const [text = ''] = blocks(manual, 'yaml');
    const { config } = parseConfig('', { file: 'donewhen.yaml' });
    const { agents, roles, notify, environment, ...shown } = parse(text);
    expect(Object.keys({ agents, roles, notify, environment, ...shown }).sort()).toEqual(Object.keys(config ?? {}).sort());
    expect(shown).toEqual({ limits: config?.limits, workspace: config?.workspace, people: config?.people, gate: config?.gate });
  });

  it('the JSON in it is JSON', () => {
    expect(blocks(manual, 'json').map((text) => typeof JSON.parse(text))).toEqual(['object']);
  });

  it('names every search attribute', () => {
    expect(SEARCH_ATTRIBUTES.map(({ name }) => name).filter((name) => !manual.includes(`\`${name}\``))).toEqual([]);
  });

  it('every verb of the command is in the manual', () => {
    const help = spawnSync(process.execPath, [join(ROOT, 'dist', 'client', 'main.js'), '--help'], { encoding: 'utf8' }).stdout;
    const verbs = [...help.matchAll(/^ {2}([a-z]+)(?: [<[]\w+[>\]])* {2,}\S/gm)].map(([, verb]) => verb ?? '');
    expect(verbs.length).toBeGreaterThan(10);
    expect(verbs.filter((verb) => !manual.includes(`\`${verb}`))).toEqual([]);
  });
});

describe('links', () => {
  it('lead to files that are here', () => {
    const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/interface.md'];
    const broken = pages.flatMap((page) =>
      [...readText(page).matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, target]) => target ?? '')
        .filter((target) => !existsSync(join(ROOT, dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
