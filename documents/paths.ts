/** Longer than any path that a file system takes. */
const PATH_CHARS_MAX = 1024;

const CONTROL = /\p{Cc}/u;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;
/** `..` that a brace, a bracket or an alternative of a pattern would produce. */
const HIDDEN_PARENT = /(^|[/{,(|])\.\.($|[/},)|])/;
const PATTERN_LETTERS = /[*?[\]{}()!]/;

/**
 * What is wrong with a path that a plan, a performer or an agent gave (F03, F10), or null. Every path is relative to the
 * workspace and stays in it; whether a link leads out is for the look at the disk to say, when it looks (F05).
 */
export function pathProblem(path: string): string | null {
  if (path === '') return 'is empty';
  if (path.length > PATH_CHARS_MAX) return `is longer than ${PATH_CHARS_MAX} characters`;
  if (CONTROL.test(path)) return 'holds a control character';
  if (SCHEME.test(path)) return 'is a URL; write the path relative to the workspace';
  if (path.includes('\\')) return 'holds a backslash; separate folders with /';
  if (path.startsWith('/')) return 'is absolute; write it relative to the workspace';
  if (/^[A-Za-z]:/.test(path)) return 'names a drive; write it relative to the workspace';
  if (path.startsWith('~')) return 'starts at a home folder; write it relative to the workspace';
  if (/%[0-9A-Fa-f]{2}/.test(path)) return 'is percent-encoded; write its letters as they are';
  if (leaves(path)) return 'leaves the workspace';
  if (hidesParent(path)) return 'holds `..` in a pattern; name the folder';
  return null;
}

function leaves(path: string): boolean {
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}

function hidesParent(path: string): boolean {
  return PATTERN_LETTERS.test(path) && path.includes('..') && HIDDEN_PARENT.test(path);
}

export function isPattern(path: string): boolean {
  return /[*?]|\[[^\]]*\]|\{[^}]*\}/.test(path);
}
