#!/usr/bin/env node
// npm run bench -- [--json] [--runs N] [a1 a2 … parsers]: the product's own figures, as ratios against a floor measured in the
// same run. --json prints one document: { "a1": { "value": …, "goal": …, "runs": […] }, … }.
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { a7, a8, a9 } from './agents.mjs';
import { parsers } from './parsers.mjs';
import { a4 } from './resume.mjs';
import { withServer } from './server.mjs';
import { a6 } from './spawn.mjs';
import { a5 } from './startup.mjs';
import { a1, a2, a3 } from './throughput.mjs';

const FIGURES = { a1, a2, a3, a4, a5, a6, a7, a8, a9, parsers };
const RUNS = 5;

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' }, runs: { type: 'string' } }, allowPositionals: true });
const wanted = positionals.length > 0 ? positionals : Object.keys(FIGURES);
const unknown = wanted.filter((name) => !(name in FIGURES));
const runs = Number(values.runs ?? RUNS);
if (unknown.length > 0 || !Number.isInteger(runs) || runs < 1) {
  console.error(`figures are ${Object.keys(FIGURES).join(', ')}; --runs takes a whole number from 1 on`);
  process.exit(2);
}

const log = (line) => console.error(line);
const machine = {
  cpus: cpus().length,
  model: cpus()[0]?.model ?? 'unknown',
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
};
const settings = {
  server: 'temporal server start-dev, file database, WAL, synchronous=FULL, history.transferProcessorMaxPollRPS=10000',
  runs,
};

async function measured(server) {
  const bench = { ...server, runs, log };
  const figures = {};
  for (const name of wanted) Object.assign(figures, named(name, await FIGURES[name](bench)));
  return figures;
}

/** Reading texts needs no server. */
const found = wanted.every((name) => name === 'parsers') ? await measured({}) : await withServer(measured);

/** A figure of several parts is printed as a1, a2.time, a2.memory … */
function named(name, result) {
  return 'value' in result ? { [name]: result } : Object.fromEntries(Object.entries(result).map(([part, one]) => [`${name}.${part}`, one]));
}

if (values.json) console.log(JSON.stringify({ ...found, machine, settings }, null, 2));
else {
  console.log(`${machine.cpus} cores (${machine.model}), ${machine.memoryGiB} GiB, Node ${machine.node}; ${settings.server}; ${runs} runs`);
  for (const [name, one] of Object.entries(found))
    console.log(`${name.padEnd(12)} ${String(one.value).padStart(8)}  goal ≤ ${one.goal}  (${one.unit}; runs ${one.runs.join(', ')})`);
}
