// What the agents of this example have in common: the brief comes on standard input, and messages to donewhen are lines of JSON.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const {
  DONEWHEN_ATTEMPT: attempt = '',
  DONEWHEN_ROLE: role = '',
  DONEWHEN_TASK: task = '',
  DONEWHEN_WORKSPACE: workspace = '.',
} = process.env;

/** Reads the brief to its end. */
export function readBrief() {
  return readFileSync(0, 'utf8');
}

/** Notes outside the project's history that this agent was called, so that the demo can count the calls. */
export function noteCall() {
  const log = join(workspace, '.home', 'calls.log');
  mkdirSync(dirname(log), { recursive: true });
  appendFileSync(log, `${JSON.stringify({ role, task, attempt })}\n`);
}

export function tell(message) {
  console.log(JSON.stringify({ donewhen: message }));
}
