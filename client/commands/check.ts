import { basename, join, resolve } from 'node:path';
import { checksOf, type PlanTask } from '../../documents/plan.js';
import { errorAt, hasErrors, type Problem, warningAt } from '../../documents/problem.js';
import { missingPrograms } from '../agents.js';
import { type Compiled, compiledIn, dryRun, goalProblem, type TaskLooks, usableChecks } from '../dry-run.js';
import { type Examined, type ExamineOptions, examine, renderPlaced } from '../examine.js';
import { EXIT_BAD_INPUT, EXIT_OK, EXIT_PARTIAL } from '../exit-code.js';
import { type Decision, decide } from '../find.js';
import type { Io } from '../io.js';
import { CONFIG_FILE } from '../plan-folder.js';
import { type Colors, colorsFor } from '../present/colors.js';
import { type GraphTask, graphLines } from '../present/graph.js';
import { count, cut, oneLine } from '../present/text.js';
import { printJson } from '../service.js';
import type { CommonOptions, World } from '../world.js';

export interface CheckOptions extends CommonOptions, ExamineOptions {
  dryRun: boolean;
  strict: boolean;
}

/** What is wrong with a plan, what it would do, and what `run` would find in the files that are there. Sends nobody, needs no server. */
export async function checkCommand(path: string, options: CheckOptions, io: Io, world: World): Promise<number> {
  const examined = await examine(path, options, io);
  const decision = fromFilesAlone(examined, world.hostId());
  // A run of its own takes a workspace only as it was committed; one that goes on has its own work there.
  const refusal = decision.do === 'start' && !decision.ledger ? await world.uncommitted(placeOf(examined), io) : null;
  const compiled = await compiledIn(examined, world);
  const problems = [...examined.problems, ...uncheckedTasks(examined, compiled), ...agentsNotHere(examined, io)];
  const said = problems.map((problem) => ({ severity: problem.severity, words: renderPlaced(problem, examined, io.cwd) }));
  if (decision.do === 'refuse') said.push({ severity: 'error', words: decision.words });
  const isSound = () => !said.some(({ severity }) => severity === 'error' || options.strict);
  const looks = isSound() && options.dryRun ? await dryRun(examined, compiled, io, world) : null;
  const unmet = goalProblem(looks);
  if (unmet !== null)
    said.push({ severity: 'error', words: renderPlaced(errorAt({ file: fileOf(examined), line: 1 }, unmet), examined, io.cwd) });
  for (const { words } of said) io.err(words);
  const sound = isSound();
  const exit = !sound ? EXIT_BAD_INPUT : looks === null || looks.every((task) => task.holds) ? EXIT_OK : EXIT_PARTIAL;
  if (options.json) printJson(io, documentOf(examined, { said, decision, refusal, compiled, looks, sound, exit }));
  else io.out(textOf(examined, { decision, refusal, compiled, looks, sound, columns: world.columns(io), colors: colorsFor(io) }));
  return exit;
}

function fromFilesAlone(examined: Examined, host: string): Decision {
  const { slug, titleSlug, document, folder, ledger } = examined;
  const plan = { titleSlug, version: document.version };
  return decide({ slug, again: false, here: { host, folder: folder.folder }, plan, ledger, workflow: { is: 'unasked' } });
}

/** What may change under our hands: the plan, its contract and the configuration. */
function placeOf({ folder, document }: Examined): { workspace: string; ours: string[] } {
  const spec = document.spec === null ? [] : [resolve(folder.folder, document.spec)];
  return { workspace: folder.workspace, ours: [folder.planFile, join(folder.workspace, CONFIG_FILE), ...spec] };
}

function fileOf({ folder }: Examined): string {
  return basename(folder.planFile);
}

function open(examined: Examined): PlanTask[] {
  return examined.document.tasks.filter((task) => !examined.recorded.includes(task.id));
}

/** A09 of the case list: no check is no pass, and it is said before anybody is sent. A check that cannot be read is said already. */
function uncheckedTasks(examined: Examined, compiled: Compiled): Problem[] {
  if (hasErrors(examined.problems)) return [];
  const { verifier } = examined.config.roles;
  const end =
    verifier === null
      ? 'nobody fills the verifier role, so that it ends partial, unverified: give it Checks'
      : `agent ${verifier} must turn its Verify by into checks first; better give it Checks`;
  const file = fileOf(examined);
  return open(examined)
    .filter((task) => usableChecks(task, compiled).length === 0)
    .map((task) => warningAt({ file, line: task.line }, `${task.id} has no usable check: ${meant(task) ?? end}`));
}

const LIKE_A_CHECK = /^(?:run|file|http|git|human):\s/;

/** Words that read like a check are prose in `Verify by`; in place of an end that its writer did not expect. */
function meant({ verifyBy = '' }: PlanTask): string | null {
  return LIKE_A_CHECK.test(verifyBy) ? `its Verify by is prose; under Checks, as \`- ${oneLine(verifyBy)}\`, it is one` : null;
}

/** Of the tasks that are still to do, and of the planner, who is asked when one of them goes wrong. */
function agentsNotHere(examined: Examined, io: Io): Problem[] {
  const { config, performer, folder } = examined;
  if (hasErrors(examined.problems) || open(examined).length === 0) return [];
  const named = open(examined).map((task) => task.performer ?? performer);
  const names = [...named, config.roles.planner].flatMap((name) => (name === null || name === 'human' || name === 'inline' ? [] : [name]));
  return missingPrograms(config, names, { workspace: folder.workspace, env: io.env });
}

