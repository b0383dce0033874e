import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OVERVIEW } from '../client/arguments/overview.js';
import { readArguments } from '../client/arguments/program.js';
import * as exits from '../client/exit-code.js';
import { runJson } from '../core/run-json.js';
import type { Attempt, Entry, Phase } from '../core/values.js';
import { ENTRY_RULES } from '../documents/ledger-block.js';
import { HEADER_RULES, TASK_RULES } from '../documents/plan-fields.js';
import { fileQueries, MESSAGES } from '../workflows/messages.js';
import { SEARCH_ATTRIBUTES, WORKFLOW_TYPES } from '../workflows/names.js';
import { heard } from './client/support/fake-world.js';
import { runOf, taskOf } from './support/run-values.js';
import { ROOT } from './support/sources.js';

/** The manual promises names (docs/interface.md); a name that only one of the two has is a broken promise. */
const manual = readFileSync(join(ROOT, 'docs/interface.md'), 'utf8');

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
const found = (pattern: RegExp, text = manual) => sorted([...text.matchAll(pattern)].map(([, name]) => name ?? ''));

/** What stands under a heading of the manual: `## 3. …`. */
function chapter(number: number): string {
  const from = manual.indexOf(`\n## ${number}. `);
  const to = manual.indexOf(`\n## ${number + 1}. `);
  return manual.slice(from, to < 0 ? manual.length : to);
}

/** The second cell of a row of a table, by its first. */
function row(name: string): string {
  return new RegExp(`^\\| ${name} \\| (.*) \\|$`, 'm').exec(manual)?.[1] ?? '';
}

const code = (name: string) => `\`${name}\``;

