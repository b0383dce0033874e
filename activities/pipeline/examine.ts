import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { PipelineAbout } from '../../core/methods/pipeline-values.js';
import type { Config } from '../../documents/config.js';
import { type LedgerDocument, parseLedger } from '../../documents/ledger.js';
import { normalised } from '../../documents/lines.js';
import { type PipelineDocument, parsePipeline } from '../../documents/pipeline/file.js';
import { performersOf } from '../../documents/pipeline/performers.js';
import { slugOf } from '../../documents/plan.js';
import { type Problem, renderProblem } from '../../documents/problem.js';
import type { PipelineStart } from '../interface.js';
import { CONFIG_FILE, effectiveConfig } from '../load/config.js';
import { invalid } from '../load/examine.js';
import { openWorkspace } from '../load/workspace.js';
import type { FilePorts } from '../ports.js';
import { sha256Of } from '../texts.js';

/** Its name where nobody gave one. */
const PIPELINE_FILE = 'pipeline.yaml';

/** A start of a pipeline that has no error. */
export interface ExaminedPipeline {
  slug: string;
  /** Real path. */
  workspace: string;
  /** Absolute; it may have to be made. */
  out: string;
  document: PipelineDocument;
  range: PipelineAbout['range'];
  config: Config;
  /** Who works where a step names nobody. */
  roles: { performer: string; reviewer: string };
  ledger: LedgerDocument | null;
  /** Pipeline, prompts and configuration as they lie on disk, absolute. */
  pinnedOurs: string[];
  warnings: string[];
}

interface Findings {
  /** Of the pipeline and its prompts. */
  pipeline: string[];
  /** Of everything else, with its place in words. */
  input: string[];
  warnings: string[];
}

/** Reads everything and writes nothing, but a clone or a folder of its own for a run that was given none. */
export async function examinePipeline(ports: FilePorts, input: PipelineStart): Promise<ExaminedPipeline> {
  const findings: Findings = { pipeline: [], input: [], warnings: [] };
  const file = basename(input.pipelineFile ?? PIPELINE_FILE);
  const { pipeline: document, problems } = parsePipeline(input.pipeline, {
    file,
    files: new Map(Object.entries(input.files)),
  });
  note(findings, 'pipeline', problems);
  if (document === null) throw refusal(findings);
  const slug = slugOf(input.slug ?? document.title);
  if (slug === '')
    findings.input.push(`the run has no name: "${(input.slug ?? document.title).slice(0, 60)}" has no letter or digit of a-z and 0-9`);
  const ledger = examineLedger(findings, input.ledger, { document, slug });
  const range = rangeOf(findings, input, document);
  examinePaths(findings, input);
  if (hasAny(findings)) throw refusal(findings);
  const opened = await openWorkspace(ports, slug, input.workspace);
  if (opened.is === 'refused') throw invalid('InvalidInput', [opened.problem]);
  const workspace = opened.path;
  const { config, problems: wrong, installed } = await effectiveConfig(ports, input.config, workspace);
  note(findings, 'input', wrong);
  const performers = config === null ? null : performersOf(document, { config, installed, file });
  note(findings, 'pipeline', performers?.problems ?? []);
  const out = input.out === undefined ? join(workspace, '.donewhen', slug) : resolve(input.out);
  if (hasAny(findings) || config === null || performers === null) throw refusal(findings);
  const pinnedOurs = await oursOnDisk(ports, [
    ...pipelineFiles(input, [out, workspace]).flatMap((path) => [
      { path, text: input.pipeline },
      ...Object.entries(input.files).map(([name, text]) => ({ path: join(dirname(path), name), text })),
    ]),
    { path: join(workspace, CONFIG_FILE), text: null },
  ]);
  const { roles } = performers;
  return { slug, workspace, out, document, range, config, roles, ledger, pinnedOurs, warnings: findings.warnings };
}

function note(findings: Findings, about: 'pipeline' | 'input', problems: Problem[]): void {
  for (const problem of problems) findings[problem.severity === 'warning' ? 'warnings' : about].push(renderProblem(problem));
}

function hasAny({ pipeline, input }: Findings): boolean {
  return pipeline.length + input.length > 0;
}

function refusal({ pipeline, input }: Findings) {
  return invalid(pipeline.length > 0 ? 'InvalidPlan' : 'InvalidInput', [...pipeline, ...input]);
}

function examineLedger(
  findings: Findings,
  text: string | undefined,
  { document, slug }: { document: PipelineDocument; slug: string },
): LedgerDocument | null {
  if (text === undefined || text.replace(/^\ufeff/, '').trim() === '') return null;
  const { ledger, problems } = parseLedger(text, { file: 'LEDGER.md', hash: sha256Of });
  note(findings, 'input', problems);
  const title = slugOf(ledger.title);
  if (ledger.title !== '' && title !== slug && title !== document.slug)
    findings.input.push(
      `LEDGER.md is the record of ${ledger.title.slice(0, 60)}, and this pipeline is ${document.title.slice(0, 60)}; move the file away, or start afresh with --again`,
    );
  return ledger;
}

function rangeOf(findings: Findings, { from, only }: PipelineStart, document: PipelineDocument): PipelineAbout['range'] {
  const name = from ?? only;
  if (name === undefined) return undefined;
  const inOrder = document.steps.filter(({ optional }) => !optional).map(({ step }) => step);
  if (!inOrder.includes(name))
    findings.input.push(`the pipeline has no step ${name.slice(0, 60)} that runs in order; there are ${inOrder.join(', ')}`);
  return from === undefined ? { only: name } : { from: name };
}

function examinePaths(findings: Findings, { out, pipelineFile }: PipelineStart): void {
  if (out !== undefined && !isPath(out)) findings.input.push(`out ${shown(out)} is no absolute path; give the folder where LEDGER.md goes`);
  if (pipelineFile !== undefined && !isPath(pipelineFile))
    findings.input.push(`pipelineFile ${shown(pipelineFile)} is no absolute path; give the file of the pipeline, or leave it out`);
}

function isPath(path: string): boolean {
  return isAbsolute(path) && !path.includes('\0');
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 200));
}

/** Where the pipeline may lie: where the start says, else under its usual name. What a run keeps of it itself is not that. */
function pipelineFiles({ pipelineFile }: PipelineStart, folders: string[]): string[] {
  if (pipelineFile !== undefined) return [resolve(pipelineFile)];
  const paths = [...new Set(folders)].map((folder) => join(folder, PIPELINE_FILE));
  return paths.filter((path) => !path.includes('/.donewhen/'));
}

/** Of these files the ones that are there with that very text; null: with any. */
async function oursOnDisk(ports: FilePorts, files: { path: string; text: string | null }[]): Promise<string[]> {
  const ours = new Set<string>();
  for (const { path, text } of files) {
    if ((await ports.disk.standing(path))?.kind !== 'file') continue;
    const content = text === null ? null : ((await ports.disk.read(path))?.toString('utf8') ?? '');
    if (content === null || text === null || normalised(content) === normalised(text)) ours.add(path);
  }
  return [...ours];
}

/** The pipeline, its record and its configuration may change under our hands: they never make a workspace dirty. */
export function isOursOf({ pinnedOurs }: Pick<ExaminedPipeline, 'pinnedOurs'>, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    /^(?:(?:LEDGER|REPORT)(?:\.found-[^/]*)?\.md|pipeline-context\.yaml|00-boss\.log\.md)$/.test(name) ||
    pinnedOurs.includes(path) ||
    path.includes('/.donewhen/')
  );
}
