import { resumedFrom } from '../../activities/load/entries.js';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import { openRun } from '../../core/opening.js';
import { gateWords } from '../../core/run-json.js';
import type { Answer, Entry, GateRecord, Limits, Message, Move, Policy, Run, Task } from '../../core/values.js';
import { parseSpec, requiredCriteria } from '../../documents/spec.js';
import { Driver, type Step } from './driver.js';
import { ledgerText, reportText } from './paper-record.js';
import { parsePeople, parsePerformers } from './paper-script.js';
import { PaperWorld } from './paper-world.js';
import { POLICY } from './run-values.js';

/** A whole run as a text that anybody can read: what is given, and what comes of it. */
export interface Transcript {
  /** The lines above the first section. */
  title: string;
  sections: { name: string; text: string }[];
}

const HEADING = /^== (.+)$/;
const EXPECTED = ['what happens', 'LEDGER.md', 'REPORT.md'];

export function parseTranscript(text: string): Transcript {
  const transcript: Transcript = { title: '', sections: [] };
  for (const line of text.split('\n')) {
    const name = HEADING.exec(line)?.[1];
    const last = transcript.sections.at(-1);
    if (name !== undefined) transcript.sections.push({ name, text: '' });
    else if (last === undefined) transcript.title += `${line}\n`;
    else last.text += `${line}\n`;
  }
  return { title: transcript.title.trim(), sections: transcript.sections.map(({ name, text: lines }) => ({ name, text: lines.trim() })) };
}

/** The same transcript with what really comes of it. */
export function carriedOut(transcript: Transcript): string {
  const driver = driverOf(transcript);
  driver.carryOut();
  const given = transcript.sections.filter(({ name }) => !EXPECTED.includes(name));
  const made = [
    { name: 'what happens', text: driver.steps.flatMap(linesOf).join('\n') },
    { name: 'LEDGER.md', text: ledgerText(driver) },
    { name: 'REPORT.md', text: reportText(driver, specWords(transcript)) },
  ];
  return `${[transcript.title, ...[...given, ...made].map(({ name, text }) => `== ${name}\n${text}`)].join('\n\n')}\n`;
}

export function driverOf(transcript: Transcript): Driver {
  const { world, run } = openedOf(transcript);
  return new Driver(run, world, parsePeople(linesIn(transcript, 'people')), sectionIn(transcript, "a person's plan") ?? '');
}

function openedOf(transcript: Transcript): { world: PaperWorld; run: Run } {
  const planner = (sectionIn(transcript, 'planner') ?? '').split(/^---$/m).flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
  const world = new PaperWorld({ performers: parsePerformers(linesIn(transcript, 'performers')), planner });
  for (const line of linesIn(transcript, 'already there')) world.files.set(line, 'x');
  const { document, tasks, sha256, problems } = world.keepPlan(`${sectionIn(transcript, 'PLAN') ?? ''}\n`);
  if (problems.length > 0) throw new Error(problems.join('; '));
  const ledger = sectionIn(transcript, 'LEDGER');
  const entries = ledger === undefined ? [] : resumedFrom(`${ledger}\n`, document).entries.map(({ entry }) => entry);
  const spec = sectionIn(transcript, 'SPEC');
  const criteria = spec === undefined ? null : requiredCriteria(parseSpec(`${spec}\n`, { file: 'SPEC.md' }).spec);
  const { policy, limits } = rulesOf(linesIn(transcript, 'rules'));
  const input = {
    criteria: criteria?.map(({ id, through }) => ({ id, through })) ?? null,
    noOp: document.noOp === null ? null : { ...document.noOp },
  };
  const plan = { version: document.version, goal: document.goal, tasks, sha256 };
  return { world, run: openRun({ id: document.title, method: 'executePlan', input, plan, entries, limits, policy, at: 0 }) };
}

function specWords(transcript: Transcript): Map<string, string> {
  const { spec } = parseSpec(`${sectionIn(transcript, 'SPEC') ?? ''}\n`, { file: 'SPEC.md' });
  return new Map([...spec.criteria, ...spec.requirements].map(({ id, text }) => [id, text]));
}

function rulesOf(lines: string[]): { policy: Policy; limits: Limits } {
  const given = new Map(lines.map((line) => line.split(/:\s*/) as [string, string]));
  const policy: Policy = {
    planner: given.get('planner') !== 'none',
    onBlocked: given.get('people.onBlocked') === 'wait' ? 'wait' : 'report',
    askPlanner:
      given.get('gate.askPlanner') === 'always'
        ? 'always'
        : given.get('gate.askPlanner') === 'mechanical'
          ? 'mechanical'
          : POLICY.askPlanner,
    finalSweep: given.get('gate.finalSweep') !== 'off',
  };
  const number = (name: 'parallel' | 'dispatches' | 'costUsd' | 'waitDays') => Number(given.get(`limits.${name}`) ?? LIMITS_DEFAULT[name]);
  const limits = {
    ...LIMITS_DEFAULT,
    parallel: number('parallel'),
    dispatches: number('dispatches'),
    costUsd: number('costUsd'),
    waitDays: number('waitDays'),
  };
  return { policy, limits };
}

export function sectionIn(transcript: Transcript, name: string): string | undefined {
  return transcript.sections.find((section) => section.name === name)?.text;
}

export function linesIn(transcript: Transcript, name: string): string[] {
  return (sectionIn(transcript, name) ?? '').split('\n').filter((line) => line.trim() !== '');
}

