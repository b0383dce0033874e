#!/usr/bin/env node
// Runs every example of README.md (an indented line that starts with `$ `) and compares what it prints with the lines below it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const EXAMPLE = /^ {4}\$ (.+)\n((?: {4}(?!\$ ).*\n|\n(?= {4}(?!\$ )))*)/gm;

const examples = [...readFileSync('README.md', 'utf8').matchAll(EXAMPLE)].map(([, command, printed]) => ({
  command,
  printed: printed.replace(/^ {4}/gm, ''),
}));
const wrong = examples.filter(({ command, printed }) => spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stdout !== printed);
for (const { command } of wrong) console.log(`README.md: \`${command}\` prints something else`);
if (examples.length === 0) console.log('README.md has no example');
process.exitCode = examples.length > 0 && wrong.length === 0 ? 0 : 1;
