import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findTool } from '../../activities/process/forest.js';
import { programsOf } from '../../scripts/agents.mjs';
import { planText, taskText } from '../client/support/folders.js';
import { openAgentStage } from '../support/agent-stage.js';
import { describeAgent } from './every-agent.js';
import { DONE } from './play.js';
import { honest, runs } from './scenarios.js';

// A key has no limits with a reset time.
describeAgent({ agent: 'claude', kind: 'claude-code' }, { home: { claudeAccount: 'subscription' }, without: {} });

const hasSandbox = ['bwrap', 'socat'].every((tool) => findTool(tool, process.env.PATH ?? '') !== null);

test.skipIf(programsOf('claude') === null || !hasSandbox)(
  'claude in its own sandbox (bubblewrap and socat) writes in the workspace alone, and commits where a check looks at git',
  async () => {
    const acts = [
      runs('python3 -c "print(40 + 2)" > inside'),
      runs('touch "$HOME/outside" || echo no > refused'),
      runs('git add inside && git -c user.name=a -c user.email=a@example.org commit -qm inside'),
    ];
    const plan = planText(taskText('T1', { checks: ['file: out-T1', 'git: tracked inside'] }));
    const stage = await openAgentStage('claude', { plan, scenes: (folder) => [honest(folder, 'T1', ...acts)] });
    onTestFinished(stage.remove);
    const { code, ledger } = await stage.carryOut();
    const made = ['inside', 'refused'].map((name) => readFileSync(join(stage.folder, name), 'utf8'));
    expect({ code, ledger, made, outside: existsSync(join(stage.home, 'outside')) }).toEqual({
      code: 0,
      ledger: DONE,
      made: ['42\n', 'no\n'],
      outside: false,
    });
  },
);
