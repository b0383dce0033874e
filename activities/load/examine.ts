import { basename, isAbsolute, join, resolve } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { repeatedProblems } from '../../documents/adopted.js';
import type { Config } from '../../documents/config.js';
import { coverageProblems } from '../../documents/coverage.js';
import { parseLedger } from '../../documents/ledger.js';
import { normalised } from '../../documents/lines.js';
import { type PlanDocument, parsePlan, slugOf } from '../../documents/plan.js';
import { errorAt, hasErrors, type Problem, renderProblem } from '../../documents/problem.js';
import { parseSpec, type SpecDocument } from '../../documents/spec.js';
import type { StartInput } from '../interface.js';
import type { FilePorts } from '../ports.js';
import { CONFIG_FILE, effectiveConfig, performerProblems } from './config.js';
import { isForeign, type Resumed, resumedFrom, shownIn } from './entries.js';
import { isInside, openWorkspace } from './workspace.js';

const SPEC_BYTES_MAX = 1024 * 1024;

/** A start that has no error. */
export interface Examined {
  slug: string;
  /** Real path. */
  workspace: string;
  /** Absolute; it may have to be made. */
  out: string;
  plan: PlanDocument;
  spec: { text: string; document: SpecDocument } | null;
  config: Config;
  resumed: Resumed | null;
  /** Plan, contract and configuration as they lie on disk, absolute. */
  pinnedOurs: string[];
  warnings: string[];
}

/** Every problem of a start, whatever it is about: a person mends them in one go. */
interface Findings {
  /** Of PLAN.md and SPEC.md. */
  plan: Problem[];
  /** Of everything else, with its place in words. */
  input: string[];
  warnings: string[];
}

/** Reads everything and writes nothing, but a clone or a folder of its own for a run that was given none. */
export async function examine(ports: FilePorts, input: StartInput): Promise<Examined> {
  const findings: Findings = { plan: [], input: [], warnings: [] };
  const ledger = isBlank(input.ledger) ? null : parseLedger(input.ledger ?? '', { file: 'LEDGER.md' }).ledger;
  const recorded = ledger?.entries.map((entry) => entry.task) ?? [];
  const parsed = parsePlan(input.plan, { file: 'PLAN.md', recorded });
  note(findings, 'plan', parsed.problems);
  const plan = parsed.draft;
  const slug = slugOf(input.slug ?? plan.title);
  if (slug === '' && plan.title !== '')
    findings.input.push(
      `the run has no name: "${(input.slug ?? plan.title).slice(0, 60)}" has no letter or digit of a-z and 0-9; give one with --slug`,
    );
  const resumed = isBlank(input.ledger) ? null : resumedFrom(input.ledger ?? '', plan);
  if (resumed !== null) {
    examineLedger(findings, resumed, { plan, slug });
    const entries = resumed.entries.map(({ entry }) => entry);
    note(findings, 'plan', repeatedProblems(entries, plan, 'PLAN.md'));
  }
  const workspace = await examineWorkspace(ports, input, { slug, findings });
  const out = outOf(input, { workspace, slug, findings });
  const spec = await examineSpec(ports, input, { plan, workspace, out, resumed, findings });
  // A workspace that nobody could open says nothing of who could work there.
  const isKnown = workspace !== null || input.config !== undefined;
  const effective = isKnown ? await effectiveConfig(ports, input.config, workspace) : { config: null, problems: [], installed: [] };
  note(findings, 'input', effective.problems);
  const performers = performerProblems(plan, effective, new Set(recorded));
  note(findings, 'plan', performers.plan);
  findings.input.push(...performers.input);
  refuse(findings);
  if (workspace === null || out === null || effective.config === null) throw new Error('a start without a problem lacks a part');
  const shown = resumed === null ? null : shownIn(resumed, plan, effective.config.gate.finalSweep === 'on');
  note(findings, 'input', shown?.problems ?? []);
  const pinnedOurs = await oursOnDisk(ports, [
    { path: join(out, 'PLAN.md'), text: input.plan },
    { path: join(workspace, 'PLAN.md'), text: input.plan },
    ...specPaths(plan, workspace, out).map((path) => ({ path, text: spec?.text ?? null })),
    { path: join(workspace, CONFIG_FILE), text: null },
  ]);
  return {
    slug,
    workspace,
    out,
    plan,
    spec,
    config: effective.config,
    resumed: shown?.resumed ?? null,
    pinnedOurs,
    warnings: findings.warnings,
  };
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.replace(/^\ufeff/, '').trim() === '';
}

function note(findings: Findings, about: 'plan' | 'input', problems: Problem[]): void {
  for (const problem of problems) {
    if (problem.severity === 'warning') findings.warnings.push(renderProblem(problem));
    else if (about === 'plan') findings.plan.push(problem);
    else findings.input.push(renderProblem(problem));
  }
}

