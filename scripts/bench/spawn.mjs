// a6: what it costs to start a program for a worker of 1 GiB, against one of 50 MB.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { figure } from './figures.mjs';

const SMALL_MB = 0;
const LARGE_MB = 1024;

function spawnMs(ballastMb, path) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('./floor/spawner.mjs', import.meta.url)), [String(ballastMb), path]);
    let ms = null;
    child.once('message', (message) => {
      ms = message;
    });
    child.once('exit', (code) => (ms === null ? reject(new Error(`the spawner ended with ${code}`)) : resolve(ms)));
  });
}

export async function a6(bench) {
  const pairs = [];
  for (let round = 1; round <= bench.runs; round++) {
    const small = await spawnMs(SMALL_MB, bench.env.PATH);
    const large = await spawnMs(LARGE_MB, bench.env.PATH);
    pairs.push({ small, large });
    bench.log(`a6 ${round}: ${small.toFixed(2)} ms → ${large.toFixed(2)} ms`);
  }
  return figure({ goal: 1.2, runs: pairs.map(({ small, large }) => large / small) });
}
