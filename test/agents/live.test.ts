import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { programsOf } from '../../scripts/agents.mjs';
import type { Scene } from '../model-server/script.js';
import { startModelServer } from '../model-server/server.js';
import { createAgentHome } from '../support/agent-homes.js';
import { ROOT } from '../support/sources.js';
import { claims, runs } from './scenarios.js';

test.skipIf(programsOf('codex') === null)('npm run test:live tells whether the agent of this HOME does one task', async () => {
  const scenes: Scene[] = [{ when: 'T1 — A greeting', turns: [runs('printf Hello > hello.txt'), claims('done', 'hello.txt greets.')] }];
  const model = await startModelServer(scenes);
  const home = createAgentHome(model.url);
  onTestFinished(async () => {
    await model.close();
    home.remove();
  });
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const env = { ...process.env, HOME: home.path, XDG_CACHE_HOME: cache, PATH: `${programsOf('codex')}:${process.env.PATH}` };
  const child = spawn(process.execPath, [join(ROOT, 'scripts/live.mjs'), 'codex'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, last: out.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: '1 passed, 0 failed' });
});
