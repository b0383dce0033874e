import { endsValue, type FieldRules } from './fields.js';
import { fenceOf, oneLine, sourceOf } from './lines.js';
import type { PlanDocument, PlanTask, UnknownField } from './plan.js';
import { HEADER_RULES, TASK_RULES } from './plan-fields.js';
import { beginsSection } from './plan-sections.js';

/** The text of a plan; read again, it is the same plan. */
export function renderPlan(plan: PlanDocument): string {
  const header = [
    `# PLAN: ${oneLine(plan.title)}`,
    '',
    ...plan.stray,
    field(HEADER_RULES, 'Spec', plan.spec ?? 'none — the contract is this plan'),
    field(HEADER_RULES, 'Goal', plan.goal),
    `Plan version: ${plan.version}`,
    ...optional(HEADER_RULES, 'Replanned because', plan.replannedBecause),
    ...(plan.noOp === null
      ? []
      : ['Status: no-op', field(HEADER_RULES, 'Already true because', plan.noOp.because), ...list('Evidence', plan.noOp.evidence)]),
    ...list('Checks', plan.checks),
    ...unknownFields(HEADER_RULES, plan.unknown),
  ];
  return `${[header.join('\n'), ...plan.tasks.map(renderPlanTask), ...plan.sections].join('\n\n')}\n`;
}

/** One task, from its heading on, without a line break at its end. */
export function renderPlanTask(task: PlanTask): string {
  return [
    `## ${task.id} — ${oneLine(task.title)}`.trimEnd(),
    ...optional(TASK_RULES, 'Reasoning', task.reasoning),
    ...optional(TASK_RULES, 'Task', task.task === '' ? undefined : task.task),
    field(TASK_RULES, 'Done when', task.doneWhen),
    ...optional(TASK_RULES, 'Verify by', task.verifyBy),
    ...list('Checks', task.checks),
    ...ids('Covers', task.covers),
    `Depends on: ${task.dependsOn.length === 0 ? '—' : task.dependsOn.join(', ')}`,
    ...(task.stray.length === 0 ? [] : ['', ...task.stray]),
    ...optional(TASK_RULES, 'Restates', task.restates),
    ...optional(TASK_RULES, 'Continues', task.continues),
    ...optional(TASK_RULES, 'Reopens', task.reopens),
    ...optional(TASK_RULES, 'Root', task.root),
    ...optional(TASK_RULES, 'Performer', task.performer),
    ...optional(TASK_RULES, 'Run', task.run === undefined ? undefined : command(task.run)),
    ...(task.writes === null ? [] : [`Writes: ${task.writes.length === 0 ? '—' : task.writes.join(', ')}`]),
    ...optional(TASK_RULES, 'Timeout', task.timeoutMs === undefined ? undefined : duration(task.timeoutMs)),
    ...(task.repeatable ? [] : ['Repeatable: no']),
    ...unknownFields(TASK_RULES, task.unknown),
  ].join('\n');
}

function field(rules: FieldRules, name: string, value: string): string {
  return `${name}: ${wrappable(value, (line) => endsValue(line, name, rules))}`.trimEnd();
}

function optional(rules: FieldRules, name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [field(rules, name, value)];
}

function list(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${name}:`, ...items.map((item) => `- ${oneLine(item)}`)];
}

function ids(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`${name}: ${values.join(', ')}`];
}

function unknownFields(rules: FieldRules, fields: readonly UnknownField[]): string[] {
  return fields.map(({ name, value }) => field(rules, name, value));
}

/** A value as lines below its name: none of them may look like a field, a heading or half a fence of the plan itself. */
function wrappable(value: string, isField: (line: string) => boolean): string {
  const source = sourceOf(value);
  const broken = source.openFence !== null;
  return source.lines
    .map((line, index) => {
      if (index === 0) return fenceOf(line) === null || broken ? line : `\n${line}`;
      const isContent = source.fenced[index] === 1 && !broken;
      const begins = isField(line) || beginsSection(line) || (broken && fenceOf(line) !== null);
      return begins && !isContent ? `    ${line}` : line;
    })
    .join('\n');
}

function command(run: string): string {
  if (!run.includes('\n') && run === run.trim() && fenceOf(run) === null) return run;
  const longest = [...run.matchAll(/`{3,}/g)].reduce((most, ticks) => Math.max(most, ticks[0].length), 2);
  const fence = '`'.repeat(longest + 1);
  return `\n${fence}\n${run}\n${fence}`;
}

function duration(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  return ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms / 1000}s`;
}
