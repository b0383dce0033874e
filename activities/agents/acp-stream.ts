import { parseReturnBlock } from '../../documents/return-block.js';
import type { AgentLog, AgentReading, Glance } from './adapter.js';
import { failureOf } from './failures.js';
import { withFailure } from './reading.js';
import { amountOf, firstLine, joined, jsonIn, lastWords, linesIn, textOf } from './stream.js';

interface Heard {
  session: string | null;
  said: string;
  last: string;
  message: string;
  usd: number | null;
  tokens: number | null;
  denied: string[];
  ended: string | null;
  trouble: { words: string; status: number | null } | null;
  failed: { words: string; status: number | null } | null;
}

/** Traces, dumps and remarks on the way. */
const NOISE = /^\s|^\[|^[^A-Za-z]*$|^Ripgrep is not available|^Error handling request/;

/** What our client printed (acp-events.ts). It is read like any other stream: its agent may have been killed. */
export function readAcp(agent: string, { stdout, stderr }: AgentLog): AgentReading {
  const heard: Heard = {
    session: null,
    said: '',
    last: '',
    message: '',
    usd: null,
    tokens: null,
    denied: [],
    ended: null,
    trouble: null,
    failed: null,
  };
  for (const line of linesIn(stdout)) hear(heard, line);
  const { session, said, last, usd, tokens, denied, ended, trouble } = heard;
  const everything = joined(said, last);
  const about = { session, cost: { usd: usd === 0 && tokens !== 0 ? null : usd, tokens }, ...(denied.length === 0 ? {} : { denied }) };
  const failed = heard.failed ?? (trouble !== null && last.trim() === trouble.words.trim() ? trouble : null);
  const answer = parseReturnBlock(last);
  if (failed === null && (ended === 'end_turn' || answer.claim !== null)) {
    const { claim, problem } = answer.claim === null && answer.problem === null ? parseReturnBlock(everything) : answer;
    const nothing = everything.trim() === '' ? 'it ended without an answer' : null;
    return { output: last || said, claim, problem: problem ?? (claim === null ? nothing : null), limited: null, ...about };
  }
  if (failed === null && session !== null) {
    const problem = ended === null ? 'its stream ends without a result' : `it ended with ${ended}`;
    return { output: everything, claim: null, problem, limited: null, ...about };
  }
  const words = failed?.words || lastWords(stderr, NOISE) || 'it ended before it answered';
  return withFailure({ output: everything, ...about }, failureOf({ agent, words, status: failed?.status ?? null }));
}

function hear(heard: Heard, line: string): void {
  const event = jsonIn(line);
  if (event === null) return;
  switch (event.acp) {
    case 'session':
      heard.session = textOf(event.session) || heard.session;
      break;
    case 'text':
      if (event.message !== heard.message && heard.last !== '') heard.last += '\n\n';
      heard.message = textOf(event.message);
      heard.last += textOf(event.text);
      break;
    case 'tool':
      heard.said = joined(heard.said, heard.last);
      heard.last = '';
      break;
    case 'denied':
      heard.denied.push(firstLine(textOf(event.call)));
      break;
    case 'cost':
      heard.usd = amountOf(event.usd) ?? heard.usd;
      break;
    case 'tokens':
      heard.tokens = amountOf(event.tokens) ?? heard.tokens;
      break;
    case 'trouble':
      heard.trouble = { words: textOf(event.words), status: amountOf(event.status) };
      break;
    case 'failed':
      heard.failed = { words: textOf(event.words), status: amountOf(event.status) };
      break;
    case 'ended':
      heard.ended = textOf(event.reason);
      break;
  }
}

export function glanceAtAcp(lines: readonly string[]): Glance {
  let glance: Glance = { session: null, progress: null };
  for (const line of lines) {
    const event = jsonIn(line);
    if (event === null) continue;
    const progress = firstLine(textOf(event.title) || textOf(event.text) || textOf(event.words));
    glance = { session: textOf(event.session) || glance.session, progress: progress || glance.progress };
  }
  return glance;
}
