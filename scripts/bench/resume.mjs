// a4: a worker killed in the middle of a plan and started again at once: until the next ledger entry, against the same kill
// of a bare workflow's worker with Temporal's default timers (an activity with a heartbeat timeout of 30 s).
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { donewhen } from './command.mjs';
import { figure, median, round } from './figures.mjs';

const WORK_SECONDS = 1;
const WAIT_MS_MAX = 120_000;

async function until(condition, words) {
  for (const end = Date.now() + WAIT_MS_MAX; Date.now() < end; await pause(20)) {
    const value = condition();
    if (value) return value;
  }
  throw new Error(`waited in vain: ${words}`);
}

const linesOf = (file, pattern) => (existsSync(file) ? (readFileSync(file, 'utf8').match(pattern) ?? []).length : 0);

function slowPlan(title) {
  const tasks = [1, 2, 3].map(
    (n) =>
      `## T${n} — Part T${n}\nReasoning: slow\nTask: Make out-T${n}.\nDone when: out-T${n} exists.\nVerify by: the check\nChecks:\n- run: test -e out-T${n}\nPerformer: inline\nRun: touch begun-T${n} && sleep ${WORK_SECONDS} && : > out-T${n}\nDepends on: —\n`,
  );
  return `# PLAN: ${title}\n\nSpec: none\nGoal: Slow files are there.\nPlan version: 1\n\n${tasks.join('\n')}`;
}

async function ours({ env, folder }, n) {
  const workspace = join(folder, `kill-${n}`);
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'PLAN.md'), slowPlan(`kill-${n}`));
  writeFileSync(join(workspace, 'donewhen.yaml'), 'limits: { parallel: 1 }\n');
  let child;
  const killed = donewhen(['run', workspace, '--json'], env, { started: (started) => (child = started) });
  await until(() => existsSync(join(workspace, 'begun-T2')), 'T2 begins');
  const before = linesOf(join(workspace, 'LEDGER.md'), /^## T/gm);
  child.kill('SIGKILL');
  await killed;
  const began = Date.now();
  const again = donewhen(['run', workspace, '--json'], env);
  await until(() => linesOf(join(workspace, 'LEDGER.md'), /^## T/gm) > before, 'the next entry');
  const ms = Date.now() - began;
  const { code } = await again;
  if (code !== 0) throw new Error(`the run that went on ended with ${code}`);
  return ms;
}

async function bare({ session, folder }, n) {
  const ledger = join(folder, `kill-floor-${n}.md`);
  const id = `kill-floor-${process.pid}-${n}`;
  const start = () =>
    fork(fileURLToPath(new URL('./floor/slow.mjs', import.meta.url)), [
      session.address,
      session.namespace,
      ledger,
      id,
      String(WORK_SECONDS),
    ]);
  const first = start();
  await until(() => existsSync(`${ledger}.begun-2`), 'the second task of the floor begins');
  const before = linesOf(ledger, /^## T/gm);
  first.kill('SIGKILL');
  const began = Date.now();
  const second = start();
  await until(() => linesOf(ledger, /^## T/gm) > before, "the floor's next entry");
  const ms = Date.now() - began;
  await new Promise((resolve) => second.once('exit', resolve));
  return ms;
}

export async function a4(bench) {
  const pairs = [];
  for (let n = 1; n <= bench.runs; n++) {
    const [floorMs, oursMs] = [await bare(bench, n), await ours(bench, n)];
    pairs.push({ floorMs, oursMs });
    bench.log(`a4 ${n}: ${(oursMs / 1000).toFixed(1)} s, with default timers ${(floorMs / 1000).toFixed(1)} s`);
  }
  const detail = { oursMs: round(median(pairs.map((pair) => pair.oursMs))), floorMs: round(median(pairs.map((pair) => pair.floorMs))) };
  return figure({ goal: 0.15, runs: pairs.map((pair) => pair.oursMs / pair.floorMs), detail });
}
