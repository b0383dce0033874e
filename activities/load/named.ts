import { dirname } from 'node:path';
import { parseCheck } from '../../documents/check-line.js';
import { pathsIn, sourcesIn } from './shell-words.js';

/** A longer script is not read for what it reads in. */
export const SCRIPT_BYTES_MAX = 256 * 1024;

/** What a check names that may be a file which decides it, from the workspace: words of its command, or its schema. */
export function namedBy(line: string): string[] {
  const { check } = parseCheck(line, { file: '', line: 0 });
  if (check?.kind === 'run') return pathsIn(check.command);
  if (check?.kind === 'file' && check.expect.is === 'json' && check.expect.schema !== null) return [check.expect.schema];
  return [];
}

/** What a shell script reads in as a part of itself, one level deep; `file` is its absolute path. */
export function sourcedBy(file: string, text: string): string[] {
  const isShell = /\.(?:sh|bash|zsh|ksh)$/.test(file) || /^#![^\n]*\b(?:ba|da|z|k|a)?sh\b/.test(text);
  return isShell ? sourcesIn(text, dirname(file)) : [];
}
