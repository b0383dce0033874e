import type { Attempt, Look } from './values.js';

const BLOCKER_NAME_LENGTH_MAX = 60;

/** The identity of what was seen to fail: the check's name, its result, four hex digits of its output. */
export function failureOf(attempt: Attempt): string {
  const looks = attempt.after?.looks ?? attempt.before?.looks ?? [];
  const look = looks.find((one) => one.is === 'disproved') ?? looks.find((one) => one.is === 'unobservable');
  return look === undefined ? `unresolved-${kebab(attempt.task.id)}` : blockerOf(look);
}

export function blockerOf(look: Look): string {
  const name = short(kebab(look.check.replace(/^(run|file|http|git|human)\s*:\s*/i, '')));
  return [name, short(kebab(look.saw)), look.mark].filter((part) => part !== undefined && part !== '').join('-');
}

function short(name: string): string {
  return name.slice(0, BLOCKER_NAME_LENGTH_MAX).replace(/-$/, '');
}

function kebab(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
