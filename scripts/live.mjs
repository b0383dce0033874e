#!/usr/bin/env node
// One task by a real agent with your own account, which may cost a few cents: npm run test:live -- claude
// It works in a folder of its own and on a server of its own; the agent uses your HOME and your login. Nothing else calls this.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENTS } from './agents.mjs';
import { endLeftovers, markedEnvironment } from './leftovers.mjs';

const COMMAND = fileURLToPath(new URL('../dist/client/main.js', import.meta.url));
const RUN_MS_MAX = 900_000;

const PLAN = `# PLAN: live

Spec: none
Goal: Whoever opens the folder is greeted.
Plan version: 1

## T1 — A greeting
Reasoning: There is no hello.txt.
Task: Write the one word Hello into the file hello.txt.
Done when: hello.txt greets whoever reads it.
Verify by: the file says hello
Checks:
- file: hello.txt contains "Hello"
Depends on: —
`;

function run(folder, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [COMMAND, 'run', folder], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    const limit = setTimeout(() => child.kill('SIGKILL'), RUN_MS_MAX);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      resolve(signal ?? code);
    });
  });
}

async function live(agent) {
  const scratch = mkdtempSync(join(tmpdir(), 'donewhen-live-'));
  const folder = join(scratch, 'work');
  const mark = randomUUID();
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_'));
  const env = markedEnvironment({ ...Object.fromEntries(own), DONEWHEN_HOME: join(scratch, 'home') }, mark);
  try {
    spawnSync('git', ['init', '--quiet', folder]);
    writeFileSync(join(folder, 'PLAN.md'), PLAN);
    writeFileSync(
      join(folder, 'donewhen.yaml'),
      `roles: { performer: ${agent} }\nlimits: { taskMinutes: 10, costUsd: 1, dispatches: 3 }\n`,
    );
    const code = await run(folder, env);
    console.log(readFileSync(join(folder, 'LEDGER.md'), 'utf8'));
    const left = await endLeftovers(mark);
    for (const words of left) console.error(words);
    return code === 0 && left.length === 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const [agent, ...more] = process.argv.slice(2);
if (agent === undefined || more.length > 0 || !Object.hasOwn(AGENTS, agent)) {
  console.error(`live: name one agent that you have an account for: npm run test:live -- ${Object.keys(AGENTS).join(' | ')}`);
  process.exitCode = 2;
} else {
  const isDone = await live(agent).catch((error) => {
    console.error(`live: ${error.message}`);
    return false;
  });
  console.log(isDone ? '1 passed, 0 failed' : '0 passed, 1 failed');
  process.exitCode = isDone ? 0 : 1;
}
