import type { Command } from 'commander';
import { UserError } from '../errors.js';
import type { Io } from '../io.js';
import type { CommonOptions, World } from '../world.js';

/** What a command line asks for. Nothing of a verb is loaded before it is chosen: `donewhen --help` costs no more than Node itself. */
export type Chosen = (io: Io, world: World) => Promise<number>;
export type Choose = (chosen: Chosen) => void;

/** Adds the options that every verb takes, and the end of its help. */
export function common(verb: Command, help: { exits: string[]; examples: string[]; notes?: string[] }): Command {
  const list = (title: string, lines: string[]) =>
    lines.length === 0 ? '' : `\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
  return verb
    .optionsGroup('Common options:')
    .option('--json', 'one JSON document on standard output; everything else on standard error')
    .option('--address <host:port>', 'Temporal server, instead of the one that is found')
    .option('--namespace <name>', 'Temporal namespace')
    .option('--profile <name>', 'profile of temporal.toml, as the temporal CLI takes it')
    .option('--debug', 'show stack traces')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', () => list('Notes', help.notes ?? []) + list('Exit status', help.exits) + list('Examples', help.examples));
}

export const EXITS_ANY = ['2  bad input', '3  no server or no worker answered in time'];
export const EXITS_ACT = ['0  applied', '2  bad input, or refused', '3  no server or no worker answered in time'];
export const EXITS_RUN = [
  '0  COMPLETED or NO_OP      10  PARTIAL      11  BLOCKED      12  FAILED      13  stopped by a person',
  '2  bad input, nothing was started       3  no server or no worker answered in time',
  '130  interrupted; the run is kept and goes on when a worker is there',
];

/** The values of a verb's options, with the common ones. Options before the verb count as well. */
export function valuesOf(verb: Command): Record<string, unknown> & CommonOptions {
  const values: Record<string, unknown> = verb.optsWithGlobals();
  return { ...values, json: values.json === true };
}

/** Words of a person's own that may be missing: an empty one says nothing. */
const REMARKS = ['reason', 'nowTrue', 'unexpected'];

/** Options by name as text; what was not given is absent. An empty name, folder or command is a slip (`--slug "$NAME"`), never a default. */
export function texts<Name extends string>(values: Record<string, unknown>, names: readonly Name[]): { [name in Name]?: string } {
  const found: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = values[name];
    if (typeof value !== 'string') continue;
    if (value.trim() !== '') found[name] = value;
    else if (!REMARKS.includes(name)) throw new UserError(`--${dashed(name)} is empty: it needs a value`, 2);
  }
  return found;
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const COMMON = ['address', 'namespace', 'profile'] as const;

export function commonOf(values: Record<string, unknown>): CommonOptions {
  return { json: values.json === true, ...texts(values, COMMON) };
}
