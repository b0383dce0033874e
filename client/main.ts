#!/usr/bin/env node
import { asksForOverview, overview } from './arguments/overview.js';
import { UserError } from './errors.js';
import { EXIT_DEFECT, EXIT_OK } from './exit-code.js';
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

process.stdout.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? interrupt.raise('pipe') : undefined));
process.stderr.on('error', () => undefined);
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
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((done) => (stream.writable ? stream.write('', () => done()) : done())),
  );
  await Promise.race([Promise.all(written), new Promise((resolve) => setTimeout(resolve, FLUSH_MS_MAX))]);
  process.exit(code);
}
