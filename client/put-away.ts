import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from './errors.js';
import { LEDGER_FILE, REPORT_FILE } from './plan-folder.js';
import { runFolderOf } from './run-folder.js';
import { codeOf } from './text-file.js';

const EARLIER = 'runs';
/** What a pipeline has beside its ledger. */
const PIPELINE_RECORD = ['pipeline-context.yaml', '00-boss.log.md'];

/**
 * `--again`: the record so far, and everything that belongs to it, moves to `.donewhen/<slug>/runs/<n>/`, which is answered; null: there was
 * nothing. Attempts move too: an old outcome under a new run's token would be taken for its own.
 */
export function putAway(record: { workspace: string; slug: string; out: string }): string | null {
  const folder = runFolderOf(record.workspace, record.slug);
  const kept = existsSync(folder) ? readdirSync(folder).filter((name) => name !== EARLIER) : [];
  const sources = new Set([
    ...[LEDGER_FILE, REPORT_FILE, ...PIPELINE_RECORD].map((name) => join(record.out, name)).filter(existsSync),
    ...kept.map((name) => join(folder, name)),
  ]);
  if (sources.size === 0) return null;
  try {
    const earlier = join(folder, EARLIER);
    mkdirSync(earlier, { recursive: true });
    ignoreItself(join(record.workspace, '.donewhen'));
    const target = join(earlier, String(nextNumber(earlier)));
    mkdirSync(target);
    for (const source of sources) move(source, join(target, basename(source)));
    return target;
  } catch (error) {
    throw new UserError(
      `the old record in ${record.out} cannot be moved to ${folder}: ${codeOf(error) || String(error)}; nothing was started`,
      2,
      { cause: error },
    );
  }
}

/** `--out` may lie on another disk; only files do. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    copyFileSync(from, to);
    rmSync(from);
  }
}

function ignoreItself(folder: string): void {
  const file = join(folder, '.gitignore');
  if (!existsSync(file)) writeFileSync(file, '*\n');
}

function nextNumber(folder: string): number {
  const numbers = readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return Math.max(0, ...numbers) + 1;
}
