import { join } from 'node:path';
import type { Pipeline, PipelineAbout } from '../../core/methods/pipeline-values.js';
import { pipelineInput, stepNameOf, taskIdOf } from '../../core/methods/run-pipeline-about.js';
import { policyOf } from '../../documents/config.js';
import { renderGate } from '../../documents/ledger-gate.js';
import { toPipeline } from '../../documents/pipeline/file.js';
import { setEarlierAside } from '../attempt-folder.js';
import { writeWhole } from '../files/whole.js';
import type { Loaded, PipelineStart, Place } from '../interface.js';
import { type Claim, folderOf, takeWorkspace } from '../load/claim.js';
import { invalid } from '../load/examine.js';
import { pinnedFiles } from '../load/pins.js';
import type { FilePorts } from '../ports.js';
import { sha256Of, type Texts, textsOf } from '../texts.js';
import { keptSteps, recordedSteps } from './entries.js';
import { type ExaminedPipeline, examinePipeline, isOursOf } from './examine.js';
import { givenBefore } from './given.js';
import { logStart } from './log.js';

type PipelineInput = PipelineStart & { workflowId: string; now: number };

/** A pipeline and everything that it begins with, by hash (docs/interface.md §10). Doing it twice is doing it once. */
export async function loadPipeline(ports: FilePorts, input: PipelineInput): Promise<Loaded> {
  const examined = await examinePipeline(ports, input);
  const { document, roles } = examined;
  const pipeline = { ...toPipeline(document, { ...roles, hash: sha256Of }), slug: examined.slug };
  const { workspace, range, ledger } = examined;
  const given = await givenBefore({ disk: ports.disk, workspace, out: examined.out }, { pipeline, range, ledger });
  if (given.problems.length > 0) throw invalid('InvalidInput', given.problems);
  const about: PipelineAbout = {
    pipeline,
    ...(range === undefined ? {} : { range, given: given.steps }),
  };
  const { out, warnings } = await takeWorkspace(ports, input, claimOf(examined, pipeline));
  return settle(ports, input, { examined: { ...examined, out, warnings: [...examined.warnings, ...warnings] }, about });
}

function claimOf(examined: ExaminedPipeline, { steps }: Pipeline): Claim {
  const recorded = new Set(examined.ledger?.entries.map(({ task }) => task));
  const known = new Set(steps.map(({ step }) => taskIdOf(step)));
  return {
    ...examined,
    isResumed: examined.ledger !== null,
    isOpen: (task) => known.has(taskIdOf(stepNameOf(task))) && !recorded.has(task),
    isOurs: (path) => isOursOf(examined, path),
  };
}

async function settle(
  ports: FilePorts,
  input: PipelineInput,
  { examined, about }: { examined: ExaminedPipeline; about: PipelineAbout },
): Promise<Loaded> {
  const { workspace, slug, config, ledger, document } = examined;
  const { pipeline } = about;
  const folder = folderOf(workspace, slug);
  const isNew = ledger === null || ledger.entries.length === 0;
  if (isNew) setEarlierAside(folder, input.now);
  const spare = join(ports.home, 'texts', slug);
  const texts = textsOf(ports.disk, { folder, spare });
  for (const { prompt, command } of document.steps) await texts.put(prompt ?? command ?? '');
  await writeWhole(ports.disk, join(folder, 'pipeline.yaml'), input.pipeline);
  const pins = await pinnedFiles(
    { disk: ports.disk, texts, workspace },
    { ours: examined.pinnedOurs, tasks: pipeline.steps.map(pinningOf) },
  );
  const place: Place = {
    slug,
    workflowId: input.workflowId,
    workspace,
    out: examined.out,
    folder,
    spare,
    configSha256: await texts.put(JSON.stringify(config)),
    specSha256: null,
    pipelineSha256: await texts.put(JSON.stringify(pipelineInput(about))),
    ledgerSha256: ledger === null || input.ledger === undefined ? null : await texts.put(input.ledger),
    pinned: pins.pins,
    host: ports.hostId,
    startedAt: input.now,
  };
  await logStart(ports.disk, place, { at: input.now, resumed: !isNew });
  const planSha256 = await texts.put(input.pipeline);
  return {
    place,
    about,
    plan: { version: 1, goal: pipeline.goal, tasks: [], sha256: planSha256, noOp: null },
    criteria: null,
    entries: await entriesOf(texts, examined, { pipeline, planSha256 }),
    limits: config.limits,
    policy: policyOf(config),
    searchAttributes: await ports.searchAttributes(),
    warnings: [...examined.warnings, ...pins.warnings],
    found: foundWords(examined),
  };
}

/** What a check of a step names is pinned, unless an earlier step or itself is there to write it. */
function pinningOf({ step, checks, artifacts, writes }: Pipeline['steps'][number], at: number, steps: Pipeline['steps']) {
  const before = steps[at - 1];
  return {
    id: taskIdOf(step),
    checks,
    task: '',
    doneWhen: '',
    writes: [...artifacts.map(({ pattern }) => pattern), ...(writes ?? [])],
    dependsOn: before === undefined ? [] : [taskIdOf(before.step)],
  };
}

function entriesOf(
  texts: Texts,
  { ledger }: ExaminedPipeline,
  { pipeline, planSha256 }: { pipeline: Pipeline; planSha256: string },
): Promise<Loaded['entries']> {
  return ledger === null ? Promise.resolve([]) : keptSteps(texts, recordedSteps(ledger, pipeline), planSha256);
}

function foundWords({ ledger }: ExaminedPipeline): string {
  const last = ledger?.entries.at(-1);
  if (ledger === null) return 'nothing was there: a new run';
  if (last === undefined) return 'a LEDGER.md without entries: a new run';
  const gate = renderGate({ gates: last.gates.slice(-1) })
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replace(/^Gate: /, '');
  const words = gate === undefined || gate === '' ? 'whose gate never ran' : gate;
  return `a LEDGER.md with ${ledger.entries.length} entries: going on from ${last.task} [${last.status}], ${words}`;
}
