import { readFileSync } from 'node:fs';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';

type Message = Record<string, unknown> & { id?: unknown; method?: unknown; params?: Record<string, unknown> };
interface Step {
  by: 'client' | 'agent';
  message: Message;
}

/** Requests that open a session are one step of the conversation, whichever the client chooses. */
const stepOf = (method: unknown) => (/^session\/(new|load|resume)$/.test(String(method)) ? 'open' : method);

export interface Recorded {
  steps: Step[];
  stderr: string;
  /** The session that the client asked for. */
  session: string | null;
}

export function recordedIn(file: string): Recorded {
  const lines = readFileSync(file, 'utf8').split('\n');
  const steps = lines.flatMap((line): Step[] => {
    const match = /^(<<<|>>>) (\{.*\})$/.exec(line);
    return match === null ? [] : [{ by: match[1] === '<<<' ? 'agent' : 'client', message: JSON.parse(match[2] ?? '{}') }];
  });
  const stderr = lines
    .filter((line) => !/^(<<<|>>>) /.test(line))
    .map((line) => line.replace(/^STDERR /, ''))
    .join('\n');
  const asked = steps.find(({ message }) => message.method === 'session/load' || message.method === 'session/resume');
  return { steps, stderr, session: typeof asked?.message.params?.sessionId === 'string' ? asked.message.params.sessionId : null };
}

/** An agent that says what a real one said, when it is asked what that one was asked. It ends when the recording does. */
export function replayed({ steps }: Recorded): Stream {
  const toClient = new TransformStream<AnyMessage, AnyMessage>();
  const toAgent = new TransformStream<AnyMessage, AnyMessage>();
  const writer = toClient.writable.getWriter();
  const reader = toAgent.readable.getReader();
  const ids = new Map<unknown, unknown>();
  const say = (message: object) => writer.write(message as AnyMessage);
  /** Reads on until the client has taken this step; what the recording does not know is answered with nothing. */
  const awaitStep = async (expected: Message) => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const message = value as Message;
      if (expected.method === undefined && message.method === undefined) return;
      if (message.method !== undefined && stepOf(message.method) === stepOf(expected.method)) {
        ids.set(expected.id, message.id);
        return;
      }
      if (message.id !== undefined && message.method !== undefined) await say({ jsonrpc: '2.0', id: message.id, result: {} });
    }
  };
  const play = async () => {
    for (const { by, message } of steps) {
      if (message.method === 'session/cancel') continue;
      if (by === 'client') await awaitStep(message);
      else await say(message.method === undefined ? { ...message, id: ids.get(message.id) ?? message.id } : message);
    }
    await writer.close();
  };
  void play().catch(() => undefined);
  return { readable: toClient.readable, writable: toAgent.writable };
}
