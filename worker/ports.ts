import { connect, createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';
/** Where everybody looks for a Temporal server and its Web UI. */
export const WELL_KNOWN_PORT = 7233;
export const WELL_KNOWN_UI_PORT = 8233;

/** Whether one could listen on this port of the loopback now. */
export function isFree(port: number): Promise<boolean> {
  return listenOn(port).then((got) => got !== null);
}

/** A port that nobody listens on now. Somebody may take it before it is used; whoever uses it must try again then. */
export async function freePort(): Promise<number> {
  const port = await listenOn(0);
  if (port === null) throw new Error('the system gives no free port on 127.0.0.1');
  return port;
}

function listenOn(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}

/** Whether something accepts connections there within the time. */
export function answers(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (there: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(there);
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
