import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { disproved, holds, type LookContext, quote, type Sight, unobservable } from './context.js';

export interface HttpLimits {
  connectMs: number;
  /** For all of it, the body included. */
  totalMs: number;
}

export const HTTP_LIMITS: HttpLimits = { connectMs: 10_000, totalMs: 30_000 };
/** Only so much of a body is searched. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

interface Answered {
  status: number;
  body: Buffer;
  /** The body is longer than what was read. */
  isCut: boolean;
}

/** One GET, as the address stands: no redirect is followed, for the status that is asked for is that of this address. */
export async function lookByHttp(
  check: { url: string; status: number; contains?: string },
  context: LookContext,
  limits = HTTP_LIMITS,
): Promise<Sight> {
  let answered: Answered;
  try {
    answered = await get(check.url, limits, context.signal);
  } catch (error) {
    return failed(error as NodeJS.ErrnoException);
  }
  const { status, body, isCut } = answered;
  const text = body.toString('utf8');
  const more = { output: text, excerpt: text };
  const saw = `status ${status}`;
  if (status !== check.status) return disproved(saw, more);
  if (check.contains === undefined || body.includes(check.contains)) return holds(saw, more);
  const without = `${saw}, without ${quote(check.contains)}`;
  return isCut ? unobservable(`${without} in its first ${BODY_BYTES_MAX} bytes`, more) : disproved(without, more);
}

class TimeRanOut extends Error {}

function get(url: string, limits: HttpLimits, signal: AbortSignal): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const start = url.startsWith('https:') ? requestSecure : requestPlain;
    const headers = { 'user-agent': 'donewhen', accept: '*/*', 'accept-encoding': 'identity' };
    const request = start(url, { method: 'GET', headers, agent: false, signal });
    const connecting = setTimeout(() => request.destroy(new TimeRanOut('no connection')), limits.connectMs);
    const all = setTimeout(() => request.destroy(new TimeRanOut('no whole answer')), limits.totalMs);
    const settle = (then: () => void) => {
      clearTimeout(connecting);
      clearTimeout(all);
      then();
    };
    request.once('socket', (socket) => {
      socket.once(url.startsWith('https:') ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    request.once('response', (response) => {
      read(response).then(
        (answered) => {
          settle(() => resolve(answered));
          request.destroy();
        },
        (error) => settle(() => reject(error)),
      );
    });
    request.on('error', (error) => settle(() => reject(error)));
    request.end();
  });
}

async function read(response: IncomingMessage): Promise<Answered> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_BYTES_MAX) break;
  }
  const isCut = bytes > BODY_BYTES_MAX;
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).subarray(0, BODY_BYTES_MAX), isCut };
}

/** Nothing listens there: that was seen. Whether the address exists, or the network is up, was not. */
function failed(error: NodeJS.ErrnoException): Sight {
  if (error instanceof TimeRanOut) return unobservable(`its time ran out: ${error.message}`);
  const code = codeOf(error);
  switch (code) {
    case 'ECONNREFUSED':
      return disproved('connection refused');
    case 'ECONNRESET':
    case 'EPIPE':
    case 'HPE_INVALID_CONSTANT':
    case 'HPE_HEADER_OVERFLOW':
      return disproved(`no HTTP answer (${code})`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return unobservable('its name cannot be resolved');
    default:
      return isCertificate(code)
        ? disproved(`its certificate is not accepted (${code})`)
        : unobservable(`no answer (${code || error.message})`);
  }
}

/** Where a name has several addresses, the faults of all of them come together: refused only if each refused. */
function codeOf(error: NodeJS.ErrnoException): string {
  const inner = error instanceof AggregateError ? error.errors.map((one: NodeJS.ErrnoException) => one.code ?? '') : [];
  if (inner.length > 0)
    return inner.every((code) => code === 'ECONNREFUSED') ? 'ECONNREFUSED' : (inner.find((code) => code !== 'ECONNREFUSED') ?? '');
  return error.code ?? '';
}

function isCertificate(code: string): boolean {
  return /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT)/.test(code);
}
