import { at, type Failure, freshId, isText, listAt, type Protocol, piecesOf } from './protocol.js';
import type { Act, Failing } from './script.js';

/** Gemini's generateContent, in whole and as a stream. */
export const gemini: Protocol = {
  answers: (path) => /:(?:stream)?generateContent$/i.test(path),
  tools: (body) =>
    listAt(body, 'tools').flatMap((tool) =>
      listAt(tool, 'functionDeclarations').flatMap((declared) => [at(declared, 'name')].filter(isText)),
    ),
  streams: (_body, path) => path.endsWith(':streamGenerateContent'),
  whole: answerOf,
  events: (act) =>
    act.is === 'text' ? piecesOf(act.text).map((text) => ({ data: answerOf({ ...act, text }) })) : [{ data: answerOf(act) }],
  failure,
};

function answerOf(act: Act) {
  const { input, output } = act.usage;
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: partsOf(act) }, finishReason: act.is === 'refusal' ? 'SAFETY' : 'STOP' }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: 'gemini-scripted',
    responseId: freshId('answer'),
  };
}

function partsOf(act: Act): object[] {
  if (act.is === 'tool') return [{ functionCall: { id: freshId('call'), name: act.name, args: act.input } }];
  return act.is === 'text' ? [{ text: act.text }] : [];
}

function failure(how: Failing): Failure {
  const body = (code: number, status: string, message: string, details: object[] = []) => ({ error: { code, status, message, details } });
  const quota = (id: string) => ({
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_content_requests', quotaId: id }],
  });
  switch (how.is) {
    case 'limit':
    case 'quota':
    case 'billing':
      return { status: 429, body: body(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [quota('GenerateRequestsPerDay')]) };
    case 'throttling': {
      const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${how.retryAfter}s` };
      const details = [quota('GenerateRequestsPerMinute'), retry];
      return { status: 429, body: body(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted', details) };
    }
    case 'overload':
      return { status: 503, body: body(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.') };
    case 'auth':
      return { status: 401, body: body(401, 'UNAUTHENTICATED', 'API key not valid. Please pass a valid API key.') };
    case 'context':
      return { status: 400, body: body(400, 'INVALID_ARGUMENT', 'The input token count exceeds the maximum number of tokens allowed.') };
  }
}
