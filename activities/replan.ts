import { normalize } from 'node:path';
import type { Cost, End, Planned, Redefined } from '../core/values.js';
import type { Config } from '../documents/config.js';
import { renderGate } from '../documents/ledger-gate.js';
import { oneLine } from '../documents/lines.js';
import { type PlanDocument, type PlanTask, parsePlan, toTasks } from '../documents/plan.js';
import { parsePlannerAnswer } from '../documents/planner-answer.js';
import { renderPlannerPrompt } from '../documents/planner-prompt.js';
import { hasErrors, renderProblem } from '../documents/problem.js';
import { performerEnvironment } from './environment.js';
import type { ReplanInput, Replanned } from './interface.js';
import { performerProblems } from './load/config.js';
import { pinnedConfig } from './load/pinned-config.js';
import type { Plans } from './plans.js';
import type { ReplanPorts } from './ports.js';
import { maskText } from './process/mask.js';
import { linkAt } from './record/chain.js';
import { sha256Of, type Texts, textsOf } from './texts.js';

/** R15: the tasks of a plan travel as values; its text stays in the run's folder. */
const PLANNED_BYTES_MAX = 100_000;
const PROBLEMS_MAX = 20;
const PROBLEM_CHARS_MAX = 500;
const REASON_CHARS_MAX = 1_000;
const GOAL_CHARS_MAX = 400;

const NOTHING: Cost = { usd: 0, tokens: 0 };

/**
 * Asks the planner role, or reads the plan that a person gave. It judges form alone: whether a plan may replace the one
 * that stands is for the core to say (R19). Asking again with the same token gives the same answer.
 */
export function createReplan(ports: ReplanPorts & { plans: Plans }): (input: ReplanInput) => Promise<Replanned> {
  return async (input) => {
    const texts = textsOf(ports.disk, input.place);
    const config = await pinnedConfig(texts, input.place);
    const reading = (): Reading => ({ texts, plans: ports.plans, config, input, mask: maskOf(config, ports.environment) });
    if (input.given !== null) return { planned: await readPlan(reading(), input.given), cost: NOTHING };
    if (input.ask === null) return { planned: unreadable(['nothing was asked, and no plan was given']), cost: NOTHING };
    const agent = config.roles.planner;
    if (agent === null) return { planned: unreadable(['no agent fills the planner role; name one under roles.planner']), cost: NOTHING };
    const prompt = await composePrompt({ texts, config, plans: ports.plans }, input, input.ask);
    const { output, end, cost, deviation } = await ports.ask({
      place: input.place,
      token: tokenFor(input, prompt),
      role: 'planner',
      agent,
      task: triggeringTask(input.ask.triggers),
      planSha256: input.plan.sha256,
      prompt,
      timeoutMs: input.ask.timeoutMs,
    });
    return { planned: withDeviation(await readAnswer(reading(), output, end), deviation), cost };
  };
}

/** R16: what a planner or a person wrote is kept, so it is masked first. */
function maskOf(config: Config, environment: ReplanPorts['environment']): (text: string) => string {
  const { secrets } = performerEnvironment(config.environment, environment);
  return (text) => maskText(text, secrets);
}

/**
 * The same question has the same token, so that its answer is found and not asked for again (R3). Another question never
 * gets an old answer: runs that follow each other in one folder count anew, and a resolution may come twice.
 */
function tokenFor({ token, place }: ReplanInput, prompt: string): string {
  const at = token.lastIndexOf('#');
  const mark = sha256Of(`${place.startedAt ?? 0} ${prompt}`).slice(0, 8);
  return at < 0 ? `${token}-${mark}` : `${token.slice(0, at)}-${mark}${token.slice(at)}`;
}

/** Its answer counts all the same; beside its reason stands what it did. */
function withDeviation(planned: Planned, deviation: string | undefined): Planned {
  if (deviation === undefined) return planned;
  switch (planned.is) {
    case 'plan': {
      const { because } = planned.plan;
      return because === undefined ? planned : { ...planned, plan: { ...planned.plan, because: `${because}; ${deviation}` } };
    }
    case 'none':
    case 'holds':
      return { ...planned, reason: `${planned.reason}; ${deviation}` };
    case 'unreadable':
      return { ...planned, problems: [...planned.problems, deviation] };
    case 'limited':
      return planned;
  }
}

interface Reading {
  texts: Texts;
  plans: Plans;
  config: Config;
  input: ReplanInput;
  mask(text: string): string;
}

/** R11: an answer counts by its text alone; without one, how the planner ended says what is wrong. */
async function readAnswer(reading: Reading, output: string, end: End): Promise<Planned> {
  const answer = parsePlannerAnswer(output);
  switch (answer.is) {
    case 'plan':
      return readPlan(reading, answer.text);
    case 'none':
    case 'holds':
      return { is: answer.is, reason: reading.mask(answer.reason).slice(0, REASON_CHARS_MAX) };
    case 'unreadable': {
      // R13: nothing was said because nothing could be; the same question is asked when the limit is over.
      if (end.is === 'limited') return { is: 'limited', until: end.until, why: reading.mask(end.why).slice(0, REASON_CHARS_MAX) };
      const ended = endWords(end);
      return unreadable([...(ended === null ? [] : [ended]), ...answer.problems]);
    }
  }
}

