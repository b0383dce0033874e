import { at, type Failure, freshId, isText, listAt, type Protocol, piecesOf } from './protocol.js';
import { responses } from './responses.js';
import type { Act, Failing } from './script.js';

/** OpenAI's Chat Completions, as OpenCode speaks it to a provider of its configuration. */
export const chat: Protocol = {
  answers: (path) => path === '/v1/chat/completions',
  tools: (body) => listAt(body, 'tools').flatMap((tool) => [at(tool, 'function', 'name')].filter(isText)),
  streams: (body) => at(body, 'stream') === true,
  whole: (act) => ({
    ...opening('chat.completion'),
    choices: [{ index: 0, message: messageOf(act), finish_reason: finishReason(act) }],
    usage: usageOf(act),
  }),
  events: (act) => {
    const chunk = opening('chat.completion.chunk');
    const deltas = act.is === 'text' ? piecesOf(act.text).map((content) => ({ role: 'assistant', content })) : [messageOf(act)];
    return [
      ...deltas.map((delta) => ({ data: { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] } })),
      { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finishReason(act) }], usage: usageOf(act) } },
      { data: '[DONE]' },
    ];
  },
  failure: (how) => (how.is === 'limit' ? failureUntil(how) : responses.failure(how)),
};

/** A provider behind this protocol names no reset time but how long to wait. */
function failureUntil({ resetsAt }: Extract<Failing, { is: 'limit' }>): Failure {
  const retryAfter = Math.max(1, resetsAt - Math.floor(Date.now() / 1000));
  return responses.failure({ is: 'throttling', retryAfter });
}

function opening(object: string) {
  return { id: freshId('chatcmpl'), object, created: 1, model: 'scripted' };
}

function messageOf(act: Act) {
  if (act.is === 'tool') {
    const called = { name: act.name, arguments: JSON.stringify(act.input) };
    return { role: 'assistant', content: null, tool_calls: [{ index: 0, id: freshId('call'), type: 'function', function: called }] };
  }
  return { role: 'assistant', content: act.is === 'text' ? act.text : '' };
}

function finishReason(act: Act): string {
  return { text: 'stop', tool: 'tool_calls', refusal: 'content_filter' }[act.is];
}

function usageOf({ usage: { input, output } }: Act) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
