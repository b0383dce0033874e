#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
// An agent that works: it does what the criterion in its brief asks for, runs nothing in the background, and reports what is true now.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { noteCall, readBrief, tell } from './brief.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const STEP_MS = 1000;
/** The command is the long piece of work: there is time to lose the worker while it goes on. */
const STEPS = {
  'AC-004': ['reading the tests', 'laying out the rows', 'adding up', 'refusing wrong files', 'trying it', 'writing it down'],
};

const STATE = {
  'AC-001': 'Amounts are whole cents.',
  'AC-002': 'A file with wrong lines is refused, and every wrong line is named with its number and fault.',
  'AC-003': 'Net, tax at each rate and gross of an invoice are computed in cents, with tax rounded once a rate.',
  'AC-004': 'The command prints items and totals, and refuses a wrong file with exit 2.',
  'AC-006': 'README.md has a section Usage whose example was run.',
};

function writeUsage() {
  const command = 'node bin/invoice.mjs samples/march.csv';
  const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  const example = [`$ ${command}`, ...stdout.trimEnd().split('\n')].map((line) => `    ${line}`).join('\n');
  writeFileSync('README.md', `${readFileSync('README.md', 'utf8').trimEnd()}\n\n## Usage\n\n${example}\n`);
}

function work(criterion) {
  const prepared = join(here, 'work', criterion);
  if (existsSync(prepared)) cpSync(prepared, '.', { recursive: true });
  if (criterion === 'AC-006') writeUsage();
}

/** What the checks in the brief say now. It is no more than a claim: donewhen runs them again, itself. */
function evidence(brief) {
  const commands = [...brief.matchAll(/^- run: (.+)$/gm)].map(([, command]) => command);
  return (
    commands.map((command) => `- ${command} → exit ${spawnSync('sh', ['-c', command]).status}`).join('\n') ||
    '- looked at the files → as described'
  );
}

const brief = readBrief();
noteCall();
tell({ session: `builder-${randomUUID().slice(0, 8)}` });
const criterion = /^Covers:.*\b(AC-\d+)/m.exec(brief)?.[1] ?? 'none';
for (const step of STEPS[criterion] ?? []) {
  tell({ progress: step });
  await sleep(STEP_MS);
}
work(criterion);
tell({ cost: { usd: 0, tokens: 0 } });
if (STATE[criterion]) {
  console.log(`status: done\nstate_delta:\n- ${STATE[criterion]}\nevidence:\n${evidence(brief)}`);
} else {
  console.log(`status: blocked\nunresolved:\n- I do not know how to do ${criterion}.\nblocker: unknown-criterion`);
}
