import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropic } from './anthropic.js';
import { chat } from './chat.js';
import { gemini } from './gemini.js';
import type { Protocol, ServerSentEvent } from './protocol.js';
import { responses } from './responses.js';
import { actOf, type Scene, type Turn } from './script.js';

/** A request for an answer, as it came. */
export interface Asked {
  at: number;
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
  /** What it was answered with; null: it belongs to no scene, as when an agent wants a title. */
  turn: Turn | null;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  asked: readonly Asked[];
  close(): Promise<void>;
}

const PROTOCOLS: readonly Protocol[] = [anthropic, responses, chat, gemini];
const ASIDE: Turn = { is: 'says', text: 'ok' };
const LOST: Turn = { is: 'says', text: 'The script has no scene for this.' };

/** A model on this machine that answers as its script says, in the words of whoever asks. It needs no key and knows no network. */
export async function startModelServer(scenes: readonly Scene[]): Promise<ModelServer> {
  const asked: Asked[] = [];
  const played = new Map<Scene, number>();
  const nextTurn = (text: string): Turn => {
    const scene = scenes.find((one) => text.includes(one.when));
    if (scene === undefined) return LOST;
    const at = played.get(scene) ?? 0;
    played.set(scene, at + 1);
    return scene.turns[Math.min(at, scene.turns.length - 1)] ?? LOST;
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [path = ''] = (request.url ?? '').split('?');
    const text = await textOf(request);
    const protocol = PROTOCOLS.find((one) => one.answers(path));
    if (protocol === undefined || request.method !== 'POST') return send(response, 200, besides(path));
    const body: unknown = JSON.parse(text);
    const tools = protocol.tools(body);
    const turn = tools.length === 0 ? null : nextTurn(text);
    asked.push({ at: Date.now(), path, headers: request.headers, body, turn });
    await play({ turn: turn ?? ASIDE, protocol, tools, streams: protocol.streams(body, path) }, response);
  };
  // Codex asks for a WebSocket first, and is told at once that there is none.
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What agents also want to know: how long a prompt is, which models there are. */
function besides(path: string): unknown {
  if (/count_?tokens$/i.test(path)) return { input_tokens: 1_000, totalTokens: 1_000 };
  return path.endsWith('/models') ? { object: 'list', data: [], models: [] } : {};
}

async function play(
  { turn, protocol, tools, streams }: { turn: Turn; protocol: Protocol; tools: string[]; streams: boolean },
  response: ServerResponse,
): Promise<void> {
  if (turn.afterMs !== undefined) await sleep(turn.afterMs);
  switch (turn.is) {
    case 'hangs':
      return;
    case 'breaks off':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': begun\n\n', () => response.destroy());
      return;
    case 'fails': {
      const { status, headers = {}, body } = protocol.failure(turn.how);
      return send(response, status, body, headers);
    }
    default: {
      const act = actOf(turn, tools);
      if (!streams) return send(response, 200, protocol.whole(act));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of protocol.events(act)) response.write(textOfEvent(event));
      response.end();
    }
  }
}

function textOfEvent({ event, data }: ServerSentEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
