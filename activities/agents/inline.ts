import type { AgentAdapter } from './adapter.js';

/** The `Run:` command of an inline task: our own command, read by a shell. It claims nothing; its exit status and the checks count. */
export function createInlineAdapter(command: string): AgentAdapter {
  return {
    passes: [],
    start: () => ({ argv: ['/bin/sh', '-c', command], env: {}, stdin: '' }),
    glance: () => ({ session: null, progress: null }),
    read: ({ stdout }) => ({
      output: stdout,
      claim: null,
      problem: null,
      session: null,
      // A command of our own costs nothing that an agent would report.
      cost: { usd: 0, tokens: 0 },
      limited: null,
    }),
  };
}
