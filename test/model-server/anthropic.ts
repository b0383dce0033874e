import { at, type Failure, freshId, isText, listAt, type Protocol, piecesOf, type ServerSentEvent } from './protocol.js';
import type { Act, Failing } from './script.js';

/** Anthropic's Messages, as Claude Code speaks it. */
export const anthropic: Protocol = {
  answers: (path) => path === '/v1/messages',
  tools: (body) => listAt(body, 'tools').flatMap((tool) => [at(tool, 'name')].filter(isText)),
  streams: (body) => at(body, 'stream') === true,
  whole: (act) => ({ ...opening(), content: [blockOf(act)], stop_reason: stopReason(act), usage: usageOf(act) }),
  events: (act) => {
    const events: ServerSentEvent[] = [
      data('message_start', { message: { ...opening(), content: [], stop_reason: null, usage: { ...usageOf(act), output_tokens: 1 } } }),
      ...blockEvents(act),
      data('message_delta', { delta: { stop_reason: stopReason(act), stop_sequence: null }, usage: usageOf(act) }),
      data('message_stop', {}),
    ];
    return events;
  },
  failure,
};

function data(type: string, more: object): ServerSentEvent {
  return { event: type, data: { type, ...more } };
}

function opening() {
  return { id: freshId('msg'), type: 'message', role: 'assistant', model: 'claude-scripted', stop_sequence: null };
}

function usageOf({ usage }: Act) {
  return { input_tokens: usage.input, output_tokens: usage.output, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
}

function stopReason(act: Act): string {
  return { text: 'end_turn', tool: 'tool_use', refusal: 'refusal' }[act.is];
}

function blockOf(act: Act) {
  if (act.is === 'tool') return { type: 'tool_use', id: freshId('toolu'), name: act.name, input: act.input };
  return { type: 'text', text: act.is === 'text' ? act.text : '' };
}

function blockEvents(act: Act): ServerSentEvent[] {
  const block = blockOf(act);
  const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
  const deltas =
    act.is === 'tool'
      ? [{ type: 'input_json_delta', partial_json: JSON.stringify(act.input) }]
      : piecesOf(act.is === 'text' ? act.text : '').map((text) => ({ type: 'text_delta', text }));
  return [
    data('content_block_start', { index: 0, content_block: empty }),
    ...deltas.map((delta) => data('content_block_delta', { index: 0, delta })),
    data('content_block_stop', { index: 0 }),
  ];
}

function failure(how: Failing): Failure {
  const body = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: freshId('req') });
  switch (how.is) {
    case 'limit':
      return {
        status: 429,
        headers: {
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': String(how.resetsAt),
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
          'x-should-retry': 'false',
        },
        body: body('rate_limit_error', 'This request would exceed your limit.'),
      };
    case 'quota':
    case 'throttling':
      return {
        status: 429,
        headers: { 'retry-after': String(how.is === 'quota' ? 3_600 : how.retryAfter) },
        body: body('rate_limit_error', 'Number of requests has exceeded your rate limit.'),
      };
    case 'overload':
      return { status: 529, body: body('overloaded_error', 'Overloaded') };
    case 'auth':
      return { status: 401, body: body('authentication_error', 'invalid x-api-key') };
    case 'billing':
      return { status: 400, body: body('invalid_request_error', 'Your credit balance is too low to access the API.') };
    case 'context':
      return { status: 400, body: body('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum') };
  }
}
