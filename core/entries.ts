import { saidBeforeEnd } from './end-words.js';
import { attemptNumber, isBudget } from './ledger.js';
import type { Judgement } from './method.js';
import type { Attempt, Claim, Entry, EntryText, Evidence, Look, LookResult, Run, Task } from './values.js';
import { checksOf, isHuman, worstOf } from './verdict.js';

type Judged = Extract<Judgement, { is: 'entry' }>;

const NOT_LOOKED = '—';

/** The ledger entry of an attempt that was judged (seed 002 §5). Its gate follows. */
export function entryFor(run: Run, attempt: Attempt, judged: Judged, at: number): Entry {
  const { task } = attempt;
  const isUnsent = !attempt.dispatched && judged.blocker !== undefined && isBudget(judged.blocker);
  const claim = attempt.end?.is === 'answered' ? attempt.end.claim : null;
  const text = textFor(attempt, judged, claim);
  const news = newsOf(text, judged, claim);
  const blocker =
    judged.blocker ?? (judged.status === 'blocked' || judged.status === 'failed' ? `unresolved-${task.id.toLowerCase()}` : undefined);
  return {
    seq: run.ledger.length + 1,
    task: task.id,
    title: task.title,
    status: judged.status,
    label: judged.label,
    planVersion: versionOf(run, attempt),
    attempt: attemptNumber(run.ledger, task),
    performer: judged.status === 'no_op' || isUnsent ? '' : task.performer,
    covers: task.covers,
    states: task.states,
    checks: checksOf(attempt),
    observed: judged.observed ?? observedBy(attempt),
    ...optional(task, blocker),
    ...addedIn(attempt),
    ...deliveredBy(attempt, judged),
    ...(news.length > 0 ? { news } : {}),
    ...(judged.status === 'done' || judged.status === 'no_op'
      ? {}
      : { terms: { ...termsOf(task), ...(isUnsent ? { performer: task.performer } : {}) }, ...todoOf(text) }),
    ...(text.discovered.length > 0 ? { facts: true as const } : {}),
    ...(attempt.after === undefined || attempt.after.tampered.length === 0 ? {} : { tampered: attempt.after.tampered }),
    asOf: attempt.asOf,
    gates: [],
    cost: attempt.cost,
    startedAt: attempt.startedAt,
    endedAt: at,
    text,
  };
}

const TODO_CHARS_MAX = 300;

function todoOf({ userAction: [first] }: EntryText): Pick<Entry, 'todo'> {
  return first === undefined ? {} : { todo: first.slice(0, TODO_CHARS_MAX) };
}

function deliveredBy({ session }: Attempt, { verdict, delivery }: Judged): Pick<Entry, 'verdict' | 'delivery' | 'session'> {
  if (delivery === undefined) return {};
  return { delivery, ...(verdict === undefined ? {} : { verdict }), ...(session === undefined ? {} : { session }) };
}

function addedIn(attempt: Attempt): Pick<Entry, 'added'> {
  const checks = checksOf(attempt);
  const added = (attempt.task.added ?? []).filter((check) => checks.includes(check));
  return added.length === 0 ? {} : { added };
}

/** A task that a newer plan kept belongs to that plan: its open gate asks for the version after it (seed 002, Resuming). */
function versionOf(run: Run, attempt: Attempt): number {
  return run.plan.tasks.some((task) => task.id === attempt.task.id) ? run.plan.version : attempt.planVersion;
}

function termsOf({ writes, repeatable, timeoutMs, about, ask }: Task): NonNullable<Entry['terms']> {
  return {
    writes,
    repeatable,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(about === undefined ? {} : { about }),
    ...(ask === undefined ? {} : { ask }),
  };
}

function optional(task: Task, blocker: string | undefined): Partial<Entry> {
  return {
    ...(task.restates === undefined ? {} : { restates: task.restates }),
    ...(task.continues === undefined ? {} : { continues: task.continues }),
    ...(task.reopens === undefined ? {} : { reopens: task.reopens }),
    ...(task.askedBy === undefined ? {} : { askedBy: task.askedBy }),
    ...(blocker === undefined ? {} : { blocker }),
  };
}

function observedBy(attempt: Attempt): Entry['observed'] {
  const looks = (attempt.after ?? attempt.before)?.looks ?? [];
  const machine = worstOf(looks);
  const person = attempt.attested ?? (attempt.end?.is === 'attested' ? attempt.end : undefined);
  if (machine === 'disproved' || person === undefined) return machine;
  return person.happened === 'yes' ? (machine ?? 'holds') : 'disproved';
}

function textFor(attempt: Attempt, judged: Judged, claim: Claim | null): EntryText {
  const seen = attempt.after ?? attempt.before;
  const deviation = [
    ...(claim?.deviation === undefined ? [] : [claim.deviation]),
    ...tampering(attempt),
    ...(attempt.before?.deviations ?? []),
    ...(attempt.after?.deviations ?? []),
  ];
  return {
    stateDelta: [...deltaOf(attempt, judged, claim), ...(attempt.after?.destroyed ?? []).map((words) => `${DESTROYED}${words}`)],
    evidence: evidenceOf(attempt),
    words: [
      ...(attempt.before?.compiled ?? []).map((check) => `compiled by the verifier, before the work: ${check}`),
      ...(attempt.before?.refused ?? []).map((check) => `refused, because it holds where nothing is as well: ${check}`),
      ...(judged.words ?? []),
    ],
    discovered: seen?.discovered ?? [],
    unresolved: distinct([...(claim?.unresolved ?? []), ...(judged.unresolved ?? [])]),
    risk: distinct([...(claim?.risk ?? []), ...(judged.risk ?? []), ...saidInTime(attempt)]),
    userAction: distinct([...(claim?.userAction ?? []), ...(attempt.end?.is === 'refused' ? [attempt.end.userAction] : [])]),
    deviation,
    ...(attempt.session === undefined ? {} : { session: attempt.session }),
  };
}

