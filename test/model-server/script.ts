/** What the scripted model does, turn by turn. Paths are absolute; commands are read by the agent's own shell tool. */
export type Turn = { afterMs?: number; usage?: Usage } & (
  | { is: 'says'; text: string }
  /** An agent may have to read a file that is there before it writes it. */
  | { is: 'reads'; path: string }
  | { is: 'writes'; path: string; content: string }
  | { is: 'runs'; command: string }
  | { is: 'refuses' }
  | { is: 'fails'; how: Failing }
  /** The connection breaks in the middle of the answer. */
  | { is: 'breaks off' }
  /** The request is taken and never answered. */
  | { is: 'hangs' }
);

/** How a provider turns a request away; each protocol has its own status, headers and body for it. */
export type Failing =
  | { is: 'limit'; resetsAt: number }
  /** Of a day, without a reset time where the provider names none. */
  | { is: 'quota' }
  /** Too many requests; `retryAfter` in seconds. */
  | { is: 'throttling'; retryAfter: number }
  | { is: 'overload' }
  | { is: 'auth' }
  | { is: 'billing' }
  /** The conversation is longer than the model takes. */
  | { is: 'context' };

export interface Usage {
  input: number;
  output: number;
}

/** What the model plays when the request contains `when`. After its last turn it repeats that one. */
export interface Scene {
  when: string;
  turns: Turn[];
}

/** A turn as a protocol writes it down. */
export type Act = { usage: Usage } & (
  | { is: 'text'; text: string }
  | { is: 'tool'; name: string; input: Record<string, unknown> }
  | { is: 'refusal' }
);

const USAGE: Usage = { input: 1_000, output: 100 };

type Tools = Record<string, (...words: string[]) => Record<string, unknown>>;

/** The tools for one purpose, as the agents name them. */
const WRITERS: Tools = {
  Write: (path, content) => ({ file_path: path, content }),
  write_file: (path, content) => ({ file_path: path, content }),
  write: (path, content) => ({ filePath: path, content }),
};
const READERS: Tools = {
  Read: (path) => ({ file_path: path }),
  read_file: (path) => ({ file_path: path }),
  read: (path) => ({ filePath: path }),
};
const SHELLS: Tools = {
  Bash: (command) => ({ command, description: 'As the script says' }),
  run_shell_command: (command) => ({ command, description: 'As the script says' }),
  bash: (command) => ({ command, description: 'As the script says' }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ['bash', '-lc', command] }),
};

/** The act for a turn, with the tools that this request offers. A file is written by the shell where there is nothing else. */
export function actOf(turn: Extract<Turn, { is: 'says' | 'reads' | 'writes' | 'runs' | 'refuses' }>, offered: readonly string[]): Act {
  const usage = turn.usage ?? USAGE;
  if (turn.is === 'says') return { is: 'text', text: turn.text, usage };
  if (turn.is === 'refuses') return { is: 'refusal', usage };
  const use = (tools: Tools, ...words: string[]): Act | null => {
    const name = offered.find((one) => Object.hasOwn(tools, one));
    const input = name === undefined ? undefined : tools[name]?.(...words);
    return name === undefined || input === undefined ? null : { is: 'tool', name, input, usage };
  };
  const through = (): Act | null => {
    switch (turn.is) {
      case 'runs':
        return use(SHELLS, turn.command);
      case 'reads':
        return use(READERS, turn.path) ?? use(SHELLS, `cat ${quoted(turn.path)}`);
      case 'writes':
        return use(WRITERS, turn.path, turn.content) ?? use(SHELLS, `printf %s ${quoted(turn.content)} > ${quoted(turn.path)}`);
    }
  };
  return through() ?? { is: 'text', text: `No tool can do this: ${turn.is}. Offered: ${offered.join(', ')}`, usage };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
