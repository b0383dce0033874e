// a1: our time a task against a bare workflow's with the same four activities. a2: the same, and memory, at 1,000 against 100.
// a3: tasks that hold already.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { donewhen } from './command.mjs';
import { figure, median, round } from './figures.mjs';
import { workspaceOf } from './plans.mjs';

const FEW = 100;
const MANY = 1000;

/** Milliseconds a task, from the first look to the last entry, as the run's own record has them. */
async function ours({ env, folder }, title, tasks) {
  const workspace = workspaceOf(folder, title, tasks);
  const { code, json, stderr, memoryMb } = await donewhen(['run', workspace, '--json'], env);
  if (code !== 0 || json === null) throw new Error(`${title} ended with ${code}: ${stderr.slice(0, 400)}`);
  const times = json.ledger.map((entry) => [Date.parse(entry.startedAt), Date.parse(entry.endedAt)]);
  const began = Math.min(...times.map(([start]) => start));
  const ended = Math.max(...times.map(([, end]) => end));
  return { ms: (ended - began) / tasks, memoryMb };
}

/** The floor in a process of its own, on the same server: its milliseconds a task. */
function floor({ session, folder }, round, tasks) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./floor/main.mjs', import.meta.url)), [
      session.address,
      session.namespace,
      join(folder, `floor-${round}.md`),
      String(tasks),
    ]);
    let ms = null;
    child.once('message', (message) => {
      ms = message;
    });
    child.once('exit', (code) => (ms === null ? reject(new Error(`the floor ended with ${code}`)) : resolve(ms / tasks)));
  });
}

export async function a1(bench) {
  const pairs = [];
  for (let round = 1; round <= bench.runs; round++) {
    const bare = await floor(bench, round, FEW);
    const { ms } = await ours(bench, `few-${round}`, FEW);
    pairs.push({ bare, ms });
    bench.log(`a1 ${round}: ours ${ms.toFixed(1)} ms a task, floor ${bare.toFixed(1)}`);
  }
  const detail = { oursMs: round(median(pairs.map((pair) => pair.ms))), floorMs: round(median(pairs.map((pair) => pair.bare))) };
  return figure({ goal: 1.0, runs: pairs.map(({ ms, bare }) => ms / bare), detail });
}

export async function a2(bench) {
  const pairs = [];
  for (let round = 1; round <= bench.runs; round++) {
    const few = await ours(bench, `flat-few-${round}`, FEW);
    const many = await ours(bench, `flat-many-${round}`, MANY);
    pairs.push({ few, many });
    bench.log(
      `a2 ${round}: ${few.ms.toFixed(1)} → ${many.ms.toFixed(1)} ms a task, ${few.memoryMb.toFixed(0)} → ${many.memoryMb.toFixed(0)} MB`,
    );
  }
  const memory = figure({ goal: 1.15, runs: pairs.map(({ few, many }) => many.memoryMb / few.memoryMb) });
  return { time: figure({ goal: 1.1, runs: pairs.map(({ few, many }) => many.ms / few.ms) }), memory };
}

export async function a3(bench) {
  const workspace = workspaceOf(bench.folder, 'held', FEW, { holds: true });
  const { json } = await donewhen(['run', workspace, '--json'], bench.env);
  const { dispatches, cost } = json;
  return figure({
    goal: 0,
    unit: 'dispatches + tokens',
    runs: [dispatches + cost.tokens],
    detail: { dispatches, tokens: cost.tokens, outcome: json.outcome },
  });
}
