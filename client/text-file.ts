import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { UserError } from './errors.js';

/** A plan that people read is a few kilobytes; the texts of a start travel in one message, which the service limits to 2 MB. */
export const TEXT_BYTES_MAX = 1024 * 1024;

/** null: there is no such file. Everything else that is no text of a person is said by name. */
export function readTextFile(path: string): string | null {
  let file: number;
  try {
    // A named pipe must be refused, not waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new UserError(`${path} cannot be read: ${wordsFor(code)}`, 2, { cause: error });
  }
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw new UserError(`${path} is a directory, not a text file`, 2);
    if (!stat.isFile()) throw new UserError(`${path} is not a regular file`, 2);
    if (stat.size > TEXT_BYTES_MAX)
      throw new UserError(`${path} has ${stat.size} bytes, more than the ${TEXT_BYTES_MAX} that a ${basename(path)} may have`, 2);
    const bytes = Buffer.alloc(stat.size);
    let read = 0;
    for (let got = 1; read < bytes.length && got > 0; read += got) got = readSync(file, bytes, read, bytes.length - read, read);
    return decode(bytes.subarray(0, read), path);
  } finally {
    closeSync(file);
  }
}

/** UTF-8, with or without a byte order mark. */
function decode(bytes: Uint8Array, path: string): string {
  if (bytes.includes(0)) throw new UserError(`${path} is not a text: it holds NUL bytes`, 2);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UserError(`${path} is not UTF-8: save it in that encoding`, 2, { cause: error });
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function wordsFor(code: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ELOOP':
      return 'its links go round in a circle';
    case 'ENAMETOOLONG':
      return 'its name is too long';
    default:
      return code === '' ? 'an unknown reason' : code;
  }
}