function graphTask(task: PlanTask, examined: Examined, compiled: Compiled): GraphTask {
  const checks = usableChecks(task, compiled);
  const human = checks.filter((check) => check.startsWith('human:')).length;
  return {
    id: task.id,
    title: task.title,
    performer: task.performer ?? examined.performer ?? 'nobody',
    dependsOn: task.dependsOn,
    checks: { machine: checks.length - human, human },
    recorded: examined.recorded.includes(task.id),
  };
}

interface Checked {
  decision: Decision;
  /** Why `run` would not begin, though the plan is sound. */
  refusal: string | null;
  compiled: Compiled;
  looks: TaskLooks[] | null;
  sound: boolean;
}

function textOf(examined: Examined, checked: Checked & { columns: number; colors: Colors }): string {
  const { document, slug, folder } = examined;
  const { colors, columns } = checked;
  const tasks = document.tasks.map((task) => graphTask(task, examined, checked.compiled));
  const head = `${colors.strong(slug === '' ? 'a plan without a name' : slug)}  plan version ${document.version}, ${count(tasks.length, 'task')}: `;
  return [
    `${head}${checked.sound ? colors.good('sound') : colors.bad('not sound')}`,
    ...(document.goal === '' ? [] : [cut(`Goal: ${oneLine(document.goal)}`, columns)]),
    ...(tasks.length === 0 ? [] : ['', ...graphLines(tasks, { columns, colors })]),
    '',
    `Workspace: ${folder.workspace}`,
    ...compiledLines(checked.compiled),
    ...(checked.sound ? [dispatchWords(examined), findWords(checked)] : []),
    ...(checked.looks === null ? [] : ['', ...lookLines(checked.looks, colors)]),
  ].join('\n');
}

function findWords({ decision, refusal }: Checked): string {
  return refusal === null ? `\`donewhen run\` would find: ${decision.words}` : `\`donewhen run\` would refuse a new run: ${refusal}`;
}

/** Nobody wrote them into the plan: who reads them can judge whether they say what was meant. */
function compiledLines(compiled: Compiled): string[] {
  return [...compiled].flatMap(([task, checks]) => [
    `${task}: the verifier turned its Verify by into ${checks.length === 1 ? 'this check' : 'these checks'} in an earlier run:`,
    ...checks.map((check) => `    ${check}`),
  ]);
}

/** By performer, if nothing holds yet: what holds already is sent to nobody. */
function dispatchesOf(examined: Examined): Record<string, number> {
  const by: Record<string, number> = {};
  for (const task of open(examined)) {
    const performer = task.performer ?? examined.performer ?? 'nobody';
    by[performer] = (by[performer] ?? 0) + 1;
  }
  return by;
}

function dispatchWords(examined: Examined): string {
  const by = dispatchesOf(examined);
  const { human = 0, ...sent } = by;
  const all = Object.values(sent).reduce((sum, one) => sum + one, 0);
  const names = Object.entries(sent).map(([name, many]) => `${name} ${many}`);
  const dispatches = all === 0 ? 'No dispatch' : `At most ${count(all, 'dispatch', 'dispatches')} before any replan (${names.join(', ')})`;
  return `${dispatches}${human === 0 ? '' : `, ${count(human, 'task')} for a person`}.`;
}

function lookLines(looks: TaskLooks[], colors: Colors): string[] {
  const holding = looks.filter((task) => task.holds).length;
  return [
    holding === 0
      ? 'No task holds already:'
      : `${count(holding, 'task')} of ${looks.length} ${holding === 1 ? 'holds' : 'hold'} already and would not be sent:`,
    ...looks.flatMap((task) => [
      `${task.task}  ${task.holds ? colors.good('holds') : colors.waiting('to do')}`,
      ...task.looks.map((look) => `    ${look.check}  →  ${oneLine(look.saw)}`),
    ]),
  ];
}

function documentOf(
  examined: Examined,
  checked: Checked & { said: { severity: string; words: string }[]; exit: number },
): Record<string, unknown> {
  const { document, slug, folder } = examined;
  return {
    run: slug,
    sound: checked.sound,
    exit: checked.exit,
    plan: {
      version: document.version,
      goal: document.goal,
      tasks: document.tasks.map((task) => ({
        id: task.id,
        title: task.title,
        dependsOn: task.dependsOn,
        performer: task.performer ?? examined.performer,
        checks: checksOf(task),
        ...(checked.compiled.has(task.id) ? { compiled: checked.compiled.get(task.id) } : {}),
        recorded: examined.recorded.includes(task.id),
      })),
    },
    workspace: folder.workspace,
    problems: checked.said.filter((one) => one.severity === 'error').map((one) => one.words),
    warnings: checked.said.filter((one) => one.severity === 'warning').map((one) => one.words),
    dispatches: dispatchesOf(examined),
    finds:
      checked.refusal === null ? { does: checked.decision.do, words: checked.decision.words } : { does: 'refuse', words: checked.refusal },
    dryRun: checked.looks,
  };
}
