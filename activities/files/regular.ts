import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { codeOf } from './disk.js';

/** A pipe that somebody put in the place of a file would be waited for for ever: it is opened without waiting. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;
const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO']);

/** The content of a file where a performer can write. null: no regular file stands there. Throws what else is wrong. */
export function readRegular(path: string): Buffer | null {
  let file: number;
  try {
    file = openSync(path, AT_ONCE);
  } catch (error) {
    if (NO_FILE.has(codeOf(error) ?? '')) return null;
    throw error;
  }
  try {
    return fstatSync(file).isFile() ? readFileSync(file) : null;
  } finally {
    closeSync(file);
  }
}

/** The same as text; '' also where it cannot be read: whoever wrote it said nothing. */
export function textIn(path: string): string {
  try {
    return readRegular(path)?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}
