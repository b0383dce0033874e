import { oneLine } from './lines.js';

/** Larger only where the slice of the contract is. A performer starts cold, and a short brief is read. */
export const BRIEF_BYTES_MAX = 8 * 1024;
/** However long the rest is, the newest facts get this much. */
const FACTS_BYTES_MIN = 1024;

export interface BriefInput {
  task: { id: string; title: string; task: string; doneWhen: string; verifyBy: string | null; checks: string[]; covers: string[] };
  goal: string;
  /** What of SPEC.md bears on this task. null: no SPEC, the contract is the plan. */
  constraints: string | null;
  /** Oldest first. */
  facts: BriefFact[];
  /** Messages by people to the performer. */
  notes: { text: string; by: string }[];
  /** An attempt of this task was lost, and may have acted (R3). */
  again: boolean;
}

export interface BriefFact {
  /** The task whose entry says so. */
  task: string;
  fact: string;
  label: 'verified' | 'attested' | 'reported, unconfirmed';
}

/**
 * What a performer is told of its task (seed 002 §3): everything it needs and nothing of the planner's reasoning. The
 * same input gives the same text.
 */
export function renderBrief(input: BriefInput): string {
  const fixed = (facts: string) =>
    [
      section('Task', taskBlock(input.task)),
      section('Goal context', input.goal),
      section('Constraints that apply', input.constraints ?? 'None beyond the task itself: this plan is the contract.'),
      section('Established facts', facts),
      ...(input.notes.length === 0 ? [] : [section('Messages from people', input.notes.map(noteLine).join('\n'))]),
      ...(input.again ? [section('Before you start', AGAIN)] : []),
      section('Return contract', RETURN_CONTRACT),
    ].join('\n');
  const room = BRIEF_BYTES_MAX - bytesOf(fixed(''));
  return fixed(factsWithin(input.facts, Math.max(room, FACTS_BYTES_MIN)));
}

function section(title: string, text: string): string {
  return `## ${title}\n${text.trim()}\n`;
}

function taskBlock(task: BriefInput['task']): string {
  const lines = [`${task.id} — ${oneLine(task.title)}`, `Task: ${task.task}`, `Done when: ${task.doneWhen}`];
  if (task.verifyBy !== null) lines.push(`Verify by: ${task.verifyBy}`);
  if (task.checks.length > 0) lines.push('Checks:', ...task.checks.map((check) => `- ${check}`));
  if (task.covers.length > 0) lines.push(`Covers: ${task.covers.join(', ')}`);
  return lines.join('\n');
}

function noteLine(note: { text: string; by: string }): string {
  return `- ${oneLine(note.by)}: ${oneLine(note.text)}`;
}

/** The newest facts that fit; what is left out is said. */
function factsWithin(facts: BriefFact[], room: number): string {
  for (let from = 0; from < facts.length; from += 1) {
    const text = factsText(facts.slice(from), from);
    if (bytesOf(text) <= room) return text;
  }
  return factsText([], facts.length);
}

function factsText(facts: BriefFact[], cut: number): string {
  const lines = (label: BriefFact['label'], mark: string) =>
    facts.filter((fact) => fact.label === label).map((fact) => `- ${mark}${oneLine(fact.fact)} (${fact.task})`);
  const verified = lines('verified', '');
  const attested = lines('attested', '[attested] ');
  const unconfirmed = lines('reported, unconfirmed', '[reported, unconfirmed] ');
  const parts = [
    ...(verified.length === 0 ? ['None that a check has confirmed.'] : verified),
    ...(attested.length === 0 ? [] : ['', 'Confirmed by a person, not by a check:', ...attested]),
    ...(unconfirmed.length === 0 ? [] : ['', 'Not established. Look for yourself before you rely on one of these:', ...unconfirmed]),
  ];
  const left = cut === 1 ? '1 older fact is left out here; LEDGER.md has it' : `${cut} older facts are left out here; LEDGER.md has them`;
  return [...parts, ...(cut === 0 ? [] : ['', `(${left}.)`])].join('\n');
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

const AGAIN = `An earlier attempt at this very task was interrupted before it could answer, and it may have acted. Look at what is
already there before you act, and do nothing twice.`;

/** The form of the answer. Echoed back as it stands it is no answer: its status names all five, its items are placeholders. */
export const RETURN_CONTRACT = `Do the work, look whether "Done when" now holds, and answer with this block and nothing after it:

status: done | partial | blocked | failed | no_op
state_delta:
- <what somebody can now observe that was not so before, and what follows from it>
evidence:
- <what you checked> → <what it showed>
discovered:
- <a fact that later tasks need, and where you saw it>
unresolved:
- <what is still to be done>
risk:
- <what may go wrong because of this work>
user_action:
- <what a person has to do>
deviation: <where the work differs from the task as written, and why>
blocker: <short-kebab-case-name-of-the-obstacle, with blocked or failed>

Leave out every part that has nothing to say; only status is always there.

- Say what is true now, not what you did: "a request that takes longer than 30 s fails", not "I edited the client".
- Name only checks that you ran. Every check above is run again by somebody else afterwards, and that run decides.
- A discovery that a check can confirm ends with that check: \`(check: file: src/pay.ts contains "timeout")\`.
- Answer no_op if "Done when" held before you did anything.
- If the task cannot be done as written, answer blocked or failed and say why. Do not do another task instead.
- Before anything destructive or irreversible that nobody asked for, stop and answer blocked.
- Work in the foreground: whatever still runs when you have answered is ended.
- Leave PLAN.md, LEDGER.md, REPORT.md, SPEC.md and donewhen.yaml as they are.`;
