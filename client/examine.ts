import { basename, relative } from 'node:path';
import type { Entry } from '../core/values.js';
import { adoptedProblems, repeatedProblems } from '../documents/adopted.js';
import type { Config } from '../documents/config.js';
import { type EntryDetails, parseLedger } from '../documents/ledger.js';
import { type PlanDocument, parsePlan, slugOf } from '../documents/plan.js';
import { errorAt, hasErrors, type Problem, renderProblem } from '../documents/problem.js';
import { agentsFor } from './agents.js';
import { contractOf } from './contract.js';
import { UserError } from './errors.js';
import type { FoundEntry, FoundLedger } from './find.js';
import type { Io } from './io.js';
import { type FolderOptions, LEDGER_FILE, type PlanFolder, readPlanFolder } from './plan-folder.js';
import { sha256Of } from './record-text.js';
import { remainderProblems } from './remainder.js';
import { sideBySideProblems } from './side-by-side.js';

/** Everything that can be known of a plan without a server. */
export interface Examined {
  folder: PlanFolder;
  slug: string;
  titleSlug: string;
  /** As far as it could be read; a plan with errors is not carried out. */
  document: PlanDocument;
  spec: string | null;
  ledger: FoundLedger | null;
  /** Entries of LEDGER.md, by task id. */
  recorded: string[];
  config: Config;
  /** The agent of tasks that name none; null: there is none. */
  performer: string | null;
  problems: Problem[];
}

export interface ExamineOptions extends FolderOptions {
  slug?: string;
  /** A fresh record: what LEDGER.md holds does not count for this plan. */
  again?: boolean;
}

/** Reads the plan and all that it names, and finds every problem at once. Throws only where there is no text to speak of. */
export async function examine(path: string, options: ExamineOptions, io: Io): Promise<Examined> {
  const folder = readPlanFolder(path, options, io.cwd);
  const file = basename(folder.planFile);
  const ledger = readLedger(folder.ledger);
  const entries = options.again === true ? [] : ledger.entries;
  const recorded = entries.map((entry) => entry.task);
  const { draft, problems } = parsePlan(folder.plan, { file, recorded });
  const titleSlug = slugOf(draft.title);
  const contract = contractOf(folder.folder, { document: draft, file, text: folder.plan }, entries);
  const agents = agentsFor(draft, folder.config, { file, env: io.env, recorded });
  const slug = options.slug === undefined ? titleSlug : slugOf(options.slug);
  const isFresh = options.again === true || ledger.found === null;
  const text = folder.plan;
  const left = isFresh
    ? remainderProblems({ text, document: draft, file, workspace: folder.workspace, slug }, { again: options.again === true })
    : [];
  return {
    folder,
    slug,
    titleSlug,
    document: draft,
    spec: contract.text,
    ledger: ledger.found,
    recorded,
    config: agents.config,
    performer: agents.performer,
    // What else a part of a plan lacks follows from that.
    problems: hasErrors(left)
      ? left
      : inReadingOrder([
          ...problems,
          ...slugProblems(slug, draft, options, file),
          ...left,
          ...contract.problems,
          ...agents.problems,
          ...sideBySideProblems(
            agents.config,
            draft.tasks.filter((task) => !recorded.includes(task.id)),
            folder.config,
          ),
          ...(options.again === true ? [] : [...ledger.problems, ...oddProblems(ledger, draft, { file, config: agents.config })]),
        ]),
  };
}

/** File by file, and within one from top to bottom: a person mends them in one go. */
export function inReadingOrder(problems: Problem[]): Problem[] {
  const files = [...new Set(problems.map((problem) => problem.file))];
  return files.flatMap((file) => problems.filter((problem) => problem.file === file).sort((a, b) => a.line - b.line));
}

function slugProblems(slug: string, draft: PlanDocument, options: ExamineOptions, file: string): Problem[] {
  if (options.slug !== undefined && slug !== options.slug) {
    const way = slug === '' ? 'use letters a-z, digits and -' : `write it as ${slug}`;
    return [errorAt({ file, line: 1 }, `--slug ${options.slug} is no name for a run: ${way}`)];
  }
  if (slug !== '' || draft.title === '') return [];
  return [
    errorAt(
      { file, line: 1 },
      `the title ${JSON.stringify(draft.title)} has no letter a-z and no digit to name the run by: give it with --slug NAME`,
    ),
  ];
}

function oddProblems(ledger: ReadLedger, draft: PlanDocument, { file, config }: { file: string; config: Config }): Problem[] {
  return [
    ...repeatedProblems(ledger.entries, draft, file),
    ...adoptedProblems(ledger, draft, { planFile: file, ledgerFile: LEDGER_FILE, finalSweep: config.gate.finalSweep === 'on' }),
  ];
}

export interface ReadLedger {
  found: FoundLedger | null;
  entries: Entry[];
  details: EntryDetails[];
  problems: Problem[];
}

export function readLedger(text: string | null): ReadLedger {
  if (text === null || text.trim() === '') return { found: null, entries: [], details: [], problems: [] };
  const { ledger, problems } = parseLedger(text, { file: LEDGER_FILE, hash: sha256Of });
  const found = ledger.entries.map(
    (entry): FoundEntry => ({ task: entry.task, planVersion: entry.planVersion, gate: entry.gates.at(-1)?.is ?? 'missing' }),
  );
  const last =
    found.findLast((entry) => entry.gate === 'missing' || entry.gate === 'required' || entry.gate === 'exhausted') ?? found.at(-1) ?? null;
  return {
    found: { title: ledger.title, titleSlug: slugOf(ledger.title), entries: found.length, last },
    entries: ledger.entries,
    details: ledger.details,
    problems,
  };
}

interface Placed {
  folder: Pick<PlanFolder, 'folder' | 'planFile'>;
}

/** Warnings are said; errors end the command before anything is started. */
export function refuseProblems(examined: Placed & { problems: Problem[] }, io: Io): void {
  const errors = examined.problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) throw new UserError(errors.map((problem) => renderPlaced(problem, examined, io.cwd)).join('\n'), 2);
  for (const problem of examined.problems) io.err(renderPlaced(problem, examined, io.cwd));
}

/** `PLAN.md:41: …`, with the folder where it is not the present one, so that the place can be opened. */
export function renderPlaced(problem: Problem, examined: Placed, cwd: string): string {
  const folder = relative(cwd, examined.folder.folder);
  const isBeside = problem.file === basename(examined.folder.planFile);
  return renderProblem(isBeside && folder !== '' && !folder.startsWith('..') ? { ...problem, file: `${folder}/${problem.file}` } : problem);
}
