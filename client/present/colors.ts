import picocolors from 'picocolors';

export type Paint = (text: string) => string;

/** The few colours in use, by meaning. */
export interface Colors {
  good: Paint;
  bad: Paint;
  waiting: Paint;
  quiet: Paint;
  strong: Paint;
}

/** NO_COLOR, a pipe and CI get none (https://no-color.org); FORCE_COLOR asks for them anyway. */
export function wantsColor(terminal: { env: NodeJS.ProcessEnv; isTTY: boolean }): boolean {
  const { env } = terminal;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0') return true;
  return terminal.isTTY && env.TERM !== 'dumb' && !isCi(env);
}

export function isCi(env: NodeJS.ProcessEnv): boolean {
  return env.CI !== undefined && env.CI !== '' && env.CI !== '0' && env.CI !== 'false';
}

export function colorsFor(terminal: { env: NodeJS.ProcessEnv; isTTY: boolean }): Colors {
  const paint = picocolors.createColors(wantsColor(terminal));
  return { good: paint.green, bad: paint.red, waiting: paint.yellow, quiet: paint.dim, strong: paint.bold };
}
