import type { Plan, Task } from '../core/values.js';
import { renderCheck } from './check-line.js';
import { isNothing } from './fields.js';
import { joined, oneLine, sourceOf } from './lines.js';
import { askAPerson, checkOfVerifyBy, checksIn, isUserConfirmation, verifyByIn } from './plan-checks.js';
import type { PlanDocument, PlanTask, UnknownField } from './plan-document.js';
import {
  type Block,
  commandIn,
  durationIn,
  globsIn,
  HEADER_RULES,
  idIn,
  idsIn,
  itemsIn,
  lineOf,
  readBlock,
  TASK_RULES,
  textIn,
  yesOrNo,
} from './plan-fields.js';
import { graphProblems, headerProblems, taskProblems } from './plan-problems.js';
import { fenceProblems, PLAN_TASKS_MAX, sectionProblem, sectionsOf, tooManySections } from './plan-sections.js';
import { hasErrors, orderedProblems, type Problem } from './problem.js';

export type { PlanDocument, PlanTask, UnknownField };

export interface ParsedPlan {
  /** null where anything is an error: such a plan is not carried out. */
  plan: PlanDocument | null;
  /** What could be read all the same, so that a caller can find every other problem at once. */
  draft: PlanDocument;
  problems: Problem[];
}

export interface ParsePlanOptions {
  file: string;
  /** Ids with a ledger entry: a dependency may name them although they have left the plan. */
  recorded?: readonly string[];
}

const TITLE = /^#\s*PLAN\s*:\s*(.*)$/i;
export function parsePlan(text: string, options: ParsePlanOptions): ParsedPlan {
  const { file } = options;
  const source = sourceOf(text);
  const titleAt = source.lines.findIndex((line, index) => source.fenced[index] === 0 && TITLE.test(line));
  const sections = sectionsOf(source, titleAt + 1);
  const header = readBlock(
    source,
    { file, from: titleAt + 1, to: sections[0]?.from ?? source.lines.length, owner: 'The plan' },
    HEADER_RULES,
  );
  const title = oneLine(TITLE.exec(source.lines[titleAt] ?? '')?.[1] ?? '');
  const tasks: PlanTask[] = [];
  const found: Problem[][] = [fenceProblems(source, file), tooManySections(sections, file)];
  for (const { from, to, task } of sections) {
    if (task === null) found.push([sectionProblem(source.lines[from] ?? '', { file, line: from + 1 })]);
    if (task === null || tasks.length >= PLAN_TASKS_MAX) continue;
    const block = readBlock(source, { file, from: from + 1, to, owner: task.id }, TASK_RULES);
    tasks.push(readTask(block, task));
    found.push(block.problems);
  }
  const others = sections.filter(({ task }) => task === null).map(({ from, to }) => joined(source.lines.slice(from, to)));
  const draft = { ...readHeader(header, title, tasks), sections: others };
  found.push(headerProblems(draft, header, { hasTitle: titleAt >= 0 }), header.problems);
  found.push(...tasks.map((task) => taskProblems(task, file)), graphProblems(draft, { file, recorded: options.recorded ?? [] }));
  const problems = found.flat();
  return { plan: hasErrors(problems) ? null : draft, draft, problems: orderedProblems(problems) };
}

function readHeader(block: Block, title: string, tasks: PlanTask[]): Omit<PlanDocument, 'sections'> {
  const spec = textIn(block, 'Spec');
  const reserved = textIn(block, 'Highest task ID reserved');
  const checks = checksIn(block);
  return {
    title,
    spec: spec === undefined || /^(?:none\b|[—–-]|n\/a)/i.test(spec) ? null : specPath(spec),
    goal: textIn(block, 'Goal') ?? '',
    version: Number(/^\d{1,9}$/.exec(textIn(block, 'Plan version') ?? '')?.[0] ?? '1'),
    replannedBecause: textIn(block, 'Replanned because'),
    noOp: /^no[-_ ]?op\b/i.test(textIn(block, 'Status') ?? '')
      ? { because: textIn(block, 'Already true because') ?? '', evidence: itemsIn(block, 'Evidence').map((item) => item.text), checks }
      : null,
    checks,
    tasks,
    unknown: [...(reserved === undefined ? [] : [{ name: 'Highest task ID reserved', value: reserved }]), ...block.unknown],
    stray: block.stray,
  };
}

