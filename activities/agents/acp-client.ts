import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import type { AcpEvent } from './acp-events.js';
import { type AcpTask, talk } from './acp-talk.js';

/**
 * `node acp-client.js TASK PROGRAM …`, the prompt on standard input: starts an agent that speaks the Agent Client
 * Protocol, asks it, and prints what it says as JSON lines. For its supervisor it is an agent like any other.
 */

/** After a cancel the agent ends its own tools; whoever sent the signal does not wait much longer. */
const CANCEL_MS_MAX = 3_000;

async function main(): Promise<void> {
  const [given = '{}', program = '', ...args] = process.argv.slice(2);
  const task: Omit<AcpTask, 'prompt' | 'cwd'> = JSON.parse(given);
  const prompt = await text(process.stdin);
  const agent = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const stop = new AbortController();
  process.on('SIGTERM', () => {
    stop.abort();
    setTimeout(() => process.exit(143), CANCEL_MS_MAX).unref();
  });
  let hasFailed = false;
  const print = (event: AcpEvent) => {
    hasFailed ||= event.acp === 'failed';
    process.stdout.write(`${JSON.stringify(event)}\n`);
  };
  agent.on('error', (error) => print({ acp: 'failed', words: `${program} could not be started: ${error.message}`, status: null }));
  agent.stdin.on('error', () => undefined);
  const stream = ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
  await talk(stream, { ...task, prompt, cwd: process.cwd() }, { print, signal: stop.signal });
  agent.kill('SIGTERM');
  process.exitCode = hasFailed ? 1 : 0;
  // An agent that ignores the signal is ended with the tree of the attempt.
  process.stdout.write('', () => process.exit());
}

await main();