describe('the command', () => {
  const verbs = OVERVIEW.flatMap(({ verbs: group }) => group.map(([usage]) => usage.split(' ')[0] ?? ''));

  it('has the verbs that the manual lists, and no other', () => {
    const [, table = ''] = chapter(2).split('| verb | what it does |');
    const listed = [...table.slice(0, table.indexOf('\n\n')).matchAll(/^\| (.*?) \| /gm)].flatMap(([, cell = '']) => [
      ...cell.matchAll(/`([a-z]+)/g),
    ]);
    expect(sorted(listed.map(([, verb]) => verb ?? ''))).toEqual(sorted(verbs));
  });

  it('has the options that the manual names, and no other', async () => {
    const help = await Promise.all(
      verbs.map(async (verb) => {
        const io = heard();
        await readArguments([verb, '--help'], io, () => '');
        return io.said.out;
      }),
    );
    const own = found(/^ +(?:-\w, )?(--[a-z-]+)/gm, help.join('\n'));
    const theirs = found(/(--[a-z-]+)/g, [...manual.matchAll(/^(?:temporal|npm|python3) .*$/gm)].map(([line]) => line).join('\n'));
    /** Of other programs, of a method that is to come, and of the command itself. */
    const others = ['--target', '--swarm', '--version'];
    const named = found(/(?<![\w-])(--[a-z][a-z-]*)/g);
    expect(named.filter((name) => !own.includes(name) && !theirs.includes(name) && !others.includes(name))).toEqual([]);
    expect(own.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('ends with the statuses that the manual lists, and no other', () => {
    const own = Object.entries(exits).flatMap(([name, value]) => (name.startsWith('EXIT_') ? [String(value)] : []));
    const [, , after = ''] = /([\s\S]*)\*\*Exit status\*\*([\s\S]*?)\*\*Servers and workers/.exec(manual) ?? [];
    expect(sorted([...found(/^\| (\d+) \|/gm, after), ...found(/(?:: | · )(\d+) /g, after)])).toEqual(sorted(own));
  });
});

describe('a run on a Temporal server', () => {
  it('has the workflow types that the manual names', () => {
    expect(found(/`(\w+)`/g, row('workflow types'))).toEqual(sorted(WORKFLOW_TYPES));
  });

  it('takes the signals and updates that the manual names, with their fields', () => {
    const cell = row('signals and updates');
    expect(found(/`([a-z]+)(?: \{|`)/g, cell.replaceAll(/`(?:id|shown)`/g, ''))).toEqual(sorted(MESSAGES.map(({ name }) => name)));
    const fields = (text: string) =>
      found(/(?:^|,) *(\w+)/g, /\{([^}]*)\}/.exec(text)?.[1]).filter((name) => !['id', 'shown'].includes(name));
    const differing = MESSAGES.filter(({ name, description }) => {
      const said = new RegExp(`\`${name}(?: |\`.*?\`)\\{[^}]*\\}`).exec(cell)?.[0] ?? '';
      return fields(said).join() !== fields(description).join();
    });
    expect(differing).toEqual([]);
  });

  it('answers the queries that the manual names', () => {
    const own = ['state', 'waiting', ...fileQueries.map(({ file }) => file.replace('.md', '').toLowerCase())];
    expect(found(/`([a-z]+)`/g, row('queries').split('The result')[0])).toEqual(sorted(own));
  });

  it('has the search attributes that the manual names', () => {
    expect(found(/`(Donewhen\w+)`/g)).toEqual(sorted(SEARCH_ATTRIBUTES.map(({ name }) => name)));
  });

  it('goes through the phases that the manual names', () => {
    const phases: Record<Phase, true> = {
      checking: true,
      dispatching: true,
      verifying: true,
      recording: true,
      replanning: true,
      waiting: true,
      limited: true,
      paused: true,
      closed: true,
    };
    expect(found(/`(\w+)`/g, row('phases'))).toEqual(sorted(Object.keys(phases)));
  });

  it('is started with the keys that the manual names', () => {
    const source = readFileSync(join(ROOT, 'workflows/input.ts'), 'utf8');
    const known = (name: string) => found(/'(\w+)'/g, new RegExp(`^const ${name} = \\[(.*)\\];$`, 'm').exec(source)?.[1] ?? '');
    const keys = (type: string) =>
      found(/"(\w+)"\??:?/g, row(`input of \`${type}\``).replace(/\{"path".*?"ref"\?: REF\}/, '')).filter((key) => key !== '');
    expect([keys('executePlan'), keys('runPipeline')]).toEqual([known('KNOWN'), known('PIPELINE_KNOWN')]);
  });
});

describe('documents', () => {
  it('the manual names every field of a plan, and of a ledger', () => {
    const inPlan = [...HEADER_RULES.known.values(), ...TASK_RULES.known.values()];
    const inLedger = [...ENTRY_RULES.known.values()];
    const [plan, ledger] = [chapter(4), chapter(6) + chapter(10)];
    expect(inPlan.filter((name) => !new RegExp(`\`${name}(?:\`|:)|^${name}:`, 'm').test(plan))).toEqual([]);
    expect(inLedger.filter((name) => !new RegExp(`\`${name}(?:\`|:)|^${name}:`, 'm').test(ledger))).toEqual([]);
  });

  it('the variables that the manual names are read or set, and each of these is in the manual', () => {
    const files = ['client', 'worker', 'activities', 'core', 'documents'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
    );
    const own = found(/\b(DONEWHEN_[A-Z][A-Z_]*[A-Z])\b/g, files.join('\n'));
    expect([
      found(/\b(DONEWHEN_[A-Z][A-Z_]*[A-Z])\b/g).filter((name) => !own.includes(name)),
      own.filter((name) => !manual.includes(name)),
    ]).toEqual([[], []]);
  });
});

/** Every key below a value, by its path; a list is what any of its items is. */
function keysIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysIn(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => [`${path}.${key}`, ...keysIn(below, `${path}.${key}`)]);
}

it('the JSON of a run has the keys that the manual shows, and no other', () => {
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(chapter(7)) ?? [];
  expect(sorted(keysIn(JSON.parse(shown)))).toEqual(sorted(keysIn(JSON.parse(JSON.stringify(runJson(everything(), 'donewhen-demo'))))));
  expect(code('failing')).toSatisfy((name: string) => manual.includes(name));
});

/** A run in which everything is said that can be. */
function everything() {
  const cost = { usd: 1, tokens: 1, estimatedUsd: 1 };
  const attempt: Attempt = {
    task: taskOf('T4'),
    planVersion: 1,
    startedAt: 0,
    stage: 'limited',
    number: 1,
    leg: 1,
    move: 'm',
    dispatched: true,
    asOf: 0,
    until: 1,
    why: 'w',
    cost,
  };
  const entry: Entry = {
    seq: 1,
    task: 'T1',
    title: 'a',
    status: 'blocked',
    label: 'verified',
    planVersion: 1,
    attempt: 1,
    performer: 'mine',
    covers: [],
    states: 's',
    checks: ['run: true'],
    observed: 'holds',
    undoes: 'T0',
    askedBy: 'start',
    verdict: 'APPROVED',
    asOf: 0,
    gates: [{ is: 'exhausted', blocker: 'b', why: 'w', final: false, at: 0 }],
    cost,
    startedAt: 0,
    endedAt: 0,
    sha256: 'h',
    text: {
      stateDelta: [],
      evidence: [{ check: 'run: true', before: '', after: '', holds: true, is: 'holds', sha256: 'h', excerpt: 'e' }],
      words: [],
      discovered: [{ label: 'verified', fact: 'f', check: 'c' }],
      unresolved: [],
      risk: [],
      userAction: [],
      deviation: [],
    },
  };
  const run = runOf([taskOf('T4')]);
  return {
    ...run,
    active: [attempt],
    ledger: [entry],
    questions: [{ id: 'q', kind: 'attest' as const, task: 'T3', ask: 'a', since: 0, until: 1 }],
    planning: {
      question: 'replan' as const,
      triggers: [],
      move: 'm',
      refusals: 0,
      problems: [],
      reopening: [],
      limited: { until: 1, why: 'w', leg: 1 },
    },
    handled: [{ id: 'i', name: 'attest' as const, by: 'ana', applied: true, reason: 'r', at: 0 }],
    found: ['f'],
    paused: { by: 'ana', reason: 'r', at: 0 },
    stopped: { by: 'ana', reason: 'r', at: 0 },
    spentInAll: { ...run.spentInAll, estimatedUsd: 1 },
  };
}
