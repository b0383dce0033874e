import { connect } from 'node:net';
import { type Reply, type Request, readLines, writeLine } from './wire.js';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
export type Asked = WithoutId<Request>;

/** A line to a supervisor. A request that the connection does not outlive rejects with ConnectionEnded. */
export interface Connection {
  /** `signal` takes the request back; its reply is then what the supervisor makes of that. */
  ask(asked: Asked, signal?: AbortSignal): Promise<Reply>;
  close(): void;
}

export class ConnectionEnded extends Error {}

const CONNECT_MS = 5_000;

export async function openConnection(socketPath: string, onEnd?: () => void): Promise<Connection> {
  const socket = connect(socketPath);
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  let lastId = 0;
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => socket.destroy(new ConnectionEnded(`${socketPath} does not answer`)), CONNECT_MS);
    socket.once('connect', () => {
      clearTimeout(limit);
      resolve();
    });
    socket.once('error', (error) => {
      clearTimeout(limit);
      reject(error);
    });
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new ConnectionEnded('the supervisor has ended'));
    waiting.clear();
    onEnd?.();
  });
  readLines(socket, (value) => {
    const reply = value as Reply;
    waiting.get(reply.id)?.resolve(reply);
    waiting.delete(reply.id);
    if (waiting.size === 0) socket.unref();
  });
  socket.unref();
  return {
    ask: (asked, signal) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new ConnectionEnded('the supervisor has ended'));
        lastId += 1;
        const id = lastId;
        // Only who waits for an answer keeps a process alive; an idle line does not.
        socket.ref();
        const takeBack = () => {
          lastId += 1;
          writeLine(socket, { id: lastId, is: 'cancel', of: id });
        };
        waiting.set(id, {
          resolve: (reply) => {
            signal?.removeEventListener('abort', takeBack);
            resolve(reply);
          },
          reject: (error) => {
            signal?.removeEventListener('abort', takeBack);
            reject(error);
          },
        });
        writeLine(socket, { id, ...asked });
        if (signal?.aborted) takeBack();
        else signal?.addEventListener('abort', takeBack, { once: true });
      }),
    close: () => socket.destroy(),
  };
}
