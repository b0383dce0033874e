import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import type { Running } from './command.js';
import { closeScene, killRun, killServer, type Scene, untilServes } from './crash-scene.js';
import { createTestHome } from './homes.js';
import { ROOT } from './sources.js';
import { createStage, normalised } from './stage.js';

const EXAMPLE = join(ROOT, 'examples', 'okr');

/** Every attempt of the example, in the order in which it is asked for. */
export const ATTEMPTS = [
  ...['S1', 'S2', 'S2@2', 'S3', 'S5', 'S3@2', 'S5@2', 'S6', 'S6@2', 'S7', 'S8', 'S8@2', 'S8b', 'S9', 'S11', 'S10', 'S11@2', 'S13'],
];

/** What was done outside of the run, each as often as it stands here. */
export const STEP_EFFECTS = ATTEMPTS.flatMap((task) => [`${task}#1.1 begins`, `${task}#1.1 ends`]);

/** The example as it lies in the repository, by path. */
export function exampleFiles(): Record<string, string> {
  const paths = readdirSync(EXAMPLE, { recursive: true, encoding: 'utf8' }).map((name) => join(EXAMPLE, name));
  return Object.fromEntries(
    paths.filter((path) => statSync(path).isFile()).map((path) => [relative(EXAMPLE, path), readFileSync(path, 'utf8')]),
  );
}

/** The example with gates before, in and after each attempt and before its tests, and every effect counted outside. */
export function openPipelineScene(): Scene {
  const home = createTestHome();
  return { home, stage: createStage(home, { files: gatedExample() }), onlooker: null, isAttested: false };
}

function gatedExample(): Record<string, string> {
  const files = exampleFiles();
  const { 'pipeline.yaml': pipeline = '', 'donewhen.yaml': config = '' } = files;
  return {
    ...files,
    'pipeline.yaml': pipeline
      .replace('run: node tools/launch.mjs', 'run: sh "$CREW/steps.sh" node tools/launch.mjs')
      .replaceAll('"run: node --test"', `'run: sh "$CREW/tests.sh"'`),
    'donewhen.yaml': `${config.replaceAll('command: [node,', `command: [sh, -c, 'exec sh "$CREW/steps.sh" "$@"', sh, node,`)}environment: { pass: [PATH, OUTSIDE, CREW] }\n`,
  };
}

export const beginPipeline = ({ stage }: Scene): Running => stage.begin('run', '--pipeline', 'pipeline.yaml');

/** What must be the same whatever was killed. */
export function pipelineRecordOf({ stage }: Scene) {
  return {
    ledger: normalised(stage.text('LEDGER.md')),
    context: stage.text('pipeline-context.yaml'),
    log: normalised(stage.text('00-boss.log.md')),
    report: normalised(stage.text('REPORT.md')),
    effects: stage.effects(),
  };
}

/** To the end of the run. */
export async function finishPipeline(scene: Scene, run: Running) {
  const { code, err } = await run.ended;
  return { code, err, ...pipelineRecordOf(scene) };
}

export type PipelineEnd = Awaited<ReturnType<typeof finishPipeline>>;

/** What a pipeline comes to that nobody disturbs. */
export async function endPipelineUndisturbed(): Promise<PipelineEnd> {
  const scene = openPipelineScene();
  try {
    return await finishPipeline(scene, beginPipeline(scene));
  } finally {
    await closeScene(scene);
  }
}

export const VICTIMS = ['worker', 'server', 'worker, server and warden'] as const;
export type Victim = (typeof VICTIMS)[number];
export const MOMENTS = ['before', 'during', 'after'] as const;
export type Moment = (typeof MOMENTS)[number];

/** Carries the example out, and kills the victim at each of these gates. Whoever is killed is begun again. */
export async function killedAt(scene: Scene, gates: string[], victim: Victim) {
  const { stage } = scene;
  for (const gate of gates) stage.shut(gate);
  let run = beginPipeline(scene);
  for (const gate of gates) {
    await Promise.race([stage.reached(gate), endedEarly(run, gate)]);
    await kill(scene, run, victim);
    stage.open(gate);
    if (victim === 'server') await untilServes(scene);
    else run = beginPipeline(scene);
  }
  return finishPipeline(scene, run);
}

/** Kills everything at a gate, removes history and home, and begins again: LEDGER.md is all that the run knows. */
export async function lostAt(scene: Scene, gate: string): Promise<PipelineEnd> {
  scene.stage.shut(gate);
  const run = beginPipeline(scene);
  await Promise.race([scene.stage.reached(gate), endedEarly(run, gate)]);
  await kill(scene, run, 'worker, server and warden');
  rmSync(scene.home.path, { recursive: true });
  scene.stage.open(gate);
  return finishPipeline(scene, beginPipeline(scene));
}

/** What such a run ends with: its log says that it was resumed and went on with the attempt, its report where it came from. */
export function afterLoss(undisturbed: PipelineEnd, gate: string): Omit<PipelineEnd, 'report'> & { report: unknown } {
  const begun = undisturbed.log.split('\n').filter((line) => line.includes('[PROCESSING]'));
  const line = begun[ATTEMPTS.indexOf(gate.split('-')[0] ?? '')] ?? '';
  const log = undisturbed.log.replace(`${line}\n`, `${line}\n- TIME [START] okr, resumed\n${line}\n`);
  return { ...undisturbed, log, report: expect.stringContaining('Status: COMPLETED') };
}

async function endedEarly(run: Running, gate: string): Promise<never> {
  const { code, err } = await run.ended;
  throw new Error(`the run ended with ${code} before it came to ${gate}: ${err}`);
}

async function kill(scene: Scene, run: Running, victim: Victim): Promise<void> {
  const both = victim === 'worker, server and warden';
  await Promise.all([
    ...(victim === 'server' ? [] : [killRun(run)]),
    ...(victim === 'worker' ? [] : [killServer(scene, both ? 'with its warden' : 'alone')]),
  ]);
}