async function readPlan({ texts, config, input, plans, mask }: Reading, given: string): Promise<Planned> {
  const text = mask(given);
  const { plan, problems } = parsePlan(text, { file: 'PLAN.md', recorded: input.entries.map((entry) => entry.task) });
  const errors = problems.filter((problem) => problem.severity === 'error').map(renderProblem);
  if (plan === null || hasErrors(problems)) return unreadable(errors);
  const nobody = performerProblems(plan, { config, problems: [], installed: [] }, new Set());
  if (nobody.plan.length + nobody.input.length > 0) return unreadable([...nobody.plan.map(renderProblem), ...nobody.input]);
  const standing = await plans(input.place, input.plan.sha256);
  const reworded = rewordedIn(plan, standing);
  const redefined = redefinedIn(plan, standing, mask);
  const tasks = toTasks(plan, { defaultPerformer: config.roles.performer ?? '', hash: sha256Of });
  if (Buffer.byteLength(JSON.stringify(tasks)) > PLANNED_BYTES_MAX) {
    return unreadable([`the plan's ${tasks.length} tasks are together larger than ${PLANNED_BYTES_MAX} bytes; plan less at once`]);
  }
  return {
    is: 'plan',
    plan: {
      version: plan.version,
      goal: plan.goal,
      tasks,
      sha256: await texts.put(text),
      noOp: plan.noOp !== null,
      ...(plan.replannedBecause === undefined ? {} : { because: plan.replannedBecause }),
      ...(reworded.length === 0 ? {} : { reworded }),
      ...(redefined.length === 0 ? {} : { redefined }),
    },
  };
}

/** Tasks that stand in the present plan with other words for what is to be done. */
function rewordedIn(plan: PlanDocument, present: PlanDocument): string[] {
  const standing = new Map(present.tasks.map((task) => [task.id, task]));
  const words = ({ task, run }: PlanTask) => oneLine(`${task} ${run ?? ''}`);
  return plan.tasks.flatMap((task) => {
    const before = standing.get(task.id);
    return before === undefined || words(before) === words(task) ? [] : [task.id];
  });
}

/** What the header says of the contract and of the goal, where it is not what the present plan says. */
function redefinedIn(plan: PlanDocument, present: PlanDocument, mask: Reading['mask']): Redefined[] {
  const specOf = ({ spec }: PlanDocument) => (spec === null ? 'none' : normalize(spec));
  const goal = mask(oneLine(present.goal));
  return [
    ...(specOf(plan) === specOf(present) ? [] : [{ field: 'Spec' as const, was: present.spec ?? 'none' }]),
    ...(oneLine(plan.goal) === goal ? [] : [{ field: 'Goal' as const, was: goal.slice(0, GOAL_CHARS_MAX) }]),
  ];
}

async function composePrompt(
  world: { texts: Texts; config: Config; plans: Plans },
  input: ReplanInput,
  ask: NonNullable<ReplanInput['ask']>,
): Promise<string> {
  const { texts, config, plans } = world;
  const { place } = input;
  const entries = await Promise.all(input.entries.map((entry) => entryShown(texts, entry)));
  const plan = await plans(place, input.plan.sha256);
  return renderPlannerPrompt({
    slug: place.slug,
    question: ask.question,
    spec: place.specSha256 === null ? null : await texts.text(place.specSha256),
    plan: { version: input.plan.version, text: await texts.text(input.plan.sha256) },
    entries,
    triggers: ask.triggers.map((trigger) => trigger.task),
    gate: ask.gate,
    problems: ask.problems,
    resolution: ask.resolution,
    notes: input.notes,
    usedIds: [...new Set([...input.entries.map((entry) => entry.task), ...plan.tasks.map((task) => task.id), ...(input.retired ?? [])])],
    performers: Object.keys(config.agents),
  });
}

/** As LEDGER.md has it now: an entry is never rewritten, but its gate moves on (R9). */
async function entryShown(
  texts: Texts,
  { task, sha256, gates }: ReplanInput['entries'][number],
): Promise<{ task: string; status: string; text: string }> {
  const link = sha256 === null ? null : await linkAt(texts, sha256);
  if (link?.is !== 'entry') return { task, status: 'unknown', text: `## ${task} (its entry is in LEDGER.md)` };
  const { blocker, status } = link.entry;
  const gate = gates === undefined ? link.gate : renderGate({ gates, ...(blocker === undefined ? {} : { blocker }) });
  return { task, status, text: link.text + gate };
}

/** `DONEWHEN_TASK` of a planner: the newest task that triggered it. */
function triggeringTask(triggers: { task: string }[]): string {
  return triggers.at(-1)?.task ?? '';
}

function endWords(end: End): string | null {
  switch (end.is) {
    case 'answered':
    case 'attested':
    case 'limited':
      return null;
    case 'exited':
      return end.code === 0 ? null : `the planner exited with ${end.code}${end.note === undefined ? '' : `: ${end.note}`}`;
    case 'signalled':
      return `the planner was ended by ${end.signal}`;
    case 'lost':
      return 'the planner was lost';
    case 'timeout':
      return "the planner's time ran out";
    case 'cut':
      return 'the planner was stopped';
    case 'refused':
      return `the planner could not be asked: ${end.why}`;
  }
}

function unreadable(problems: string[]): Planned {
  const shown = problems.slice(0, PROBLEMS_MAX).map((problem) => problem.slice(0, PROBLEM_CHARS_MAX));
  return { is: 'unreadable', problems: shown.length === 0 ? ['the answer has none of the asked forms'] : shown };
}
