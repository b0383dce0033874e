import type { Io } from '../../client/io.js';

/** A terminal that remembers what was written. */
export interface RecordingIo extends Io {
  written(): { out: string; err: string };
}

export function recordingIo(env: NodeJS.ProcessEnv, cwd = '/'): RecordingIo {
  const written = { out: '', err: '' };
  const line = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
  return {
    out: (text) => {
      written.out += line(text);
    },
    err: (text) => {
      written.err += line(text);
    },
    env,
    cwd,
    isTTY: false,
    written: () => ({ ...written }),
  };
}
