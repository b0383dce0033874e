import { execFile } from 'node:child_process';

const GIT_OUTPUT_BYTES_MAX = 8 * 1024 * 1024;

export interface GitEnd {
  /** null: git is not there, or its time ran out. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs git with an argument list, never through a shell, without a prompt and without taking locks it does not need. */
export function git(
  run: { cwd: string; environment: Readonly<Record<string, string | undefined>>; timeoutMs: number },
  args: string[],
): Promise<GitEnd> {
  return new Promise((done) => {
    execFile(
      'git',
      args,
      {
        cwd: run.cwd,
        env: {
          ...run.environment,
          GIT_TERMINAL_PROMPT: '0',
          GIT_OPTIONAL_LOCKS: '0',
          GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
          LC_ALL: 'C',
        },
        timeout: run.timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: GIT_OUTPUT_BYTES_MAX,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        done({ code, stdout, stderr });
      },
    );
  });
}
