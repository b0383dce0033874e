import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missing, note, ok, renderFindings } from '../../../client/doctor/finding.js';
import { agentFindings, databaseFindings, nodeFinding } from '../../../client/doctor/machine.js';
import { folderWith } from '../support/folders.js';

test('Node is good from 20.19 on', () => {
  expect(['18.20.4', '20.18.1', '20.19.0', '24.1.0'].map((version) => nodeFinding(version).status)).toEqual([
    'missing',
    'missing',
    'ok',
    'ok',
  ]);
});

test('a database of another version of the CLI is named, with the way to see its runs', () => {
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  for (const name of ['temporal-1.8.db', 'temporal-1.8.db-wal', 'temporal-1.9.db']) writeFileSync(join(home, name), '');
  const findings = databaseFindings(home, '1.9.1');
  rmSync(home, { recursive: true });
  expect(findings).toEqual([
    {
      what: 'database',
      status: 'note',
      says: `${join(home, 'temporal-1.8.db')} holds runs of an embedded server that Temporal CLI 1.8 runs`,
      fix: 'to see them, name a CLI 1.8 in DONEWHEN_TEMPORAL_CLI',
    },
  ]);
});

test.each([
  [
    'agents: { mine: { kind: command, command: [node, a.mjs] } }',
    [{ what: 'agents', status: 'ok', says: 'mine (donewhen.yaml)', fix: null }],
  ],
  [
    'agents: { mine: { kind: command, command: [nowhere] } }\nlimits: { parallel: 2 }\nworkspace: { isolation: worktree }',
    [
      {
        what: 'agents',
        status: 'note',
        says: 'agent mine: its program nowhere is not on PATH: install it, or change the agent in donewhen.yaml',
        fix: null,
      },
      {
        what: 'donewhen.yaml',
        status: 'note',
        says: 'workspace.isolation is worktree, which this version does not have: attempts work in the workspace itself',
        fix: null,
      },
      {
        what: 'donewhen.yaml',
        status: 'note',
        says: 'limits.parallel is 2: only tasks that say in Writes that they write different files go side by side, in the workspace itself',
        fix: null,
      },
    ],
  ],
  [
    'agent: {}',
    [
      {
        what: 'donewhen.yaml',
        status: 'missing',
        says: 'donewhen.yaml:1: agent is no known key; did you mean agents?',
        fix: 'mend it: `donewhen check` names all that is wrong',
      },
    ],
  ],
  [
    '',
    [
      {
        what: 'agents',
        status: 'note',
        says: 'none of claude, codex, gemini, agy, opencode is on PATH',
        fix: 'install one, or name a command of your own in donewhen.yaml',
      },
    ],
  ],
])('agents are those of the donewhen.yaml here: %j', (text, findings) => {
  const workspace = folderWith({ 'donewhen.yaml': text, 'bin/node': '#!/bin/sh\n' });
  chmodSync(join(workspace, 'bin/node'), 0o755);
  const found = agentFindings({ PATH: join(workspace, 'bin') }, workspace);
  rmSync(workspace, { recursive: true });
  expect(found).toEqual(findings);
});

test('a finding is a line, and a second one with the way out', () => {
  expect(renderFindings([ok('node', '20.20.2'), missing('git', 'not on PATH', 'install git'), note('agents', 'none')])).toBe(
    ['ok       node    20.20.2', 'missing  git     not on PATH', '                 → install git', 'note     agents  none'].join('\n'),
  );
});
