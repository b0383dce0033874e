import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { askAgents, lookAtAgents } from '../../../client/doctor/agents.js';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'donewhen-doctor-'));
  mkdirSync(join(cwd, 'bin'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const here = () => ({ cwd, env: { PATH: `${join(cwd, 'bin')}:/bin`, HOME: cwd, CODEX_API_KEY: 'k' } });
const install = (name: string, script: string) => {
  writeFileSync(join(cwd, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(cwd, 'bin', name), 0o755);
};

it('the agents of the donewhen.yaml here are told with version and account, or what to install', async () => {
  install('codex', 'echo codex-cli 0.171.0');
  const agents = 'agents: { mine: { kind: command, command: [x] }, codex: { kind: codex }, oc: { kind: opencode } }\n';
  writeFileSync(join(cwd, 'donewhen.yaml'), `${agents}environment: { pass: [PATH, HOME, CODEX_API_KEY] }\n`);
  expect(await lookAtAgents(here())).toEqual([
    { what: 'codex', status: 'ok', says: '0.171.0, as tried; credentials: api key', fix: null },
    { what: 'oc', status: 'note', says: 'its program is not there', fix: 'install opencode' },
  ]);
});

it('without one the known agents that are installed are told, and asked', async () => {
  install(
    'codex',
    `cat > /dev/null; echo '{"type":"turn.failed","error":{"message":"Quota exceeded. Check your plan and billing details."}}'`,
  );
  expect((await lookAtAgents(here())).map(({ what, says }) => [what, says])).toEqual([
    ['codex', 'version unknown, tried with 0.171.0; credentials: unknown'],
  ]);
  expect(await askAgents(here())).toEqual([
    {
      what: 'codex, live',
      status: 'missing',
      says: 'codex: Quota exceeded. Check your plan and billing details.',
      fix: 'See to the plan or the credit of the account that codex uses, then resolve this blocker.',
    },
  ]);
});
