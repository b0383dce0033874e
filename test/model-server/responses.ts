import { at, type Failure, freshId, isText, listAt, type Protocol } from './protocol.js';
import type { Act, Failing } from './script.js';

/** OpenAI's Responses, as Codex speaks it. */
export const responses: Protocol = {
  answers: (path) => path === '/v1/responses',
  tools: (body) => {
    // Newer models are given their tools within the input.
    const added = listAt(body, 'input').filter((item) => at(item, 'type') === 'additional_tools');
    return [...listAt(body, 'tools'), ...added.flatMap((item) => listAt(item, 'tools'))].flatMap((tool) =>
      [at(tool, 'name')].filter(isText),
    );
  },
  streams: (body) => at(body, 'stream') === true,
  whole: completed,
  events: (act) => {
    const response = completed(act);
    return [
      { event: 'response.created', data: { type: 'response.created', response: { id: response.id } } },
      ...response.output.map((item, index) => ({
        event: 'response.output_item.done',
        data: { type: 'response.output_item.done', output_index: index, item },
      })),
      { event: 'response.completed', data: { type: 'response.completed', response } },
    ];
  },
  failure,
};

function completed(act: Act) {
  const { input, output } = act.usage;
  return {
    id: freshId('resp'),
    object: 'response',
    status: 'completed',
    output: [itemOf(act)],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function itemOf(act: Act) {
  if (act.is === 'tool')
    return { type: 'function_call', id: freshId('fc'), call_id: freshId('call'), name: act.name, arguments: JSON.stringify(act.input) };
  const text = act.is === 'text' ? act.text : "I'm sorry, but I cannot help with that.";
  return { type: 'message', id: freshId('msg'), role: 'assistant', content: [{ type: 'output_text', text }] };
}

function failure(how: Failing): Failure {
  const body = (type: string, message: string, more: object = {}) => ({ error: { type, message, code: type, ...more } });
  switch (how.is) {
    case 'limit':
      return {
        status: 429,
        headers: {
          'x-codex-primary-used-percent': '100',
          'x-codex-primary-window-minutes': '300',
          'x-codex-primary-reset-at': String(how.resetsAt),
        },
        body: body('usage_limit_reached', 'The usage limit has been reached', { resets_at: how.resetsAt, plan_type: 'plus' }),
      };
    case 'quota':
    case 'billing':
      return { status: 429, body: body('insufficient_quota', 'You exceeded your current quota.') };
    case 'throttling':
      return {
        status: 429,
        headers: { 'retry-after': String(how.retryAfter) },
        body: body('rate_limit_exceeded', 'Rate limit reached for requests'),
      };
    case 'overload':
      return { status: 503, body: body('server_error', 'The server is overloaded') };
    case 'auth':
      return { status: 401, body: body('invalid_request_error', 'Incorrect API key provided') };
    case 'context':
      return { status: 400, body: body('context_length_exceeded', 'Your input exceeds the context window of this model.') };
  }
}
