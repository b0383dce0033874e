import { Command, CommanderError, Help } from 'commander';
import { EXIT_BAD_INPUT, EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { addActingVerbs } from './act.js';
import { addHostingVerbs } from './host.js';
import { addLookingVerbs } from './look.js';
import { overview } from './overview.js';
import { addPlanVerbs } from './run.js';
import type { Chosen } from './verb.js';

/** A command line, read: the command to run, or that nothing is left to do. */
export type Read = { is: 'chosen'; chosen: Chosen } | { is: 'over'; exit: number };

/** Reads the words after `donewhen`. Help and mistakes are printed here; what is chosen is not yet loaded. */
export async function readArguments(words: string[], io: Io, version: () => string): Promise<Read> {
  const found: { chosen: Chosen | null } = { chosen: null };
  const said = { problem: false };
  const program = programOf({ io, said, json: words.includes('--json'), version, choose: (chosen) => (found.chosen = chosen) });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { is: 'over', exit: said.problem || error.exitCode !== 0 ? EXIT_BAD_INPUT : EXIT_OK };
  }
  return found.chosen === null ? { is: 'over', exit: EXIT_BAD_INPUT } : { is: 'chosen', chosen: found.chosen };
}

interface Around {
  io: Io;
  said: { problem: boolean };
  json: boolean;
  version: () => string;
  choose: (chosen: Chosen) => void;
}

function programOf({ io, said, json, version, choose }: Around): Command {
  const program = new Command('donewhen')
    .usage('<verb> [arguments]')
    .enablePositionalOptions()
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => HELP_COLUMNS,
      getErrHelpWidth: () => HELP_COLUMNS,
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      outputError: (text) => {
        said.problem = true;
        const message = mistake(text);
        if (json) io.out(JSON.stringify({ error: { message, exit: EXIT_BAD_INPUT } }, null, 2));
        io.err(message);
      },
    })
    .configureHelp({
      formatHelp: (command, help) => (command.parent === null ? overview() : Help.prototype.formatHelp.call(help, command, help)),
    })
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [verb]', 'show the help of a verb');
  for (const [flags, words] of GLOBAL) program.option(flags, words);
  program.option('-V, --version', 'show the version').on('option:version', () => {
    io.out(version());
    throw new CommanderError(0, 'commander.version', '');
  });
  addPlanVerbs(program, choose);
  addLookingVerbs(program, choose);
  addActingVerbs(program, choose);
  addHostingVerbs(program, choose);
  return program;
}

/** Also accepted before the verb. */
const GLOBAL = [
  ['--json', 'one JSON document on standard output'],
  ['--address <host:port>', 'Temporal server'],
  ['--namespace <name>', 'Temporal namespace'],
  ['--profile <name>', 'profile of temporal.toml'],
  ['--debug', 'show stack traces'],
] as const;

/** A page of help reads the same in a terminal, in a pipe and in a book. */
const HELP_COLUMNS = 100;

/** Commander's two lines as one, in the form of our own errors. */
function mistake(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replace(/\n+\(Did you mean (.*)\?\)$/, '; did you mean $1?')
    .replace(/\n+/g, ' ');
}