function saidInTime({ end }: Attempt): string[] {
  const said = saidBeforeEnd(end);
  return said === null ? [] : [said];
}

/** What code saw to be gone; a report has a list of its own for it. */
export const DESTROYED = 'destroyed: ';

function tampering(attempt: Attempt): string[] {
  return (attempt.after?.tampered ?? []).map(
    (path) => `changed ${path}, which is not the performer's to write; the run went on with the version it began with`,
  );
}

/** State over activity: what the checks show is said first; what only the performer says is marked as its words. */
function deltaOf(attempt: Attempt, judged: Judged, claim: Claim | null): string[] {
  const person = attempt.attested ?? (attempt.end?.is === 'attested' ? attempt.end : undefined);
  if (judged.delta !== undefined) return judged.delta;
  if (judged.status === 'no_op') return ['nothing changed: it held already'];
  if (judged.status === 'done') {
    const said = claim?.stateDelta ?? [];
    const attested = person?.nowTrue === undefined ? [] : [person.nowTrue];
    const deltas = [...said, ...attested];
    if (deltas.length > 0) return deltas;
    const isSeen = checksOf(attempt).some((check) => !isHuman(check));
    return [`${attempt.task.title}: ${isSeen || person === undefined ? 'its checks hold now' : `${person.by} says that it is so`}`];
  }
  const said = (claim?.stateDelta ?? []).map((words) => `the performer says: ${words}`);
  return said.length > 0 ? said : ['none that was observed'];
}

function evidenceOf(attempt: Attempt): EntryText['evidence'] {
  return checksOf(attempt)
    .filter((check) => !isHuman(check))
    .map((check) => {
      const before = find(attempt.before?.looks, check);
      const after = find(attempt.after?.looks, check);
      const last = after ?? before;
      return {
        check,
        before: before?.saw ?? NOT_LOOKED,
        after: after?.saw ?? NOT_LOOKED,
        ...sightOf(last),
        ...(last?.excerpt === undefined || last.is === 'holds' ? {} : { excerpt: last.excerpt }),
        ...(last?.sha256 === undefined ? {} : { sha256: last.sha256 }),
      };
    });
}

/** R11: what brought no look back was not observed; that is neither a pass nor a failure. */
function sightOf(look: Look | undefined): Pick<Evidence, 'holds' | 'is'> {
  const is = look?.is ?? 'unobservable';
  return { holds: is === 'holds', is };
}

/** What the last look at a check came to. */
export function resultOf({ holds, is }: Pick<Evidence, 'holds' | 'is'>): LookResult {
  return is ?? (holds ? 'holds' : 'disproved');
}

function find(looks: Look[] | undefined, check: string): Look | undefined {
  return looks?.find((look) => look.check === check);
}

/** What may make the remaining plan untrue although the task is done (design §4: tampering that we undid is no news). */
function newsOf(text: EntryText, judged: Judged, claim: Claim | null): string[] {
  const news = [...(judged.news ?? [])];
  if (claim?.deviation !== undefined) news.push(`deviation: ${claim.deviation}`);
  for (const discovery of text.discovered) news.push(`[${discovery.label}] ${discovery.fact}`);
  if (judged.status === 'done') for (const open of text.unresolved) news.push(`unresolved: ${open}`);
  return distinct(news);
}

function distinct(lines: string[]): string[] {
  return [...new Set(lines)];
}

/** The next of F1, F2, … that neither the ledger nor the plan uses (R2). */
function sweepId(run: Run): string {
  const taken = new Set([...run.ledger.map((entry) => entry.task), ...run.plan.tasks.map((task) => task.id)]);
  for (let number = 1; ; number++) if (!taken.has(`F${number}`)) return `F${number}`;
}

/** An entry that the final sweep appends: what it undoes and what was seen (seed 002 §5). */
export function sweepEntry(run: Run, undone: Entry, looks: Look[], at: number): Entry {
  const worst = looks.find((look) => look.is === 'disproved');
  return {
    seq: run.ledger.length + 1,
    task: sweepId(run),
    title: 'Final check',
    status: 'failed',
    label: 'verified',
    planVersion: run.plan.version,
    attempt: undone.attempt,
    performer: 'donewhen',
    covers: undone.covers,
    states: undone.states,
    checks: undone.checks,
    observed: 'disproved',
    undoes: undone.task,
    blocker: `undone-${undone.task.toLowerCase()}`,
    asOf: run.effects,
    gates: [],
    cost: { usd: 0, tokens: 0 },
    startedAt: at,
    endedAt: at,
    text: {
      stateDelta: [`what ${undone.task} made true no longer holds${worst === undefined ? '' : `: ${worst.check} (${worst.saw})`}`],
      evidence: looks.map((look) => ({
        check: look.check,
        before: 'held',
        after: look.saw,
        ...sightOf(look),
        ...(look.excerpt === undefined ? {} : { excerpt: look.excerpt }),
      })),
      words: [],
      discovered: [],
      unresolved: [`${undone.task} must be made true again`],
      risk: [],
      userAction: [],
      deviation: [],
    },
  };
}
