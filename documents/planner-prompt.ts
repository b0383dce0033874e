import { oneLine } from './lines.js';

/** Up to this size the planner gets the whole record; beyond it, what is open and a list of the rest. */
export const PROMPT_LEDGER_BYTES_MAX = 200 * 1024;

export interface PlannerPromptInput {
  slug: string;
  question: 'replan' | 'holds?';
  /** SPEC.md as it is. null: the contract is the union of the plan's `Done when`s. */
  spec: string | null;
  plan: { version: number; text: string };
  /** Oldest first; `text`: as LEDGER.md has it. */
  entries: { task: string; status: string; text: string }[];
  /** Ids of the entries whose gate is open. */
  triggers: string[];
  /** What the gate says of them, in words. */
  gate: string;
  /** Problems of this planner's last answer. */
  problems: string[];
  resolution: { text: string; by: string } | null;
  notes: { text: string; by: string }[];
  /** Ids that were ever used, in the plan or in the record. */
  usedIds: string[];
  performers: string[];
}

/** What the planner is asked. The same input gives the same text. */
export function renderPlannerPrompt(input: PlannerPromptInput): string {
  const parts = [
    question(input),
    section('What happened', [`Gate: ${input.gate}`, '', ...triggerTexts(input)].join('\n')),
    ...(input.resolution === null
      ? []
      : [section('The obstacle is gone', `${oneLine(input.resolution.by)} says, and it was confirmed: ${oneLine(input.resolution.text)}`)]),
    ...(input.notes.length === 0
      ? []
      : [section('Messages from people', input.notes.map((note) => `- ${oneLine(note.by)}: ${oneLine(note.text)}`).join('\n'))]),
    section('The contract', contract(input)),
    section(`The plan as it stands (version ${input.plan.version})`, fenced(input.plan.text)),
    section('The record (LEDGER.md)', record(input)),
    ...(input.problems.length === 0
      ? []
      : [
          section(
            'Your last answer was refused',
            [...input.problems.map((problem) => `- ${oneLine(problem)}`), '', 'Answer again, with these put right.'].join('\n'),
          ),
        ]),
    section('Rules', rules(input)),
    section('Answer', answerForm(input)),
  ];
  return parts.join('\n');
}

function section(title: string, text: string): string {
  return `## ${title}\n\n${text.trim()}\n`;
}

function question(input: PlannerPromptInput): string {
  const asked =
    input.question === 'replan'
      ? 'The plan below can no longer be carried out as it stands. Write its next version, for the work that is still to be done.'
      : 'A task is done, and it brought something new. Say whether the rest of the plan below is still true; if it is not, write its next version.';
  return `# Planner of ${input.slug}\n\nYou plan; you carry nothing out and change no file. ${asked}\n`;
}

function triggerTexts(input: PlannerPromptInput): string[] {
  const triggers = input.entries.filter((entry) => input.triggers.includes(entry.task));
  return triggers.length === 0 ? ['No single entry: a person asks.'] : triggers.map((entry) => fenced(entry.text));
}

function contract(input: PlannerPromptInput): string {
  if (input.spec !== null) return fenced(input.spec);
  return 'There is no SPEC.md. The contract is every `Done when` that was accepted so far: of the tasks below, and of the entries of the record.';
}

function record(input: PlannerPromptInput): string {
  if (input.entries.length === 0) return 'Nothing is recorded yet.';
  const whole = input.entries.map((entry) => entry.text.trim()).join('\n\n');
  if (new TextEncoder().encode(whole).length <= PROMPT_LEDGER_BYTES_MAX) return fenced(whole);
  const open = input.entries.filter((entry) => entry.status !== 'done' && entry.status !== 'no_op');
  const shown = newestWithin(open.map((entry) => entry.text.trim()));
  const list = input.entries.map((entry) => `- ${entry.task} [${entry.status}]`).join('\n');
  return `The record is long. These are its entries, oldest first; below are the newest that are not done.\n\n${list}\n\n${fenced(shown.join('\n\n'))}`;
}

function newestWithin(texts: string[]): string[] {
  let room = PROMPT_LEDGER_BYTES_MAX;
  const shown: string[] = [];
  for (const text of texts.toReversed()) {
    room -= new TextEncoder().encode(text).length;
    if (room < 0) break;
    shown.unshift(text);
  }
  return shown;
}

function rules(input: PlannerPromptInput): string {
  const continuing =
    input.resolution === null
      ? 'The rest of a partial, blocked or failed task is a new task with `Continues:` and the id of that task.'
      : `The first task that takes up ${list(input.triggers)} again has \`Reopens:\` and that id instead of \`Continues:\`; the rest of any other unfinished task is a new task with \`Continues:\`.`;
  return [
    `- \`Plan version: ${input.plan.version + 1}\`, and \`Replanned because:\` with the reason in one sentence. \`Spec:\` and \`Goal:\` stay as they are.`,
    `- Only work that is still to be done. No id that was ever used (${list(input.usedIds)}) may name another task; the first free one is ${firstFree(input.usedIds)}. A task of the plan that was not begun and is still right stays as it is, word for word.`,
    `- ${continuing}`,
    '- A task may depend on tasks of the new plan and on tasks recorded as done or no_op, never on one that is partial, blocked or failed.',
    '- The contract never gets weaker: each required criterion stays covered by a done or no_op entry or by a task of the new plan.',
    ...(input.spec === null
      ? [
          '- A task that takes over an open promise says it in `Done when:` or in `Restates:`, with the words of the promise and no others; of a task that restates one itself, with those words.',
        ]
      : ['- `Covers:` names the criteria of SPEC.md that a task covers, and a continuation covers what its predecessor covered.']),
    '- Every check of an unfinished task stands, letter for letter, in the task that continues, reopens or restates it. You may add checks; a check that cannot fail is no check.',
    '- One observable state for each `Done when:`, and a check for it.',
    '- Build on [verified] discoveries only. What is [reported, unconfirmed] may get a task of its own that finds out, nothing else.',
    '- You write no evidence: `Status: no-op` is refused once something is recorded.',
    `- \`Performer:\` is one of ${list([...input.performers, 'inline', 'human'])}; without it the default is taken.`,
  ].join('\n');
}

function answerForm(input: PlannerPromptInput): string {
  const forms = [
    '- The whole new plan, from a line that begins with `# PLAN:` to its last task and nothing after it: the header (`Spec`, `Goal`, `Plan version`, `Replanned because`), then each task under `## <id> — <title>` with `Reasoning`, `Task`, `Done when`, `Verify by`, `Checks` and, as needed, `Covers`, `Performer`, `Run`, `Writes`, `Timeout`, `Repeatable`, `Restates`, `Continues`, `Reopens`, `Depends on`.',
    '- `NO VALID PLAN: <reason>` on a line of its own, if no plan can reach the contract as things are. Say what would have to change.',
  ];
  if (input.question === 'holds?') forms.push('- `PLAN HOLDS: <reason>` on a line of its own, if the rest of the plan is still true.');
  return `Answer with one of these, as the last thing you write:\n\n${forms.join('\n')}`;
}

/** Content that may itself hold fences. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}markdown\n${text.trim()}\n${fence}`;
}

function firstFree(usedIds: string[]): string {
  const numbers = usedIds.map((id) => Number(/^T(\d+)$/.exec(id)?.[1] ?? 0));
  return `T${Math.max(0, ...numbers) + 1}`;
}

function list(words: string[]): string {
  return words.length === 0 ? 'none' : words.join(', ');
}
