// a5: what a command costs beside what it cannot do without.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { donewhen, MAIN } from './command.mjs';
import { figure, median, round } from './figures.mjs';
import { workspaceOf } from './plans.mjs';

const PAIRS = 15;

function timed(args, env) {
  const began = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.slice(0, 400)}`);
  return Number(process.hrtime.bigint() - began) / 1e6;
}

/** Pairs one after the other, the order turned each time; the first pair warms the disk and is dropped. */
function paired(left, right) {
  const pairs = Array.from({ length: PAIRS + 1 }, (_, index) => {
    const first = index % 2 === 0 ? left() : right();
    const second = index % 2 === 0 ? right() : left();
    return index % 2 === 0 ? { left: first, right: second } : { left: second, right: first };
  }).slice(1);
  return {
    runs: pairs.map((pair) => pair.left / pair.right),
    leftMs: round(median(pairs.map((p) => p.left))),
    rightMs: round(median(pairs.map((p) => p.right))),
  };
}

export async function a5(bench) {
  const { env, folder, session } = bench;
  const plan = 'waits-for-a-person';
  const workspace = workspaceOf(folder, plan, 1, { holds: true });
  await donewhen(['run', workspace, '--json'], env);
  const bare = fileURLToPath(new URL('./floor/query.mjs', import.meta.url));
  const status = paired(
    () => timed([MAIN, 'status', plan], env),
    () => timed([bare, session.address, session.namespace, `donewhen-${plan}`], env),
  );
  const help = paired(
    () => timed([MAIN, '--help'], env),
    () => timed(['-e', '0'], env),
  );
  bench.log(`a5: status ${status.leftMs} ms, bare query ${status.rightMs}; help ${help.leftMs} ms, node ${help.rightMs}`);
  return {
    status: figure({ goal: 1.15, runs: status.runs, detail: { oursMs: status.leftMs, floorMs: status.rightMs } }),
    help: figure({ goal: 1.5, runs: help.runs, detail: { oursMs: help.leftMs, floorMs: help.rightMs } }),
  };
}
