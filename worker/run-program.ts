import { spawn } from 'node:child_process';

export interface ProgramEnd {
  /** null: it could not be started, or was ended by a signal. */
  code: number | null;
  /** The last OUTPUT_CHARS_MAX characters of its standard output. */
  stdout: string;
  /** The same of standard output and error together, as they came. */
  output: string;
  /** Why there is no code. */
  problem: string | null;
}

const OUTPUT_CHARS_MAX = 16_000;

/** Runs a small program of the system to its end, or kills it when its time is up. Never throws. */
export function runProgram(
  file: string,
  args: string[],
  options: { env: Record<string, string | undefined>; timeoutMs: number; cwd?: string },
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    let stdout = '';
    let output = '';
    let problem: string | null = null;
    const child = spawn(file, args, {
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const timer = setTimeout(() => {
      problem = `no end within ${Math.round(options.timeoutMs / 1000)} s`;
      child.kill('SIGKILL');
    }, options.timeoutMs);
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-OUTPUT_CHARS_MAX);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      stdout = (stdout + chunk.toString('utf8')).slice(-OUTPUT_CHARS_MAX);
      keep(chunk);
    });
    child.stderr.on('data', keep);
    const end = (code: number | null, why: string | null): void => {
      clearTimeout(timer);
      // A grandchild may hold the pipes; what was asked for has ended.
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code, stdout, output, problem: problem ?? why });
    };
    child.once('error', (error) => end(null, error.message));
    child.once('exit', (code, signal) => setImmediate(() => end(code, signal === null ? null : `ended by ${signal}`)));
  });
}

/** The last line that says something, for an error of one line. */
export function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim() ?? '';
}
