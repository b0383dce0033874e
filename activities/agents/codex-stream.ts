import { parseReturnBlock, type ReturnBlock } from '../../documents/return-block.js';
import { parseReturnValue } from '../../documents/return-value.js';
import type { AgentLog, AgentReading, Glance } from './adapter.js';
import { clockTimeIn } from './codex-limits.js';
import { failureOf } from './failures.js';
import { doubtsAbout } from './plausible.js';
import { withFailure } from './reading.js';
import { type Fields, fieldsOf, firstLine, isFields, joined, jsonIn, lastWords, linesIn, listOf, parsed, sumOf, textOf } from './stream.js';

interface Heard {
  session: string | null;
  said: string;
  /** Its newest message, if it did nothing after it. */
  last: string;
  tokens: number | null;
  doubts: string[];
  hasEnded: boolean;
  complaint: string | null;
}

const NOISE = /^Reading additional input|^\d{4}-\d\d-\d\dT/;
const DENIAL = /error=((?:patch|command|exec)[^;]*rejected[^;]*)/gi;
const STATUS = /(?:last|unexpected) status:? (\d{3})/;

export function readCodex(agent: string, { stdout, stderr, endedAt }: AgentLog): AgentReading {
  const heard: Heard = { session: null, said: '', last: '', tokens: null, doubts: [], hasEnded: false, complaint: null };
  for (const line of linesIn(stdout)) {
    const event = jsonIn(line);
    if (event !== null) hear(heard, event);
  }
  const { session, said, last, tokens, doubts, hasEnded, complaint } = heard;
  const denied = [...stderr.matchAll(DENIAL)].map(([, words = '']) => firstLine(words));
  const about = {
    session,
    // It tells no money.
    cost: { usd: null, tokens },
    ...(tokens === null ? {} : { countsSession: true as const }),
    ...(denied.length === 0 ? {} : { denied }),
    ...(doubts.length === 0 ? {} : { doubts }),
  };
  if (hasEnded) return { output: last || said, ...claimIn(heard), limited: null, ...about };
  const { claim } = claimOf(last);
  if (claim !== null) return { output: last, claim, problem: null, limited: null, ...about };
  if (complaint === null && session !== null)
    return { output: said, claim: null, problem: 'its stream ends without a result', limited: null, ...about };
  const words = complaint ?? (lastWords(stderr, NOISE) || 'it ended without an answer');
  const status = Number(STATUS.exec(words)?.[1] ?? Number.NaN);
  const failure = failureOf({ agent, words, status: Number.isNaN(status) ? null : status, until: clockTimeIn(words, endedAt) });
  return withFailure({ output: said, ...about }, failure);
}

function claimIn({ last, said }: Heard): ReturnBlock {
  const newest = claimOf(last);
  return newest.claim === null && newest.problem === null ? parseReturnBlock(said) : newest;
}

/** Held to a schema its message is JSON, else text with a block. */
function claimOf(message: string): ReturnBlock {
  const value = parsed(message);
  return isFields(value) ? parseReturnValue(value) : parseReturnBlock(message);
}

function hear(heard: Heard, event: Fields): void {
  switch (event.type) {
    case 'thread.started':
      heard.session = textOf(event.thread_id) || heard.session;
      break;
    case 'item.started':
      heard.last = '';
      break;
    case 'item.completed': {
      const { type, text } = fieldsOf(event.item);
      if (type === 'error') break;
      heard.complaint = null;
      heard.last = type === 'agent_message' ? textOf(text) : '';
      heard.said = joined(heard.said, heard.last);
      break;
    }
    case 'turn.completed': {
      const { input_tokens, output_tokens } = fieldsOf(event.usage);
      heard.tokens = sumOf([input_tokens, output_tokens]);
      heard.doubts = doubtsAbout('tokens', [input_tokens, output_tokens]);
      heard.hasEnded = true;
      heard.complaint = null;
      break;
    }
    case 'error':
      heard.complaint = wordsOf(textOf(event.message));
      break;
    case 'turn.failed':
      heard.complaint = wordsOf(textOf(fieldsOf(event.error).message));
      break;
  }
}

/** The body of a refused request comes as it is. */
function wordsOf(message: string): string {
  return textOf(fieldsOf(fieldsOf(parsed(message)).error).message) || message;
}

export function glanceAtCodex(lines: readonly string[]): Glance {
  let glance: Glance = { session: null, progress: null };
  for (const line of lines) {
    const event = jsonIn(line);
    if (event === null) continue;
    glance = { session: textOf(event.thread_id) || glance.session, progress: progressIn(event) || glance.progress };
  }
  return glance;
}

function progressIn(event: Fields): string {
  if (event.type === 'error') return firstLine(textOf(event.message));
  const { type, text, command, changes } = fieldsOf(event.item);
  switch (type) {
    case 'command_execution':
      return firstLine(textOf(command));
    case 'file_change':
      return `edits ${listOf(changes)
        .map((change) => textOf(fieldsOf(change).path))
        .join(', ')}`.slice(0, 300);
    default:
      return firstLine(textOf(text));
  }
}