/** The start is refused as a whole; what is wrong with the plan names the failure. */
function refuse(findings: Findings): void {
  const problems = [...findings.plan.map(renderProblem), ...findings.input];
  if (problems.length > 0) throw invalid(findings.plan.length > 0 ? 'InvalidPlan' : 'InvalidInput', problems);
}

export function invalid(type: 'InvalidPlan' | 'InvalidInput', problems: string[]): ApplicationFailure {
  return ApplicationFailure.nonRetryable(problems.join('\n'), type, problems);
}

function examineLedger(findings: Findings, resumed: Resumed, { plan, slug }: { plan: PlanDocument; slug: string }): void {
  note(findings, 'input', resumed.problems);
  note(findings, 'plan', resumed.contradictions);
  if (resumed.title !== '' && plan.title !== '' && isForeign(resumed, plan, slug)) {
    findings.input.push(
      `LEDGER.md is the record of ${resumed.title.slice(0, 60)}, and this plan is ${plan.title.slice(0, 60)}; move the file away, or start afresh with --again`,
    );
  }
  if (plan.noOp !== null && resumed.entries.length > 0) {
    findings.plan.push(
      errorAt({ file: 'PLAN.md', line: 1 }, 'Status: no-op cannot follow a record: LEDGER.md has entries; plan what is left'),
    );
  }
}

/** A clone is only made for a plan that could be carried out in it. */
async function examineWorkspace(
  ports: FilePorts,
  input: StartInput,
  { slug, findings }: { slug: string; findings: Findings },
): Promise<string | null> {
  const isGiven = input.workspace !== undefined && 'path' in input.workspace;
  if (!isGiven && (slug === '' || hasErrors(findings.plan) || findings.input.length > 0)) return null;
  const opened = await openWorkspace(ports, slug, input.workspace);
  if (opened.is === 'open') return opened.path;
  findings.input.push(opened.problem);
  return null;
}

function outOf(input: StartInput, from: { workspace: string | null; slug: string; findings: Findings }): string | null {
  const { workspace, slug, findings } = from;
  if (input.out === undefined) return workspace === null ? null : join(workspace, '.donewhen', slug);
  if (isAbsolute(input.out) && !input.out.includes('\0')) return resolve(input.out);
  findings.input.push(`out ${JSON.stringify(input.out.slice(0, 200))} is no absolute path; give the folder where LEDGER.md goes`);
  return null;
}

interface SpecSought {
  plan: PlanDocument;
  workspace: string | null;
  out: string | null;
  resumed: Resumed | null;
  findings: Findings;
}

async function examineSpec(ports: FilePorts, input: StartInput, sought: SpecSought): Promise<Examined['spec']> {
  const { plan, resumed, findings } = sought;
  const text = input.spec ?? (await specOnDisk(ports, sought));
  if (text === null) return null;
  const { spec, problems } = parseSpec(text, { file: 'SPEC.md' });
  note(findings, 'plan', problems);
  const recorded = resumed?.entries.map(({ entry }) => entry) ?? [];
  note(findings, 'plan', coverageProblems(plan, spec, { planFile: 'PLAN.md', specFile: 'SPEC.md', recorded }));
  return { text, document: spec };
}

/** Where nobody gave its text, the SPEC that the plan names lies beside the plan. */
async function specOnDisk(ports: FilePorts, { plan, workspace, out, findings }: SpecSought): Promise<string | null> {
  if (plan.spec === null || workspace === null || out === null) return null;
  for (const path of specPaths(plan, workspace, out)) {
    const real = await ports.disk.real(path);
    const standing = real === null ? null : await ports.disk.standing(real);
    if (
      real === null ||
      standing?.kind !== 'file' ||
      standing.bytes > SPEC_BYTES_MAX ||
      !(isInside(workspace, real) || isInside(out, real))
    )
      continue;
    return (await ports.disk.read(real))?.toString('utf8') ?? null;
  }
  findings.plan.push(
    errorAt(
      { file: 'PLAN.md', line: 1 },
      `Spec names ${plan.spec.slice(0, 200)}, which is not there; put it beside the plan, or write Spec: none`,
    ),
  );
  return null;
}

function specPaths(plan: PlanDocument, workspace: string, out: string): string[] {
  const { spec } = plan;
  return spec === null ? [] : [...new Set([resolve(out, spec), resolve(workspace, spec)])];
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

/** Plan, record and configuration may change under our hands: they never make a workspace dirty. */
export function isOurs(examined: Pick<Examined, 'pinnedOurs'>, path: string): boolean {
  return (
    /^(PLAN|LEDGER|REPORT)(\.found-[^/]*)?\.md$/.test(basename(path)) || examined.pinnedOurs.includes(path) || path.includes('/.donewhen/')
  );
}
