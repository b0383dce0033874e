import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { PipelineStart } from '../activities/interface.js';
import { type Config, defaultConfig, KNOWN_AGENTS, parseConfig } from '../documents/config.js';
import { type PipelineDocument, parsePipeline, promptFilesIn } from '../documents/pipeline/file.js';
import { performersOf } from '../documents/pipeline/performers.js';
import { slugOf } from '../documents/plan.js';
import { errorAt, hasErrors, type Problem } from '../documents/problem.js';
import { onPath } from '../worker/on-path.js';
import type { Startable } from './begin.js';
import { UserError } from './errors.js';
import { type ExamineOptions, inReadingOrder, type ReadLedger, readLedger } from './examine.js';
import type { Io } from './io.js';
import { CONFIG_FILE, directory, LEDGER_FILE, type PlanFolder, readConfigOf } from './plan-folder.js';
import { count } from './present/text.js';
import { sha256Of } from './record-text.js';
import { readTextFile } from './text-file.js';

/** Only these steps of a pipeline. */
export interface StepRange {
  from?: string;
  only?: string;
}

/** Everything that can be known of a pipeline without a server. */
export interface ExaminedPipeline {
  folder: Pick<PlanFolder, 'planFile' | 'folder' | 'out' | 'workspace'>;
  slug: string;
  /** null: it has errors. */
  document: PipelineDocument | null;
  text: string;
  files: Record<string, string>;
  config: Config;
  /** Who works where a step names nobody. */
  roles: { performer: string; reviewer: string };
  ledger: ReadLedger & { text: string | null };
  problems: Problem[];
}

/** Reads the pipeline and all that it names, and finds every problem at once. Throws only where there is no text to speak of. */
export function examinePipeline(path: string, options: ExamineOptions, io: Io): ExaminedPipeline {
  const { text, ...folder } = readPipelineFolder(path, options, io.cwd);
  const file = basename(folder.planFile);
  const files = promptTexts(text, folder.folder, file);
  const { pipeline: document, problems } = parsePipeline(text, { file, files: new Map(Object.entries(files)) });
  const configured = configOf(folder.workspace, io.env);
  const performers = document === null || hasErrors(configured.problems) ? null : performersOf(document, { ...configured, file });
  const ledgerText = options.again === true ? null : readTextFile(join(folder.out, LEDGER_FILE));
  const ledger = readLedger(ledgerText);
  const slug = options.slug === undefined ? (document?.slug ?? '') : slugOf(options.slug);
  return {
    folder,
    slug,
    document,
    text,
    files,
    config: configured.config,
    roles: performers?.roles ?? { performer: '', reviewer: '' },
    ledger: { ...ledger, text: ledgerText },
    problems: inReadingOrder([
      ...problems,
      ...slugProblems(slug, options.slug, file),
      ...configured.problems,
      ...(performers?.problems ?? []),
      ...ledger.problems,
    ]),
  };
}

function slugProblems(slug: string, given: string | undefined, file: string): Problem[] {
  if (given === undefined || slug === given) return [];
  const way = slug === '' ? 'use letters a-z, digits and -' : `write it as ${slug}`;
  return [errorAt({ file, line: 1 }, `--slug ${given} is no name for a run: ${way}`)];
}

function readPipelineFolder(path: string, options: ExamineOptions, cwd: string): ExaminedPipeline['folder'] & { text: string } {
  if (path === '') throw new UserError('the path of the pipeline is empty: name its file', 2);
  const given = resolve(cwd, path);
  const stat = statSync(given, { throwIfNoEntry: false });
  if (stat === undefined) throw new UserError(`${path} does not exist: name the file of a pipeline`, 2);
  if (stat.isDirectory()) throw new UserError(`${path} is a folder: name the file of a pipeline in it`, 2);
  const text = readTextFile(given);
  if (text === null || text.trim() === '') throw new UserError(`${given}:1: ${basename(given)} is empty`, 2);
  const folder = realpathSync(dirname(given));
  const workspace = options.workspace === undefined ? folder : directory(options.workspace, '--workspace', cwd);
  // Run folder and workspace are the pipeline's folder, unless something else was said (docs/interface.md §10).
  const out = options.out === undefined ? workspace : resolve(cwd, options.out);
  return { planFile: join(folder, basename(given)), folder, workspace, out: existsSync(out) ? realpathSync(out) : out, text };
}

/** What is missing the pipeline's own problems name, with the line. */
function promptTexts(text: string, folder: string, file: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of promptFilesIn(text, { file })) {
    const content = readTextFile(resolve(folder, name));
    if (content !== null) files[name] = content;
  }
  return files;
}

function configOf(workspace: string, env: NodeJS.ProcessEnv): { config: Config; installed: string[]; problems: Problem[] } {
  const text = readConfigOf(workspace);
  const { config, problems } = text === null ? { config: defaultConfig(), problems: [] } : parseConfig(text, { file: CONFIG_FILE });
  const isNamed = Object.keys(config?.agents ?? {}).length > 0;
  const installed = isNamed ? [] : Object.keys(KNOWN_AGENTS).filter((name) => onPath(env, name) !== null);
  return { config: config ?? defaultConfig(), installed, problems };
}

/** A pipeline as it is begun. */
export function pipelineStart(examined: ExaminedPipeline, { from, only }: StepRange): Startable {
  const { folder, slug, document, text, files, ledger } = examined;
  if (document === null) throw new Error('a pipeline with errors is not started');
  const input: PipelineStart = {
    slug,
    pipeline: text,
    files,
    pipelineFile: folder.planFile,
    ...(ledger.text === null ? {} : { ledger: ledger.text }),
    ...(from === undefined ? {} : { from }),
    ...(only === undefined ? {} : { only }),
  };
  return {
    slug,
    titleSlug: document.slug,
    folder,
    ledger: ledger.found,
    type: 'runPipeline',
    version: null,
    sha256: sha256Of(JSON.stringify([text, ...Object.entries(files)])),
    input,
    summary: `${slug}: ${count(document.steps.length, 'step')}, ${document.goal}`,
  };
}
