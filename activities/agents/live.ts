import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../../documents/config.js';
import { performerEnvironment } from '../environment.js';
import { createCapture } from '../process/capture.js';
import type { AgentReading, Variables } from './adapter.js';
import { adapterFor } from './adapters.js';
import { firstLine } from './stream.js';

const QUESTION = 'Change nothing and run nothing. Answer with the one word: ready';
const HEAD_BYTES = 1024 * 1024;
const TAIL_BYTES = 4 * 1024 * 1024;

/** Asks an agent one question, as a run would: `answers`, or why not and what to do. */
export async function askLive(
  name: string,
  agent: Agent,
  given: { environment: Variables; names: { pass: string[]; secrets: string[] }; workspace: string; timeoutMs: number },
): Promise<{ answers: boolean; says: string; fix: string | null }> {
  const adapter = adapterFor(name, agent);
  if ('missing' in adapter) return { answers: false, says: adapter.missing, fix: adapter.userAction };
  const { variables, secrets } = performerEnvironment(given.names, given.environment, adapter.passes);
  const folder = mkdtempSync(join(tmpdir(), 'donewhen-live-'));
  try {
    const here = { isRoot: false, isSandbox: false, hasSandbox: false, gitDir: null };
    const asked = { role: 'verifier', prompt: QUESTION, mark: 'A question of donewhen', session: null, checks: [] };
    const start = adapter.start({ ...asked, workspace: given.workspace, folder, tmp: folder, here });
    if ('refused' in start) return { answers: false, says: start.refused.why, fix: start.refused.userAction };
    const env = { ...variables, ...start.env };
    const log = await output(start.argv, { env, stdin: start.stdin, cwd: given.workspace, timeoutMs: given.timeoutMs, secrets });
    return answerIn(adapter.read({ ...log, endedAt: Date.now() }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function answerIn({ output, limited, refused, problem }: AgentReading): { answers: boolean; says: string; fix: string | null } {
  if (refused !== undefined) return { answers: false, says: refused.why, fix: refused.userAction };
  if (limited !== null) {
    const until = limited.until === null ? '' : `, until ${new Date(limited.until).toISOString()}`;
    return { answers: false, says: `${limited.why}${until}`, fix: 'a run waits for it by itself' };
  }
  const said = firstLine(output);
  if (said !== '' && problem === null) return { answers: true, says: `answers: ${said.slice(0, 60)}`, fix: null };
  return { answers: false, says: problem ?? 'it ended without an answer', fix: 'start it by hand in this folder and see what it says' };
}

interface Asked {
  env: Record<string, string>;
  stdin: string;
  cwd: string;
  timeoutMs: number;
  secrets: string[];
}

async function output([program = '', ...args]: string[], asked: Asked): Promise<{ stdout: string; stderr: string }> {
  const kept = { headBytes: HEAD_BYTES, tailBytes: TAIL_BYTES, secrets: asked.secrets };
  const [stdout, stderr] = [createCapture(kept), createCapture(kept)];
  const child = spawn(program, args, { env: asked.env, cwd: asked.cwd, stdio: 'pipe', detached: true });
  child.stdout.on('data', stdout.write);
  child.stderr.on('data', stderr.write);
  child.stdin.on('error', () => undefined);
  child.stdin.end(asked.stdin);
  let timer: NodeJS.Timeout | undefined;
  const fault = await new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${asked.timeoutMs / 1000} s`), asked.timeoutMs);
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(''));
  });
  clearTimeout(timer);
  child.stdout.removeAllListeners('data');
  child.stderr.removeAllListeners('data');
  killGroup(child.pid);
  return { stdout: stdout.close().text, stderr: `${stderr.close().text}\n${fault}` };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended, with all that it started in its group.
  }
}
