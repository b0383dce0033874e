import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from './errors.js';
import { readTextFile } from './text-file.js';

export const PLAN_FILE = 'PLAN.md';
export const LEDGER_FILE = 'LEDGER.md';
export const REPORT_FILE = 'REPORT.md';
export const CONFIG_FILE = 'donewhen.yaml';

/** The files that a run begins with, as they lie on disk; absolute real paths. */
export interface PlanFolder {
  planFile: string;
  folder: string;
  /** Where LEDGER.md and REPORT.md go. */
  out: string;
  workspace: string;
  plan: string;
  ledger: string | null;
  config: string | null;
}

export interface FolderOptions {
  workspace?: string;
  out?: string;
}

/** `path`: a PLAN.md, or the folder that holds one. */
export function readPlanFolder(path: string, options: FolderOptions, cwd: string): PlanFolder {
  if (path === '') throw new UserError('the path of the plan is empty: name a folder with a PLAN.md, or the file', 2);
  const given = resolve(cwd, path);
  const stat = statSync(given, { throwIfNoEntry: false });
  if (stat === undefined) throw new UserError(`${path} does not exist: name a folder with a PLAN.md, or the file`, 2);
  const planFile = stat.isDirectory() ? join(given, PLAN_FILE) : given;
  const plan = readTextFile(planFile);
  if (plan === null)
    throw new UserError(`${path} has no PLAN.md: name a folder that has one, or let \`donewhen init\` write a first one`, 2);
  if (plan.trim() === '') throw new UserError(`${planFile}:1: ${basename(planFile)} is empty`, 2);
  const real = realpathSync(planFile);
  const folder = realpathSync(dirname(planFile));
  const workspace = options.workspace === undefined ? (gitTop(folder) ?? folder) : directory(options.workspace, '--workspace', cwd);
  const out = options.out === undefined ? folder : resolve(cwd, options.out);
  const newer = readNewerPlan(out, folder, basename(planFile));
  return {
    planFile: newer === null ? join(folder, basename(real)) : join(out, PLAN_FILE),
    folder,
    out: existsSync(out) ? realpathSync(out) : out,
    workspace,
    plan: newer ?? plan,
    ledger: readTextFile(join(out, LEDGER_FILE)),
    config: readConfigOf(workspace),
  };
}

/** With `--out`, a replan leaves the current plan beside the ledger; the one that was given first stays as it was. */
function readNewerPlan(out: string, folder: string, name: string): string | null {
  if (out === folder || name !== PLAN_FILE) return null;
  return existsSync(join(out, LEDGER_FILE)) ? readTextFile(join(out, PLAN_FILE)) : null;
}

/** null: there is no donewhen.yaml. */
export function readConfigOf(workspace: string): string | null {
  return readTextFile(join(workspace, CONFIG_FILE));
}

/** SPEC.md as the plan names it, relative to the plan. null: there is no such file. */
export function readSpec(folder: string, spec: string): string | null {
  return readTextFile(resolve(folder, spec));
}

export function directory(path: string, option: string, cwd: string): string {
  const given = resolve(cwd, path);
  const stat = statSync(given, { throwIfNoEntry: false });
  if (stat === undefined) throw new UserError(`${option} ${path} does not exist`, 2);
  if (!stat.isDirectory()) throw new UserError(`${option} ${path} is not a directory`, 2);
  return realpathSync(given);
}

/** The top of the git work tree around a folder, found by its `.git` (a folder, or a file in a linked tree); null outside of one. */
export function gitTop(folder: string): string | null {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current;
    if (dirname(current) === current) return null;
  }
}
