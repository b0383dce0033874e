/** What a command may touch of its terminal. Commands get it as an argument, so that tests can read what they print. */
export interface Io {
  /** Standard output: what was asked for. Ends its text with a line break where there is none. */
  out(text: string): void;
  /** Standard error: everything else. */
  err(text: string): void;
  env: NodeJS.ProcessEnv;
  cwd: string;
  isTTY: boolean;
}

/** The real terminal. */
export function terminal(): Io {
  return {
    out: (text) => void process.stdout.write(line(text)),
    err: (text) => void process.stderr.write(line(text)),
    env: process.env,
    cwd: process.cwd(),
    isTTY: process.stdout.isTTY === true,
  };
}

function line(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