/** `./SPEC.md`, also in a code span or as a link. */
function specPath(text: string): string {
  const link = /^\[[^\]]*\]\(([^)\s]+)\)$/.exec(oneLine(text));
  return link?.[1] ?? oneLine(text).replace(/^`+|`+$/g, '');
}

function readTask(block: Block, heading: { id: string; title: string }): PlanTask {
  return {
    id: heading.id,
    title: heading.title,
    line: block.line,
    lines: { covers: lineOf(block, 'Covers'), dependsOn: lineOf(block, 'Depends on'), performer: lineOf(block, 'Performer') },
    reasoning: textIn(block, 'Reasoning'),
    task: textIn(block, 'Task') ?? '',
    doneWhen: textIn(block, 'Done when') ?? '',
    verifyBy: verifyByIn(block),
    checks: checksIn(block),
    covers: idsIn(block, 'Covers'),
    dependsOn: idsIn(block, 'Depends on'),
    restates: textIn(block, 'Restates'),
    continues: idIn(block, 'Continues'),
    reopens: idIn(block, 'Reopens'),
    root: idIn(block, 'Root'),
    performer: performerIn(block),
    run: commandIn(block, 'Run'),
    writes: globsIn(block, 'Writes') ?? null,
    timeoutMs: durationIn(block, 'Timeout'),
    repeatable: yesOrNo(block, 'Repeatable'),
    unknown: block.unknown,
    stray: block.stray,
  };
}

function performerIn(block: Block): string | undefined {
  const text = textIn(block, 'Performer');
  return text === undefined || isNothing(text) ? undefined : oneLine(text).replace(/^`+|`+$/g, '');
}

/** Every usable check of a task: its own, what its `Verify by` is by itself, and a person's word where a person does it. */
export function checksOf(task: PlanTask): string[] {
  const asked = askAPerson(task.doneWhen);
  const said = checkOfVerifyBy(task.verifyBy ?? '', { file: 'PLAN.md', line: task.line });
  const own = said?.check === undefined || said.check === null ? [] : [renderCheck(said.check)];
  const checks = [...new Set([...task.checks, ...own, ...(isUserConfirmation(task.verifyBy ?? '') ? [asked] : [])])];
  return checks.length === 0 && task.performer === 'human' && task.doneWhen !== '' ? [asked] : checks;
}

/** What the identity of a promise is made of: its words, whatever their line breaks. */
export function statesOf(text: string, hash: (text: string) => string): string {
  return hash(oneLine(text)).slice(0, 16);
}

const ASK_PART_CHARS_MAX = 400;

/** What a person is told of a task, in the plan's own words. */
function askIn({ task, doneWhen }: PlanTask): string {
  const part = (text: string) => oneLine(text).slice(0, ASK_PART_CHARS_MAX);
  return `${part(task)} Done when: ${part(doneWhen)}`.trim();
}

/** The tasks as the rules need them; `hash` is sha256 in hex. */
export function toTasks(plan: PlanDocument, options: { defaultPerformer: string; hash: (text: string) => string }): Task[] {
  return plan.tasks.map((task) => ({
    id: task.id,
    title: task.title,
    performer: task.performer ?? options.defaultPerformer,
    ...(task.performer === 'human' ? { ask: askIn(task) } : {}),
    dependsOn: task.dependsOn,
    checks: checksOf(task),
    covers: task.covers,
    writes: task.writes,
    repeatable: task.repeatable,
    ...(task.timeoutMs === undefined ? {} : { timeoutMs: task.timeoutMs }),
    ...(task.continues === undefined ? {} : { continues: task.continues }),
    ...(task.reopens === undefined ? {} : { reopens: task.reopens }),
    states: statesOf(task.doneWhen, options.hash),
    ...(task.restates === undefined ? {} : { restates: statesOf(task.restates, options.hash) }),
  })) satisfies Plan['tasks'];
}

const SLUG_CHARS_MAX = 60;

/** The run's name, from the title after `# PLAN:`; empty where the title has no letter or digit of ASCII. */
export function slugOf(title: string): string {
  const letters = title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  return letters
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SLUG_CHARS_MAX)
    .replace(/-$/, '');
}
