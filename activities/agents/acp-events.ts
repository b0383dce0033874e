import { amountOf, type Fields, fieldsOf, parsed, sumOf, textOf } from './stream.js';

/** What our client of the Agent Client Protocol prints, a line each. */
export type AcpEvent =
  | { acp: 'session'; session: string }
  /** Pieces of one message have its id, where the agent gives one. */
  | { acp: 'text'; text: string; message: string }
  | { acp: 'tool'; title: string }
  | { acp: 'denied'; call: string }
  | { acp: 'cost'; usd: number }
  | { acp: 'tokens'; tokens: number }
  /** It tries again by itself. */
  | { acp: 'trouble'; words: string; status: number | null }
  | { acp: 'ended'; reason: string }
  | { acp: 'failed'; words: string; status: number | null };

/** A `session/update`. */
export function eventsOfUpdate(update: Fields): AcpEvent[] {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk': {
      const text = textOf(fieldsOf(update.content).text);
      return text === '' ? [] : [{ acp: 'text', text, message: textOf(update.messageId) }];
    }
    case 'tool_call':
      return [{ acp: 'tool', title: textOf(update.title) }];
    case 'usage_update': {
      const { amount, currency } = fieldsOf(update.cost);
      const usd = currency === 'USD' ? amountOf(amount) : null;
      return usd === null ? [] : [{ acp: 'cost', usd }];
    }
    default:
      return troubleIn(fieldsOf(fieldsOf(fieldsOf(update._meta).codex).error));
  }
}

/** Codex says of a failed request only here that it failed; afterwards its words come as if they were an answer. */
function troubleIn({ message, additionalDetails, codexErrorInfo }: Fields): AcpEvent[] {
  const words = textOf(additionalDetails) || textOf(message);
  if (words === '') return [];
  const [info] = Object.values(fieldsOf(codexErrorInfo));
  return [{ acp: 'trouble', words, status: amountOf(fieldsOf(info).httpStatusCode) }];
}

/** The answer to `session/prompt`. */
export function eventsOfEnd(response: Fields): AcpEvent[] {
  const { inputTokens, outputTokens, totalTokens, cachedReadTokens, cachedWriteTokens } = fieldsOf(response.usage);
  const { input_tokens, output_tokens } = fieldsOf(fieldsOf(fieldsOf(response._meta).quota).token_count);
  const tokens =
    amountOf(totalTokens) ??
    sumOf([inputTokens, outputTokens, cachedReadTokens, cachedWriteTokens]) ??
    sumOf([input_tokens, output_tokens]);
  const ended: AcpEvent = { acp: 'ended', reason: textOf(response.stopReason) };
  return tokens === null ? [ended] : [{ acp: 'tokens', tokens }, ended];
}

/** The error of a request, or of the connection. Some send the provider's own answer as their words. */
export function eventOfError(error: unknown): AcpEvent {
  const { code, message, data } = fieldsOf(error);
  // No answer to a request: the connection ended, and the agent's last words are in its standard error.
  if (typeof code !== 'number') return { acp: 'failed', words: '', status: null };
  const given = textOf(fieldsOf(data).message) || textOf(message);
  const words = (textOf(fieldsOf(fieldsOf(parsed(given)).error).message) || given).replace(/^Internal error: /, '');
  const status = amountOf(code);
  return { acp: 'failed', words, status: status !== null && status >= 400 && status < 600 ? status : null };
}
