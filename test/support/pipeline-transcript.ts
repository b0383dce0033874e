import { LIMITS_DEFAULT } from '../../core/limits.js';
import { methodOf } from '../../core/methods/registry.js';
import { pipelineInput } from '../../core/methods/run-pipeline-about.js';
import { debtsOf } from '../../core/methods/run-pipeline-ending.js';
import { type Opening, openRun } from '../../core/opening.js';
import type { Run } from '../../core/values.js';
import { parseLedger } from '../../documents/ledger.js';
import { renderLedger } from '../../documents/ledger-render.js';
import { parsePipeline, toPipeline } from '../../documents/pipeline/file.js';
import { renderProblem } from '../../documents/problem.js';
import { Driver } from './driver.js';
import { parsePeople } from './paper-script.js';
import { hash } from './paper-world.js';
import { PipelineWorld } from './pipeline-world.js';
import { POLICY } from './run-values.js';
import { linesIn, linesOf, sectionIn, type Transcript } from './transcript.js';

const EXPECTED = ['what happens', 'LEDGER.md', 'the end'];

/** The same transcript with what really comes of it. */
export function carriedOutPipeline(transcript: Transcript): string {
  const driver = pipelineDriver(transcript);
  driver.carryOut();
  const { run, steps } = driver;
  const given = transcript.sections.filter(({ name }) => !EXPECTED.includes(name));
  const made = [
    { name: 'what happens', text: steps.flatMap(linesOf).join('\n') },
    { name: 'LEDGER.md', text: ledgerOf(run).trim() },
    { name: 'the end', text: endOf(run).join('\n') },
  ];
  return `${[transcript.title, ...[...given, ...made].map(({ name, text }) => `== ${name}\n${text}`)].join('\n\n')}\n`;
}

export function pipelineDriver(transcript: Transcript): Driver<PipelineWorld> {
  const acts = new Map<string, string[]>();
  for (const line of linesIn(transcript, 'agents')) {
    const [, task = '', words = ''] = /^(\S+?):\s+(.+)$/.exec(line) ?? [];
    acts.set(task, [...(acts.get(task) ?? []), words]);
  }
  const world = new PipelineWorld(acts);
  for (const path of linesIn(transcript, 'already there')) world.files.set(path, 'old');
  return new Driver(openedPipeline(transcript), world, parsePeople(linesIn(transcript, 'people')));
}

/** From its file alone, or from its file and a LEDGER.md. */
export function openedPipeline(transcript: Transcript, ledger?: string): Run {
  const { pipeline, problems } = parsePipeline(`${sectionIn(transcript, 'PIPELINE') ?? ''}\n`, { file: 'pipeline.yaml', files: new Map() });
  if (pipeline === null) throw new Error(problems.map(renderProblem).join('; '));
  const rules = new Map(linesIn(transcript, 'rules').map((line) => line.split(/:\s*/) as [string, string]));
  const about = pipelineInput({
    pipeline: toPipeline(pipeline, { performer: 'agent', reviewer: 'reviewer', hash }),
    ...rangeOf(rules),
  });
  const entries = ledger === undefined ? [] : parseLedger(ledger, { file: 'LEDGER.md', hash }).ledger.entries;
  const opening: Opening = {
    id: pipeline.slug,
    method: 'runPipeline',
    input: about,
    plan: { version: 1, goal: pipeline.goal, tasks: [], sha256: hash('pipeline') },
    entries,
    limits: { ...LIMITS_DEFAULT, dispatches: Number(rules.get('limits.dispatches') ?? LIMITS_DEFAULT.dispatches) },
    policy: { ...POLICY, planner: false, onBlocked: rules.get('people.onBlocked') === 'wait' ? 'wait' : 'report' },
    at: 0,
  };
  return openRun(opening);
}

function rangeOf(rules: Map<string, string>): { range?: { from: string } | { only: string } } {
  const [from, only] = [rules.get('--from'), rules.get('--only')];
  if (from !== undefined) return { range: { from } };
  return only === undefined ? {} : { range: { only } };
}

export function ledgerOf(run: Run): string {
  const details = run.ledger.map(({ task }) => ({ task, line: 1, doneWhen: null, restates: null, unknown: [] }));
  return renderLedger({ foreword: [], title: run.id, entries: run.ledger, details, preamble: [], sections: [] });
}

function endOf(run: Run): string[] {
  const criteria = methodOf(run.method)
    .criteria(run)
    .map(({ id, state, label }) => `${id}: ${state}, ${label}`);
  const waits = run.questions.map(({ kind, gate, ask }) => `waits: ${kind} ${gate ?? ''}, ${ask}`);
  return [`outcome: ${run.outcome ?? 'open'}`, ...criteria, ...debtsOf(run).map((debt) => `debt: ${debt}`), ...waits];
}
