import type { CommandResult, CommandSpec } from '../process/wire.js';
import { disproved, type LookContext, type Sight, unobservable } from './context.js';
import { commandSettings, unfinished } from './run.js';

/** What git needs to look without waiting, writing or translating, and at what is there instead of at what stands for it. */
const QUIET = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  LC_ALL: 'C',
};

/** Settings of a repository that would let git answer from memory, or leave something out: whoever works in it can set them. */
export const PLAIN = [
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'core.ignoreStat=false',
].flatMap((setting) => ['-c', setting]);

const OUTPUT_BYTES_MAX = 2 * 1024 * 1024;

export function git(args: string[], context: LookContext): Promise<CommandResult> {
  return ran({ argv: ['git', ...PLAIN, ...args] }, context);
}

/** Tracked files that git is told not to look at, a line each; of a large tree all would be too much to read. */
export function unwatched(context: LookContext): Promise<CommandResult> {
  const list = ['git', ...PLAIN, 'ls-files', '-v'].join(' ');
  return ran({ script: `{ ${list} || echo 'z git failed'; } | sed -n '/^[a-zS] /p'` }, context);
}

function ran(program: CommandSpec['program'], context: LookContext): Promise<CommandResult> {
  const settings = { ...commandSettings(context), headBytes: OUTPUT_BYTES_MAX, tailBytes: 0 };
  return context.run({ ...settings, program, cwd: context.workspace, env: { ...settings.env, ...QUIET } });
}

/** What was not read may say anything. */
export function isCut({ bytes }: CommandResult): boolean {
  return bytes > OUTPUT_BYTES_MAX;
}

export function codeOf(result: CommandResult): number | null {
  return result.end.is === 'exited' ? result.end.code : null;
}

export function failed(result: CommandResult, { timeoutMs }: LookContext): Sight {
  if (result.end.is !== 'exited') return unobservable(unfinished(result.end, timeoutMs));
  const [said = ''] = result.errors.trim().split('\n');
  if (/not a git repository/i.test(said)) return disproved('not a git repository');
  if (result.end.code === 127 || result.end.code === 126) return unobservable('git is not there');
  return unobservable(`git exits ${result.end.code}: ${said}`);
}
