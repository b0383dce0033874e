import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDisk } from '../../activities/files/disk.js';
import type { PipelineStart } from '../../activities/interface.js';
import { createLoad, type LoadInput } from '../../activities/load.js';
import { openLocalLooks } from '../../activities/observe/local.js';
import { oursIn } from '../../activities/observe/ours.js';
import type { LoadPorts } from '../../activities/ports.js';
import { PATH } from './attempts.js';
import { temporaryFolder } from './disks.js';

export const GIT_ENVIRONMENT = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

export const CONFIG_TEXT = 'agents:\n  mine: { kind: command, command: [node, agent.mjs] }\nroles: { performer: mine, planner: mine }\n';

export function filePorts(home: string, more: Partial<LoadPorts> = {}): LoadPorts {
  return {
    disk: createDisk(),
    home,
    hostId: 'host-1',
    now: () => 0,
    environment: GIT_ENVIRONMENT,
    installed: async () => false,
    searchAttributes: async () => ['DonewhenPhase'],
    isOpen: async () => null,
    look: lookForReal,
    ...more,
  };
}

const lookForReal: LoadPorts['look'] = async (check, { workspace, out, timeoutMs, signal }) => {
  const place = { workspace, variables: { PATH }, secrets: [], timeoutMs, ours: oursIn({ workspace, out }), signal };
  const looks = openLocalLooks({ ...place, searchPath: PATH });
  try {
    return await looks.look(check);
  } finally {
    looks.close();
  }
};

export function inFolder(files: Record<string, string>, folder = temporaryFolder()): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export function gitIn(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

export function committed(folder: string): string {
  gitIn(folder, 'init', '-q', '-b', 'main');
  gitIn(folder, 'add', '-A');
  gitIn(folder, 'commit', '-qm', 'base', '--allow-empty');
  return folder;
}

/** Loads a plan in a workspace with these files; the input may say more. */
export function loading(workspace: string, input: Partial<LoadInput> & { plan: string }, more: Partial<LoadPorts> = {}) {
  const ports = filePorts(temporaryFolder(), more);
  return createLoad(ports)({ workspace: { path: workspace }, workflowId: 'donewhen-demo', now: 0, ...input });
}

/** The same of a pipeline. */
export function loadingPipeline(workspace: string, input: Partial<PipelineStart> & { pipeline: string }, more: Partial<LoadPorts> = {}) {
  const ports = filePorts(temporaryFolder(), more);
  return createLoad(ports)({ workspace: { path: workspace }, files: {}, workflowId: 'donewhen-demo', now: 0, ...input });
}

/** The type and the problems of a refused start. */
export async function refusal(loaded: Promise<unknown>): Promise<{ type: unknown; problems: string[] }> {
  try {
    await loaded;
  } catch (error) {
    if (error instanceof Error && 'type' in error) return { type: error.type, problems: error.message.split('\n') };
    throw error;
  }
  throw new Error('the start was not refused');
}