export function linesOf(step: Step): string[] {
  return [actWords(step), ...changes(step.before, step.after).map((line) => `    ${line}`)];
}

function actWords(step: Step): string {
  const { move, input } = step;
  if (input === null) return step.words ?? '';
  if ('name' in input) return `${input.by}: ${messageWords(input)}`;
  return move === null ? '' : moveWords(move, input, step);
}

function messageWords({ id: _id, by: _by, at: _at, name, ...rest }: Message): string {
  const words = Object.entries(rest).map(([key, value]) => (key === 'plan' ? 'a plan' : `${key} ${String(value)}`));
  return [name, ...words].join(', ');
}

function moveWords(move: Move, answer: Answer, { before }: Step): string {
  switch (move.is) {
    case 'observe': {
      const looks = answer.is === 'observed' ? answer.observation.looks.map(({ check, saw }) => `${check} → ${saw}`) : ['nobody knows'];
      const what =
        move.when === 'before' || move.when === 'after'
          ? `look ${move.when} ${move.attempt.task.id}`
          : `look, ${move.when === 'sweep' ? 'before closing' : 'resolution'}`;
      return `${what}: ${looks.length > 0 ? looks.join('; ') : 'nothing to look at'}`;
    }
    case 'dispatch':
      return `dispatch ${move.token}${askedWords(move.attempt.task)}${move.cut ? ', cut' : ''}: ${answer.is === 'ended' ? endWords(answer) : answer.is}`;
    case 'wait':
      return `time passes, ${timeWords(Math.max(0, move.until - before.clock))}: ${move.why}`;
    case 'person':
      return '';
    case 'replan':
      return `planner, ${move.question === 'replan' ? 'a new plan is needed' : 'does the plan hold?'}: ${plannedWords(answer)}`;
    case 'read':
      return `read the plan of ${move.proposed.by}: ${plannedWords(answer)}`;
    case 'record':
      return `record ${recordWords(move.write, before)}`;
  }
}

function askedWords({ askedBy }: Task): string {
  return askedBy === undefined ? '' : `, asked by ${askedBy}`;
}

function recordWords(write: Extract<Move, { is: 'record' }>['write'], run: Run): string {
  if (write.is === 'report') return 'report';
  return write.is === 'plan' ? `plan version ${write.version}` : `${write.is} of ${run.ledger[write.seq - 1]?.task ?? '?'}`;
}

function endWords({ end }: Extract<Answer, { is: 'ended' }>): string {
  switch (end.is) {
    case 'answered':
      return `says ${end.claim.status}`;
    case 'exited':
      return `exits ${end.code}${end.note === undefined ? '' : `, ${end.note}`}`;
    case 'signalled':
      return `is ended by ${end.signal}`;
    case 'limited':
      return `is limited, ${end.until === null ? 'nobody knows until when' : `until ${new Date(end.until).toISOString()}`}`;
    default:
      return end.is;
  }
}

function plannedWords(answer: Answer): string {
  if (answer.is !== 'planned') return 'nobody knows';
  const { planned } = answer;
  if (planned.is === 'plan')
    return `plan version ${planned.plan.version} with ${planned.plan.tasks.map((task) => task.id).join(', ') || 'no task'}`;
  if (planned.is === 'limited') return 'is at its usage limit';
  return planned.is === 'unreadable'
    ? `nothing that can be read: ${planned.problems.join('; ')}`
    : `${planned.is === 'none' ? 'no valid plan' : 'the plan holds'}: ${planned.reason}`;
}

const MINUTE_MS = 60_000;

function timeWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 2 * 24 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 60 / 24)} days`;
}

/** What a step changed that a reader cares about. */
function changes(before: Run, after: Run): string[] {
  const answers = after.handled.slice(before.handled.length).map((one) => `${one.applied ? 'applied' : 'refused'}: ${one.reason}`);
  const entries = after.ledger.flatMap((entry) => entryChange(before.ledger[entry.seq - 1], entry));
  const refused =
    (after.planning?.refusals ?? 0) > (before.planning?.refusals ?? 0)
      ? (after.planning?.problems ?? []).map((one) => `refused: ${one}`)
      : [];
  const asked = after.questions
    .filter((one) => !before.questions.some((old) => old.id === one.id))
    .map((one) => `asked: ${one.kind} ${one.task ?? ''}, ${one.ask}`);
  const closed = after.outcome !== null && before.outcome === null ? [`closed: ${after.outcome}`] : [];
  return [...answers, ...entries, ...refused, ...asked, ...closed];
}

function entryChange(old: Entry | undefined, entry: Entry): string[] {
  const gates = entry.gates.slice(old?.gates.length ?? 0).map(gateLine);
  if (old !== undefined) return gates.length > 0 ? [`${entry.task}: ${gates.join(', ')}`] : [];
  const words = [entry.status, entry.label, entry.blocker, entry.verdict].filter((word) => word !== undefined).join(', ');
  const next = gates.length > 0 ? gates.join(', ') : `the planner is asked: ${(entry.news ?? []).join('; ')}`;
  return [`${entry.task} is ${words} · ${next}`];
}

function gateLine(gate: GateRecord): string {
  if (gate.is === 'exhausted') return `${gateWords(gate)} (${gate.why})`;
  return 'debt' in gate && gate.debt !== undefined ? `${gateWords(gate)}, debt: ${gate.debt}` : gateWords(gate);
}
