import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scene, Turn } from '../model-server/script.js';
import type { Cast } from '../support/agent-stage.js';
import { ROOT } from '../support/sources.js';
import { claims } from './scenarios.js';

const EXAMPLE = join(ROOT, 'examples/demo');
const WORK = join(EXAMPLE, 'agents/work');
/** What the example brings for its own scripted agents. */
const NOT_THE_PROJECT = ['agents/', 'demo.mjs', 'donewhen.yaml'];
const COMMAND = ['bin/invoice.mjs', 'samples/march.csv'];

/** The plan of examples/demo, with one agent for all that needs one. */
export function exampleCast(): Cast {
  const names = filesBelow(EXAMPLE).filter((name) => !NOT_THE_PROJECT.some((one) => name.startsWith(one)));
  const files = Object.fromEntries(names.map((name) => [name, textOf(EXAMPLE, name)]));
  const plan = textOf(EXAMPLE, 'PLAN.md').replace('Performer: boaster\n', '');
  return { plan, files: { ...files, 'PLAN.md': plan }, scenes };
}

/** What a good agent writes for each task, which the example brings along. */
function scenes(folder: string): Scene[] {
  return [
    { when: 'T2 — Wrong lines are refused', turns: [...writes(folder, 'AC-002'), claims('done', 'Wrong lines are refused.')] },
    { when: 'T3 — Totals by tax rate', turns: [...writes(folder, 'AC-003'), claims('done', 'Totals are right to the cent.')] },
    { when: 'T4 — The command prints', turns: [...writes(folder, 'AC-004'), claims('done', 'The command prints an invoice.')] },
    { when: 'T6 — The README shows how', turns: [...rewrites(folder, 'README.md', usage()), claims('done', 'README.md has a usage.')] },
  ];
}

function writes(folder: string, criterion: string): Turn[] {
  const work = join(WORK, criterion);
  return filesBelow(work).flatMap((name) => rewrites(folder, name, textOf(work, name)));
}

function rewrites(folder: string, name: string, content: string): Turn[] {
  const path = join(folder, name);
  const isThere = statSync(join(EXAMPLE, name), { throwIfNoEntry: false }) !== undefined;
  return [...(isThere ? [{ is: 'reads', path } as const] : []), { is: 'writes', path, content }];
}

/** README.md with an example that was really run, over the finished work. */
function usage(): string {
  const done = mkdtempSync(join(tmpdir(), 'donewhen-example-'));
  try {
    for (const name of ['bin', 'src', 'samples', 'package.json']) cpSync(join(EXAMPLE, name), join(done, name), { recursive: true });
    for (const criterion of readdirSync(WORK)) cpSync(join(WORK, criterion), done, { recursive: true });
    const printed = execFileSync(process.execPath, COMMAND, { cwd: done, encoding: 'utf8' });
    const example = [`$ node ${COMMAND.join(' ')}`, ...printed.trimEnd().split('\n')].map((line) => `    ${line}`).join('\n');
    return `${textOf(EXAMPLE, 'README.md').trimEnd()}\n\n## Usage\n\n${example}\n`;
  } finally {
    rmSync(done, { recursive: true });
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());
}

function textOf(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}
