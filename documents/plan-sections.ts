import { oneLine, type Source } from './lines.js';
import { errorAt, type Place, type Problem, warningAt } from './problem.js';

/** More than any plan that somebody reads. */
export const PLAN_TASKS_MAX = 5000;
const PLAN_HEADINGS_MAX = 2 * PLAN_TASKS_MAX;

const DASHED_HEADING = /^#{2,4}\s+([A-Za-z][A-Za-z0-9_-]*)\s*(?:[—–]|\s-{1,3}(?=\s|$))\s*(.*)$/;
const NUMBERED_HEADING = /^#{2,4}\s+(T\d+)(?:[.):]?\s+(.*)|[:.]?)$/;

/** The id and title of a line that begins a task, or null. */
export function taskHeading(line: string): { id: string; title: string } | null {
  if (!line.startsWith('##')) return null;
  const match = DASHED_HEADING.exec(line) ?? NUMBERED_HEADING.exec(line);
  return match === null ? null : { id: match[1] ?? '', title: oneLine(match[2] ?? '') };
}

export interface Section {
  from: number;
  to: number;
  /** null: a section that is no task. */
  task: { id: string; title: string } | null;
}

/** In order; of too many, one more than may be. */
export function sectionsOf(source: Source, from: number): Section[] {
  const sections: Section[] = [];
  for (let index = from; index < source.lines.length; index++) {
    const line = source.lines[index] ?? '';
    if (source.fenced[index] === 1 || !line.startsWith('#')) continue;
    if (!beginsSection(line)) continue;
    const last = sections.at(-1);
    if (last !== undefined) last.to = index;
    if (sections.length > PLAN_HEADINGS_MAX) return sections;
    sections.push({ from: index, to: source.lines.length, task: taskHeading(line) });
  }
  return sections;
}

/** Whether such a line, outside fences, is a heading that ends what stands above it. */
export function beginsSection(line: string): boolean {
  return /^##?(?:\s|$)/.test(line) || taskHeading(line) !== null || LIKE_A_TASK.test(line);
}

const LIKE_A_TASK = /^#{1,6}\s*(?:task\s{0,8})?t?\d+\b/i;

/** A heading that was meant as a task must not vanish into the one above it. */
export function sectionProblem(heading: string, place: Place): Problem {
  const words = oneLine(heading).slice(0, 60);
  if (LIKE_A_TASK.test(heading)) return errorAt(place, `"${words}" is not read as a task; write ## T2 — title`);
  return warningAt(place, `"${words}" is no task; the section is kept, and nothing reads it`);
}

export function fenceProblems(source: Source, file: string): Problem[] {
  if (source.openFence === null) return [];
  return [
    errorAt(
      { file, line: source.openFence + 1 },
      'this fence is never closed, so that what follows cannot be told from its content; close it',
    ),
  ];
}

export function tooManySections(sections: readonly Section[], file: string): Problem[] {
  const extra = sections.filter(({ task }) => task !== null)[PLAN_TASKS_MAX];
  if (extra !== undefined) return [errorAt({ file, line: extra.from + 1 }, `the plan has more than ${PLAN_TASKS_MAX} tasks; split it`)];
  const heading = sections[PLAN_HEADINGS_MAX];
  if (heading === undefined) return [];
  return [errorAt({ file, line: heading.from + 1 }, `the plan has more than ${PLAN_HEADINGS_MAX} headings; split it`)];
}
