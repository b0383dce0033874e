import { join, relative, resolve } from 'node:path';
import { toPipeline } from '../../documents/pipeline/file.js';
import { hasErrors } from '../../documents/problem.js';
import { missingPrograms } from '../agents.js';
import { planFound } from '../begin.js';
import { UserError } from '../errors.js';
import { renderPlaced } from '../examine.js';
import { type ExaminedPipeline, examinePipeline, pipelineStart } from '../examine-pipeline.js';
import { EXIT_BAD_INPUT, EXIT_OK } from '../exit-code.js';
import { type Decision, decide } from '../find.js';
import type { Io } from '../io.js';
import { CONFIG_FILE } from '../plan-folder.js';
import { colorsFor } from '../present/colors.js';
import { isOnlyClaimed, pipelineGraphLines } from '../present/pipeline-graph.js';
import { count, cut, oneLine } from '../present/text.js';
import { sha256Of } from '../record-text.js';
import { printJson } from '../service.js';
import type { World } from '../world.js';
import type { CheckOptions } from './check.js';

/** What is wrong with a pipeline, and its steps in their order with every way between them. Sends nobody, needs no server. */
export async function checkPipelineCommand(path: string, options: CheckOptions, io: Io, world: World): Promise<number> {
  if (options.dryRun) throw new UserError('--dry-run is for a plan: checks before a step never skip it', 2);
  const examined = examinePipeline(path, options, io);
  const problems = [...examined.problems, ...agentsNotHere(examined, io)];
  const said = problems.map((problem) => ({ severity: problem.severity, words: renderPlaced(problem, examined, io.cwd) }));
  const decision = fromFilesAlone(examined, world.hostId());
  if (decision?.do === 'refuse') said.push({ severity: 'error', words: decision.words });
  // A run of its own takes a workspace only as it was committed; one that goes on has its own work there.
  const refusal = decision?.do === 'start' && !decision.ledger ? await world.uncommitted(placeOf(examined), io) : null;
  const finds = decision === null ? null : refusal === null ? decision : ({ do: 'refuse', words: refusal } as const);
  const { document, folder, slug, roles } = examined;
  const pipeline = document === null ? null : toPipeline(document, { ...roles, hash: sha256Of });
  for (const { step } of pipeline?.steps.filter(isOnlyClaimed) ?? [])
    said.push({ severity: 'warning', words: `${relative(io.cwd, folder.planFile)}: warning: ${claimedWords(step)}` });
  const sound = !said.some(({ severity }) => severity === 'error' || options.strict);
  const exit = sound ? EXIT_OK : EXIT_BAD_INPUT;
  for (const { words } of said) io.err(words);
  if (options.json) {
    const words = (severity: string) => said.filter((one) => one.severity === severity).map((one) => one.words);
    printJson(io, {
      run: slug,
      sound,
      exit,
      pipeline,
      workspace: folder.workspace,
      problems: words('error'),
      warnings: words('warning'),
      finds: finds === null ? null : { does: finds.do, words: finds.words },
    });
    return exit;
  }
  const [columns, colors] = [world.columns(io), colorsFor(io)];
  const verdict = sound ? colors.good('sound') : colors.bad('not sound');
  const steps = pipeline === null ? '' : `  ${count(pipeline.steps.length, 'step')}`;
  io.out(
    [
      `${colors.strong(slug === '' ? 'a pipeline' : slug)}${steps}: ${verdict}`,
      ...(pipeline === null
        ? []
        : [cut(`Goal: ${oneLine(pipeline.goal)}`, columns), '', ...pipelineGraphLines(pipeline.steps, { columns, colors })]),
      '',
      `Workspace: ${folder.workspace}`,
      ...(sound && finds !== null ? [findWords(finds)] : []),
    ].join('\n'),
  );
  return exit;
}

function claimedWords(step: string): string {
  return `step ${step} is done on its answer alone: give it an artifact, a check or a requirement that code can look at`;
}

/** null: it has errors, so that nothing would be begun. */
function fromFilesAlone(examined: ExaminedPipeline, host: string): Decision | null {
  if (examined.document === null) return null;
  const startable = pipelineStart(examined, {});
  const workflow = { is: 'unasked' } as const;
  const plan = planFound(startable, startable.titleSlug, workflow);
  const here = { host, folder: startable.folder.folder };
  return decide({ slug: startable.slug, again: false, here, plan, ledger: startable.ledger, workflow });
}

function findWords({ do: does, words }: Pick<Decision, 'do' | 'words'>): string {
  return does === 'refuse' ? `\`donewhen run\` would refuse a new run: ${words}` : `\`donewhen run\` would find: ${words}`;
}

/** What may change under our hands: the pipeline, its prompts and the configuration. */
function placeOf({ folder, files }: ExaminedPipeline): { workspace: string; ours: string[] } {
  const prompts = Object.keys(files).map((name) => resolve(folder.folder, name));
  return { workspace: folder.workspace, ours: [folder.planFile, ...prompts, join(folder.workspace, CONFIG_FILE)] };
}

function agentsNotHere({ config, document, roles, folder, problems }: ExaminedPipeline, io: Io) {
  if (document === null || hasErrors(problems)) return [];
  const names = document.steps.flatMap(({ run, performer, gate }) =>
    run ? [] : [performer ?? (gate === 'review' ? roles.reviewer : roles.performer)],
  );
  return missingPrograms(config, names, { workspace: folder.workspace, env: io.env });
}
