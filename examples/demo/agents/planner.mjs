#!/usr/bin/env node
// A planner: what is unfinished goes on under a new id, with the same promise and the same checks, by somebody who works.
import { readFileSync } from 'node:fs';
import { noteCall, readBrief, tell } from './brief.mjs';

const RELIABLE = 'builder';

function fieldOf(block, name) {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
}

function idOf(block) {
  return /^## (\S+)/.exec(block)?.[1];
}

readBrief();
noteCall();
tell({ cost: { usd: 0, tokens: 0 } });

const [header, ...blocks] = readFileSync('PLAN.md', 'utf8').split(/^(?=## )/m);
const recorded = new Map([...readFileSync('LEDGER.md', 'utf8').matchAll(/^## (\S+) .*\[(\w+)\]$/gm)].map(([, id, status]) => [id, status]));
const unfinished = blocks.find((block) => !['done', 'no_op', undefined].includes(recorded.get(idOf(block))));

if (unfinished === undefined) {
  console.log('PLAN HOLDS: nothing that is recorded is unfinished');
} else {
  const version = Number(fieldOf(header, 'Plan version')) + 1;
  const old = idOf(unfinished);
  const numbers = [...recorded.keys(), ...blocks.map(idOf)].map((id) => Number(id.slice(1)));
  const next = `T${Math.max(...numbers) + 1}`;
  const because = `${old} left its postcondition unmet although its performer claimed otherwise`;
  const rest = blocks.filter((block) => !recorded.has(idOf(block)));
  const renamed = (block) => block.replace(/^Depends on: .*$/m, (line) => line.replace(new RegExp(`\\b${old}\\b`), next));
  const continued = unfinished
    .replace(`## ${old} `, `## ${next} `)
    .replace(/^Reasoning: .*$/m, `Reasoning: ${old} changed nothing; ${RELIABLE} does what it is asked.`)
    .replace(/^Performer: .*$/m, `Performer: ${RELIABLE}`)
    .replace(/^Depends on:/m, `Restates: ${fieldOf(unfinished, 'Done when')}\nContinues: ${old}\nDepends on:`);
  const versioned = header
    .replace(/^Replanned because: .*\n/m, '')
    .replace(/^Plan version: .*$/m, `Plan version: ${version}\nReplanned because: ${because}`);
  console.log([versioned, continued, ...rest.map(renamed)].map((part) => part.trimEnd()).join('\n\n'));
}
