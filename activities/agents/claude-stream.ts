import type { Cost } from '../../core/values.js';
import { parseReturnBlock } from '../../documents/return-block.js';
import { parseReturnValue } from '../../documents/return-value.js';
import type { AgentLog, AgentReading, Glance } from './adapter.js';
import { failureOf } from './failures.js';
import { doubtsAbout } from './plausible.js';
import { withFailure } from './reading.js';
import { amountOf, type Fields, fieldsOf, firstLine, joined, jsonIn, lastWords, linesIn, listOf, sumOf, textOf } from './stream.js';

/** What was heard so far. A run may have several results, the last one counts. */
interface Heard {
  session: string | null;
  account: 'subscription' | 'api key';
  result: Fields | null;
  /** Everything that it said itself; its helpers' words are not its answer. */
  said: string;
  /** What it said since it last did something: an answer, if nothing comes after it. */
  last: string;
  /** Tokens by message: the same message comes in several lines. */
  used: Map<string, number>;
  denied: string[];
  rejectedUntil: number | null;
  complaint: { words: string; status: number | null } | null;
}

const NOISE = /^(?:Warning|⚠|\(node:)/;

export function readClaude(agent: string, { stdout, stderr, endedAt }: AgentLog): AgentReading {
  const heard: Heard = {
    session: null,
    account: 'subscription',
    result: null,
    said: '',
    last: '',
    used: new Map(),
    denied: [],
    rejectedUntil: null,
    complaint: null,
  };
  for (const line of linesIn(stdout)) {
    const event = jsonIn(line);
    if (event !== null) hear(heard, event);
  }
  const { result, session } = heard;
  const denied = result === null ? heard.denied : listOf(result.permission_denials).map(denialWords);
  const about = { session, ...costOf(heard), ...(denied.length === 0 ? {} : { denied }) };
  if (result === null) return withoutResult(agent, heard, { about, stderr, endedAt });
  const output = textOf(result.result);
  if (result.is_error !== true) return { output, ...claimIn(heard, result), limited: null, ...about };
  if (textOf(result.terminal_reason).startsWith('aborted'))
    return { output, claim: null, problem: 'it was interrupted', limited: null, ...about };
  const words = output || listOf(result.errors).map(textOf).join('; ') || textOf(result.subtype);
  if (textOf(result.subtype).startsWith('error_max')) return { output, claim: null, problem: words, limited: null, ...about };
  const until = heard.rejectedUntil !== null && heard.rejectedUntil > endedAt ? heard.rejectedUntil : null;
  const failure = failureOf({ agent, words, status: amountOf(result.api_error_status), until });
  return withFailure({ output, ...about }, failure);
}

type About = Pick<AgentReading, 'session' | 'cost'> & Partial<AgentReading>;

/** Killed, or ended before its answer. What it said last may still be one: it may have hung after it (H04). */
function withoutResult(
  agent: string,
  heard: Heard,
  { about, stderr, endedAt }: { about: About; stderr: string; endedAt: number },
): AgentReading {
  const { claim } = parseReturnBlock(heard.last);
  if (claim !== null) return { output: heard.last, claim, problem: null, limited: null, ...about };
  const { complaint, rejectedUntil } = heard;
  const words = complaint?.words ?? lastWords(stderr, NOISE);
  const begun = { output: heard.said, ...about };
  if (complaint === null && heard.session !== null)
    return { ...begun, claim: null, problem: 'its stream ends without a result', limited: null };
  const until = rejectedUntil !== null && rejectedUntil > endedAt ? rejectedUntil : null;
  const failure = failureOf({ agent, words: words || 'it ended without an answer', status: complaint?.status ?? null, until });
  return withFailure(begun, failure);
}

function claimIn({ said, last }: Heard, result: Fields): Pick<AgentReading, 'claim' | 'problem'> {
  if (result.structured_output !== undefined && result.structured_output !== null) return parseReturnValue(result.structured_output);
  const { claim, problem } = parseReturnBlock(joined(last, textOf(result.result)));
  return claim === null ? parseReturnBlock(said) : { claim, problem };
}

function hear(heard: Heard, event: Fields): void {
  const session = textOf(event.session_id);
  if (session !== '') heard.session = session;
  switch (event.type) {
    case 'system':
      hearSystem(heard, event);
      break;
    case 'assistant':
      hearAssistant(heard, event);
      break;
    case 'user':
      if (event.parent_tool_use_id == null) heard.last = '';
      break;
    case 'rate_limit_event': {
      const { status, resetsAt } = fieldsOf(event.rate_limit_info);
      const at = amountOf(resetsAt);
      // A rejection without a time is throttling, not a limit.
      heard.rejectedUntil = status === 'rejected' && at !== null ? at * 1000 : null;
      break;
    }
    case 'result':
      heard.result = event;
      heard.complaint = null;
      break;
  }
}

function hearSystem(heard: Heard, event: Fields): void {
  if (event.subtype === 'init' && textOf(event.apiKeySource) !== '')
    heard.account = event.apiKeySource === 'none' ? 'subscription' : 'api key';
  if (event.subtype === 'permission_denied') heard.denied.push(`${textOf(event.tool_name)}: ${firstLine(textOf(event.decision_reason))}`);
  if (event.subtype === 'api_retry')
    heard.complaint = { words: textOf(event.error).replace(/^unknown$/, 'connection failed'), status: amountOf(event.error_status) };
}

function hearAssistant(heard: Heard, event: Fields): void {
  const message = fieldsOf(event.message);
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = fieldsOf(message.usage);
  const tokens = sumOf([input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens]);
  if (tokens !== null) heard.used.set(textOf(message.id), tokens);
  if (event.parent_tool_use_id != null) return;
  const words = wordsIn(message);
  // Words of the CLI itself, in place of an answer that did not come.
  if (textOf(event.error) !== '') {
    heard.complaint = { words: words || textOf(event.error), status: null };
    return;
  }
  heard.complaint = null;
  heard.said = joined(heard.said, words);
  heard.last = listOf(message.content).some((part) => fieldsOf(part).type === 'tool_use') ? '' : joined(heard.last, words);
}

function wordsIn(message: Fields): string {
  return listOf(message.content)
    .map((part) => textOf(fieldsOf(part).text))
    .filter((text) => text !== '')
    .join('\n');
}

/** Money of a subscription is what it would have cost by the list. Both counters run on over the session. */
function costOf({ result, account, used }: Heard): Pick<AgentReading, 'cost' | 'countsSession' | 'doubts'> {
  if (result === null) return { cost: { usd: null, tokens: sumOf([...used.values()]) } };
  const usd = amountOf(result.total_cost_usd);
  const models = Object.values(fieldsOf(result.modelUsage)).map(fieldsOf);
  const counted = models.flatMap(({ inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens }) => [
    inputTokens,
    outputTokens,
    cacheReadInputTokens,
    cacheCreationInputTokens,
  ]);
  const tokens = sumOf(counted);
  const cost: Cost = { usd: account === 'api key' ? usd : null, tokens: tokens ?? (usd === 0 ? 0 : null) };
  const doubts = [...doubtsAbout('USD', [result.total_cost_usd]), ...doubtsAbout('tokens', counted)];
  return {
    cost: account === 'api key' || usd === null ? cost : { ...cost, estimatedUsd: usd },
    countsSession: true,
    ...(doubts.length === 0 ? {} : { doubts }),
  };
}

function denialWords(denial: unknown): string {
  const { tool_name, tool_input } = fieldsOf(denial);
  const { command, file_path } = fieldsOf(tool_input);
  return `${textOf(tool_name)}: ${firstLine(textOf(command) || textOf(file_path))}`;
}

/** What it does, for whoever watches. */
export function glanceAtClaude(lines: readonly string[]): Glance {
  let glance: Glance = { session: null, progress: null };
  for (const line of lines) {
    const event = jsonIn(line);
    if (event === null) continue;
    glance = { session: textOf(event.session_id) || glance.session, progress: progressIn(event) || glance.progress };
  }
  return glance;
}

function progressIn(event: Fields): string {
  if (event.type === 'system' && event.subtype === 'api_retry') return `waits for the provider: ${textOf(event.error)}`;
  if (event.type !== 'assistant') return '';
  const parts = listOf(fieldsOf(event.message).content).map(fieldsOf);
  const [{ name, input } = {}] = parts.filter(({ type }) => type === 'tool_use');
  if (name === undefined) return firstLine(parts.map(({ text }) => textOf(text)).join(' '));
  const { command, file_path, pattern, description } = fieldsOf(input);
  return `${textOf(name)} ${firstLine(textOf(command) || textOf(file_path) || textOf(pattern) || textOf(description))}`.trim();
}
