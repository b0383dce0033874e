/** Something wrong in a text that people write, with its place and, in the message, the way out. */
export interface Problem {
  file: string;
  /** From 1. */
  line: number;
  severity: 'error' | 'warning';
  message: string;
}

export interface Place {
  file: string;
  line: number;
}

/** A hostile text may hold a problem on every line; nobody reads more than this. */
export const PROBLEMS_MAX = 100;

export function errorAt(place: Place, message: string): Problem {
  return { file: place.file, line: place.line, severity: 'error', message };
}

export function warningAt(place: Place, message: string): Problem {
  return { file: place.file, line: place.line, severity: 'warning', message };
}

/** `PLAN.md:41: T4 depends on T9, which this plan does not have; did you mean T8?` */
export function renderProblem(problem: Problem): string {
  const words = problem.severity === 'warning' ? `warning: ${problem.message}` : problem.message;
  return `${problem.file}:${problem.line}: ${words}`;
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}

/** In the order of the text, errors before warnings where there are too many, and never more than a person would read. */
export function orderedProblems(problems: readonly Problem[]): Problem[] {
  const byLine = (a: Problem, b: Problem) => a.line - b.line;
  if (problems.length <= PROBLEMS_MAX) return [...problems].sort(byLine);
  const errors = problems.filter((problem) => problem.severity === 'error');
  const shown = [...errors, ...problems.filter((problem) => problem.severity === 'warning')].slice(0, PROBLEMS_MAX).sort(byLine);
  const last = shown.at(-1);
  const more = problems.length - shown.length;
  if (last === undefined) return shown;
  const severity = errors.length > 0 ? 'error' : 'warning';
  return [...shown, { file: last.file, line: last.line, severity, message: `${more} more problems are not listed; mend these first` }];
}
