import { readdirSync, readFileSync } from 'node:fs';

/** A living process as Linux lists it. */
export interface TableRow {
  pid: number;
  parent: number;
  group: number;
  session: number;
}

/** Every process of this host but zombies: they have ended, act no more, and only their parent can collect them. */
export function processTable(): TableRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readProc(`${name}/stat`);
      // The name stands in parentheses and may itself hold spaces and parentheses: fields count from the last one.
      const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === undefined || session === undefined || state === 'Z' || state === 'X') return [];
      return [{ pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session) }];
    });
}

/** A file below /proc, or nothing: a process may end while we read of it. */
export function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return '';
  }
}
