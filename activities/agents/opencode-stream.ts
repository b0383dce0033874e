import { parseReturnBlock } from '../../documents/return-block.js';
import type { AgentLog, AgentReading, Glance } from './adapter.js';
import { failureOf } from './failures.js';
import { doubtsAbout } from './plausible.js';
import { withFailure } from './reading.js';
import { amountOf, type Fields, fieldsOf, firstLine, joined, jsonIn, lastWords, linesIn, sumOf, textOf } from './stream.js';

interface Heard {
  session: string | null;
  said: string;
  last: string;
  usd: number | null;
  tokens: number | null;
  hasEnded: boolean;
  denied: string[];
  doubts: string[];
  error: { words: string; status: number | null; until: number | null } | null;
}

const NOISE = /^\W*(?:permission requested|\d{4}-\d\d-\d\dT)/;
const DENIAL = /rejected permission|rule which prevents/i;
/** A shorter wait is one that it makes itself. */
const WAIT_MS_MIN = 60_000;

export function readOpencode(agent: string, { stdout, stderr }: AgentLog): AgentReading {
  const heard: Heard = { session: null, said: '', last: '', usd: null, tokens: null, hasEnded: false, denied: [], doubts: [], error: null };
  for (const line of linesIn(stdout)) {
    const event = jsonIn(line);
    if (event !== null) hear(heard, event);
  }
  const { session, said, last, usd, tokens, hasEnded, denied, doubts, error } = heard;
  // It prices tokens by a list; nothing for some tokens means that the list has no price.
  const cost = { usd: usd === 0 && tokens !== 0 ? null : usd, tokens };
  const about = { session, cost, ...(denied.length === 0 ? {} : { denied }), ...(doubts.length === 0 ? {} : { doubts }) };
  const answer = parseReturnBlock(last);
  if (error === null && (hasEnded || answer.claim !== null)) {
    const { claim, problem } = answer.claim === null && answer.problem === null ? parseReturnBlock(said) : answer;
    return {
      output: last || said,
      claim,
      problem: last === '' && claim === null ? 'it ended without an answer' : problem,
      limited: null,
      ...about,
    };
  }
  if (error === null && session !== null)
    return { output: said, claim: null, problem: 'its stream ends without a result', limited: null, ...about };
  const words = error?.words ?? (lastWords(stderr, NOISE) || 'it ended without an answer');
  const failure = failureOf({ agent, words, status: error?.status ?? null, until: error?.until ?? null });
  return withFailure({ output: said, ...about }, failure);
}

function hear(heard: Heard, event: Fields): void {
  heard.session = textOf(event.sessionID) || heard.session;
  const part = fieldsOf(event.part);
  switch (event.type) {
    case 'step_start':
      heard.hasEnded = false;
      heard.error = null;
      break;
    case 'text':
      heard.last = joined(heard.last, textOf(part.text));
      heard.said = joined(heard.said, textOf(part.text));
      break;
    case 'tool_use':
      heard.last = '';
      hearTool(heard, part);
      break;
    case 'step_finish': {
      const { total, input, output, reasoning, cache } = fieldsOf(part.tokens);
      const { read, write } = fieldsOf(cache);
      heard.tokens = sumOf([heard.tokens, amountOf(total) ?? sumOf([input, output, reasoning, read, write])]);
      heard.usd = sumOf([heard.usd, part.cost]);
      heard.doubts.push(...doubtsAbout('USD', [part.cost]), ...doubtsAbout('tokens', [total, input, output, reasoning, read, write]));
      heard.hasEnded = part.reason !== 'tool-calls';
      break;
    }
    case 'error':
      heard.error = errorIn(fieldsOf(event.error), amountOf(event.timestamp));
      break;
  }
}

function hearTool(heard: Heard, { tool, state }: Fields): void {
  const { status, error, input } = fieldsOf(state);
  if (status !== 'error' || !DENIAL.test(textOf(error))) return;
  const { command, filePath } = fieldsOf(input);
  heard.denied.push(`${textOf(tool)}: ${firstLine(textOf(command) || textOf(filePath))}`);
}

/** Of all agents it alone hands on what the provider said, headers included. */
function errorIn({ name, data }: Fields, at: number | null): Heard['error'] {
  const { message, statusCode, responseHeaders } = fieldsOf(data);
  const headers = fieldsOf(responseHeaders);
  return { words: textOf(message) || textOf(name), status: amountOf(statusCode), until: at === null ? null : untilIn(headers, at) };
}

function untilIn(headers: Fields, at: number): number | null {
  const reset = Number(headers['anthropic-ratelimit-unified-reset']) * 1000;
  if (headers['anthropic-ratelimit-unified-status'] === 'rejected' && reset > at) return reset;
  const seconds = Number(textOf(headers['retry-after']) || Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? at + Math.max(seconds * 1000, WAIT_MS_MIN) : null;
}

export function glanceAtOpencode(lines: readonly string[]): Glance {
  let glance: Glance = { session: null, progress: null };
  for (const line of lines) {
    const event = jsonIn(line);
    if (event === null) continue;
    const { text, tool, state } = fieldsOf(event.part);
    const { command, filePath } = fieldsOf(fieldsOf(state).input);
    const progress = firstLine(textOf(text) || `${textOf(tool)} ${textOf(command) || textOf(filePath)}`);
    glance = { session: textOf(event.sessionID) || glance.session, progress: progress || glance.progress };
  }
  return glance;
}
