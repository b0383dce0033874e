import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CheckInput, Place } from '../../activities/interface.js';
import type { LookContext } from '../../activities/observe/context.js';
import { oursIn } from '../../activities/observe/ours.js';
import { createSupervisor, type Supervisor } from '../../activities/process/client.js';
import { PATH } from './attempts.js';

/** A workspace of its own for one test, with a supervisor that several tests share. */
export interface Site {
  workspace: string;
  context: LookContext;
  place: Place;
  write(path: string, text: string | Uint8Array): void;
  leave(): void;
}

export function sharedSupervisor(): Supervisor {
  return createSupervisor({ searchPath: PATH });
}

export function openSite(supervisor: Supervisor): Site {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'donewhen-looks-')));
  const workspace = join(root, 'workspace');
  const folder = join(workspace, '.donewhen', 'demo');
  mkdirSync(folder, { recursive: true });
  const variables = { PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  return {
    workspace,
    context: {
      workspace,
      run: (command) => supervisor.run(command),
      variables,
      secrets: [],
      timeoutMs: 20_000,
      ours: oursIn({ workspace, out: workspace }),
      signal: new AbortController().signal,
    },
    place: {
      slug: 'demo',
      workflowId: 'donewhen-demo',
      workspace,
      out: workspace,
      folder,
      configSha256: '0'.repeat(64),
      specSha256: null,
      pinned: [],
      host: 'here',
    },
    write: (path, text) => {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    },
    leave: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export function checkInput(place: Place, more: Partial<CheckInput>): CheckInput {
  const nothing = { task: null, token: null, planSha256: null, claim: null, writes: null };
  return { place, checks: [], when: 'before', checkMinutes: 1, ...nothing, ...more };
}
