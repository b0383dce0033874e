// A process of a given size that has programs started for it as a worker has; sends the median of their milliseconds.
import { createSupervisor } from '../../../dist/activities/process/client.js';
import { median } from '../figures.mjs';

const [ballastMb, searchPath] = process.argv.slice(2);
const STARTS = 60;
const COMMAND = {
  program: { argv: ['true'] },
  cwd: process.cwd(),
  timeoutMs: 10_000,
  graceMs: 1_000,
  headBytes: 1_000,
  tailBytes: 1_000,
  secrets: [],
};
const ballast = Array.from({ length: Number(ballastMb) }, () => Buffer.alloc(1024 * 1024, 1));
const supervisor = createSupervisor({ searchPath });
const times = [];
for (let index = 0; index < STARTS + 5; index++) {
  const began = process.hrtime.bigint();
  await supervisor.run({ ...COMMAND, env: { PATH: searchPath } });
  if (index >= 5) times.push(Number(process.hrtime.bigint() - began) / 1e6);
}
process.send(median(times));
await supervisor.close();
if (ballast.length < 0) throw new Error('the ballast is kept to the end');
process.disconnect();
