#!/usr/bin/env node
import { asksForOverview, overview } from './arguments/overview.js';
import { UserError } from './errors.js';
import { EXIT_BAD_INPUT, EXIT_DEFECT, EXIT_OK } from './exit-code.js';
import { createInterrupt } from './interrupt.js';
import { terminal } from './io.js';

/**
 * The `donewhen` command. Nothing is loaded before it is needed: help costs little more than Node itself, and a verb what it
 * uses.
 */
const FLUSH_MS_MAX = 5_000;
const words = process.argv.slice(2);
const io = terminal();
const debug = words.includes('--debug');
const interrupt = createInterrupt((code) => void end(code));

/** Why what was asked for could not be written, as on a full disk. */
let unwritten: string | null = null;
/** Streams whose reader went away: to write there once more would only bring the same error again. */
const unread = new Set<NodeJS.WriteStream>();
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (unread.has(stream)) return;
    unread.add(stream);
    if (stream === process.stderr) return;
    if (error.code === 'EPIPE') return interrupt.raise('pipe');
    unwritten = error.code ?? error.message;
    interrupt.raise('disk');
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.raise('signal'));

await end(await commandOf());

async function commandOf(): Promise<number> {
  try {
    if (asksForOverview(words)) {
      io.out(overview());
      return EXIT_OK;
    }
    const [{ readArguments }, { ownVersion }] = await Promise.all([import('./arguments/program.js'), import('./version.js')]);
    const read = await readArguments(words, io, ownVersion);
    if (read.is === 'over') return read.exit;
    const { realWorld } = await import('./real-world.js');
    return await read.chosen(io, realWorld(io.env, interrupt));
  } catch (error) {
    return explain(error);
  }
}

/** An expected fault is one line; a defect of ours says so. Stack traces only where they are asked for. */
function explain(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  const exit = error instanceof UserError ? error.exitCode : EXIT_DEFECT;
  const shown = error instanceof UserError ? message : `${oneLine(message)} (a defect of donewhen; --debug shows where)`;
  if (words.includes('--json')) io.out(JSON.stringify({ error: { message: shown, exit } }, null, 2));
  io.err(shown);
  if (debug && error instanceof Error) io.err(error.stack ?? '');
  return exit;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

/** Output to a pipe is written behind our back: it is waited for, but not for a reader who never reads. */
async function end(code: number): Promise<never> {
  const streams = [process.stdout, process.stderr].filter((stream) => stream.writable && !unread.has(stream));
  const written = streams.map((stream) => new Promise<void>((done) => void stream.write('', () => done())));
  await Promise.race([Promise.all(written), new Promise((resolve) => setTimeout(resolve, FLUSH_MS_MAX))]);
  if (unwritten !== null) process.stderr.write(`standard output cannot be written (${unwritten}): make room, or send it elsewhere\n`);
  // What was asked for and not delivered is no success; any other status says more.
  process.exit(unwritten !== null && code === EXIT_OK ? EXIT_BAD_INPUT : code);
}
