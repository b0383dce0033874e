import { codeOf } from './disk.js';

const FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and the run goes on by itself',
  EDQUOT: 'the disk quota is used up; free some space and the run goes on by itself',
  EFBIG: 'the file may not grow any more; lift the limit and the run goes on by itself',
  EROFS: 'the disk is read-only; make it writable and the run goes on by itself',
  EACCES: 'permission is denied; give it and the run goes on by itself',
  EPERM: 'the system does not allow it; allow it and the run goes on by itself',
  ENOENT: 'its folder is gone; put it back and the run goes on by itself',
  ENOTDIR: 'its folder is no folder any more; put it back and the run goes on by itself',
  ELOOP: 'it has become a link; remove the link and the run goes on by itself',
  EMFILE: 'too many files are open; the run goes on by itself when there are fewer',
  EIO: 'the disk does not answer; look at it, and the run goes on by itself',
};

/** What is wrong with the disk, and the way out; null: it is something else. */
export function faultWords(error: unknown): string | null {
  const code = codeOf(error);
  return (code === null ? undefined : FAULTS[code]) ?? null;
}
