import { basename, dirname, extname, join } from 'node:path';
import { originalOfDraft } from '../files/whole.js';

/** What of a workspace a run writes itself, absolute: it makes no tree dirty and is no work of a performer. */
export interface Ours {
  /** Files, and folders that end in a slash. */
  written: readonly string[];
  /** Files that a run puts back when somebody changed them; what was there instead it saves beside. */
  putBack: readonly string[];
}

/** The plan, the record, and all that a run keeps in its own folder. */
export function oursIn(place: { workspace: string; out: string }, putBack: readonly string[] = []): Ours {
  // Its own folder by both names: beside it is saved what stood in its place.
  const own = ['.donewhen/', '.donewhen'].map((name) => join(place.workspace, name));
  return { written: [join(place.out, 'PLAN.md'), ...recordIn(place.out), ...own], putBack };
}

/** The record of a run, of which nothing is ever a performer's. */
export function recordIn(out: string): string[] {
  return ['LEDGER.md', 'REPORT.md', 'pipeline-context.yaml', '00-boss.log.md'].map((name) => join(out, name));
}

export function isOurs(path: string, { written, putBack }: Ours): boolean {
  if (written.some((own) => (own.endsWith('/') ? `${path}/`.startsWith(own) : path === own))) return true;
  // Also while it is being written: a look may run beside that, and a worker that was killed leaves its draft.
  const other = originalOfDraft(path) ?? originalOf(path);
  return other !== null && (written.includes(other) || putBack.includes(other));
}

/** `LEDGER.found-20261130T210000Z.md` was saved in place of `LEDGER.md`. null: it has no such name. */
function originalOf(path: string): string | null {
  const ending = extname(path);
  const [, stem] = /^(.+)\.found-\d{8}T\d{6}Z(?:-\d+)?$/.exec(basename(path, ending)) ?? [];
  if (stem !== undefined) return join(dirname(path), `${stem}${ending}`);
  // A name without an ending: the time is taken for one.
  const [, bare] = /^(.+)\.found-\d{8}T\d{6}Z(?:-\d+)?$/.exec(basename(path)) ?? [];
  return bare === undefined ? null : join(dirname(path), bare);
}
