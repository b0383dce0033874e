import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { type Attempts, createAttempts } from './attempts.js';
import { createCapture } from './capture.js';
import { createForest } from './forest.js';
import { type RunningJob, startJob } from './job.js';
import type { Forest } from './tree.js';
import { type CommandResult, type CommandSpec, type Reply, type Request, readLines, writeLine } from './wire.js';

/**
 * The small process that starts everything for one worker and outlives it: `node supervisor.js SOCKET PATH`. Starting a
 * program costs as much as the starter is large, and it blocks it; and an attempt must not end because a worker does
 * (design.md §4). It ends by itself when no worker is connected and no attempt is left.
 */

/** A worker that restarts comes back within this time, or starts a supervisor of its own. */
const IDLE_EXIT_MS = 2_000;
const FIRST_CONNECTION_MS = 10_000;
const ERRORS_BYTES = 4 * 1024;

interface Host {
  attempts: Attempts;
  forest: Promise<Forest>;
}

/** What one worker has asked for and not been answered, with the way to give it up. */
interface Conversation {
  host: Host;
  open: Map<number, () => void>;
  reply(answer: Reply): void;
}

function main(): void {
  const [socketPath, searchPath] = process.argv.slice(2);
  if (socketPath === undefined || searchPath === undefined) {
    process.stderr.write('supervisor: usage: supervisor.js SOCKET PATH\n');
    process.exit(2);
  }
  process.chdir('/');
  // Only its trees and its workers decide when it ends: a closed terminal must not end the attempts.
  for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => undefined);
  const connections = new Set<Socket>();
  let idle: NodeJS.Timeout | null = null;
  const forest = createForest(searchPath).then((made) => made.forest);
  const leaveWhenIdle = (afterMs: number) => {
    if (idle !== null) clearTimeout(idle);
    idle = setTimeout(() => {
      if (connections.size === 0 && attempts.count() === 0) void leave(socketPath, forest);
    }, afterMs);
  };
  const attempts = createAttempts({ forest, socket: socketPath, onEmpty: () => leaveWhenIdle(IDLE_EXIT_MS) });
  process.on('SIGTERM', () => void leave(socketPath, forest));
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      connections.delete(socket);
      leaveWhenIdle(IDLE_EXIT_MS);
    });
    serve(socket, { attempts, forest });
  });
  server.listen(socketPath, () => {
    process.stdout.write('ready\n');
    leaveWhenIdle(FIRST_CONNECTION_MS);
  });
}

async function leave(socketPath: string, forest: Promise<Forest>): Promise<void> {
  await (await forest).endAll();
  rmSync(dirname(socketPath), { recursive: true, force: true });
  process.exit(0);
}

/** Answers the requests of one worker. What it attends or runs for that worker is given up when the connection ends. */
function serve(socket: Socket, host: Host): void {
  const open = new Map<number, () => void>();
  const reply = (answer: Reply) => {
    open.delete(answer.id);
    writeLine(socket, answer);
  };
  socket.on('close', () => {
    for (const giveUp of [...open.values()]) giveUp();
    open.clear();
  });
  readLines(socket, (value) => {
    const request = value as Request;
    try {
      answer(request, { host, open, reply });
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      reply({ id: request.id, is: 'fault', error: message, code: code ?? null });
    }
  });
}

function answer(request: Request, { host, open, reply }: Conversation): void {
  const { id } = request;
  switch (request.is) {
    case 'start':
      reply({ id, is: host.attempts.start(request.attempt) });
      break;
    case 'attach': {
      const attendance = host.attempts.attend(request.dir);
      if (attendance === null) {
        reply({ id, is: 'unknown' });
        break;
      }
      open.set(id, () => {
        attendance.leave();
        reply({ id, is: 'done' });
      });
      void attendance.ended.then(() => reply({ id, is: 'ended' }));
      break;
    }
    case 'stop':
      host.attempts.stop(request.dir);
      reply({ id, is: 'done' });
      break;
    case 'look': {
      const state = host.attempts.look(request.dir);
      reply(state === null ? { id, is: 'unknown' } : { id, is: 'seen', state });
      break;
    }
    case 'run': {
      const running = runCommand(request.command, host.forest);
      open.set(id, running.cancel);
      void running.result.then(
        (result) => reply({ id, is: 'ran', result }),
        (error: Error) => reply({ id, is: 'fault', error: error.message, code: null }),
      );
      break;
    }
    case 'cancel':
      open.get(request.of)?.();
      break;
    default:
      request satisfies never;
  }
}

/** Runs one command in a tree of its own, or in one that is known to be empty. */
function runCommand(command: CommandSpec, forest: Promise<Forest>): { result: Promise<CommandResult>; cancel(): void } {
  let job: RunningJob | null = null;
  let cancelled = false;
  const run = async (): Promise<CommandResult> => {
    const trees = await forest;
    const mark = randomUUID();
    const capture = createCapture(command);
    const errors = createCapture({ headBytes: ERRORS_BYTES, tailBytes: 0, secrets: command.secrets });
    const tree = await trees.take(mark, 'look');
    const streams = { onStdout: capture.write, onStderr: errors.write };
    job = startJob({ ...command, mark, stdinFile: null, ...streams }, tree, () => trees.giveBack(tree));
    if (cancelled) job.stop('stop');
    const end = await job.ended;
    return { end, ...capture.close(), errors: errors.close().text };
  };
  return {
    result: run(),
    cancel: () => {
      cancelled = true;
      job?.stop('stop');
    },
  };
}

main();
