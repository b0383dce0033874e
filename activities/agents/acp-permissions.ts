import { type Level, LOCAL_GIT, LOOKING_GIT } from './permissions.js';
import { type Fields, fieldsOf, textOf } from './stream.js';

/** What an agent that asks may do. */
export interface Allowed {
  level: Level;
  network: boolean;
  /** The commands of the task's checks. */
  commands: string[];
}

const LOOKS = ['read', 'search', 'think'];
const EDITS = [...LOOKS, 'edit', 'delete', 'move'];
/** Ids of modes, as agents name them, by what they come nearest to. */
const MODES: Record<Level, string[]> = {
  read: ['read-only', 'default'],
  edit: ['acceptEdits', 'autoEdit', 'agent'],
  full: ['yolo', 'bypassPermissions', 'full-access', 'agent-full-access'],
};

export function modeFor(level: Level, available: readonly string[]): string | null {
  return MODES[level].find((mode) => available.includes(mode)) ?? null;
}

export function isAllowed({ level, network, commands }: Allowed, toolCall: Fields): boolean {
  if (level === 'full') return true;
  const kind = textOf(toolCall.kind);
  if (kind === 'fetch') return network;
  if (kind === 'execute')
    return isOurs(commandOf(toolCall), level === 'edit' ? { commands, verbs: LOCAL_GIT } : { commands: [], verbs: LOOKING_GIT });
  return (level === 'edit' ? EDITS : LOOKS).includes(kind);
}

/** The answer to `session/request_permission`: one time, never for ever. */
export function optionFor(isAllowedNow: boolean, options: readonly { kind: string; optionId: string }[]): string | null {
  const kinds = isAllowedNow ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  return kinds.flatMap((kind) => options.filter((option) => option.kind === kind))[0]?.optionId ?? null;
}

export function commandOf(toolCall: Fields): string {
  const { command, cmd } = fieldsOf(toolCall.rawInput);
  return (textOf(command) || textOf(cmd) || textOf(toolCall.title)).trim();
}

/** Nothing that a shell would make more of: a second command, a substitution, a redirection. */
function isOurs(command: string, { commands, verbs }: { commands: string[]; verbs: readonly string[] }): boolean {
  if (commands.includes(command)) return true;
  const [, verb = ''] = /^git ([a-z]+)(?: [^;&|`$<>\n\\]*)?$/.exec(command) ?? [];
  return verbs.includes(verb);
}
