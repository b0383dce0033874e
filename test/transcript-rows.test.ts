import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/sources.js';
import { parseTranscript } from './support/transcript.js';

/** Each row of the tables that decide a run, and the whole run in which it happens: these lines, in this order. */
type Row = [row: string, transcript: string, ...lines: string[]];

const absent = (file: string) => `look after T2: file: ${file} → absent`;
/** One transcript a claim: T1 holds afterwards, T2 is disproved, and at T3 nobody can look. */
const cells = (claim: string, transcript: string, end: string, [holds, disproved, unobservable]: [string, string, string]): Row[] => [
  [`${claim} × holds`, transcript, `T1#1.1: ${end}`, 'look after T1: file: out-T1 → there', `T1 is ${holds} `],
  [`${claim} × disproved`, transcript, `T2#1.1: ${end}`, absent('out-T2'), disproved],
  [`${claim} × unobservable`, transcript, `T3#1.1: ${end}`, 'look after T3: file: out-T3 → permission denied', unobservable],
];
const DONE = 'done, verified ·';
const byLooks: [string, string, string] = [
  DONE,
  'T2 is failed, verified, out-t2-absent · replan required',
  'T3 is partial, unverified · replan required',
];
const onceMore: [string, string, string] = [
  DONE,
  'T2 is partial, verified · replan required',
  'T3 is partial, unverified · replan required',
];
const person = (claim: string, transcript: string, [holds, disproved, unobservable]: [string, string, string]): Row[] => [
  [`${claim} × holds`, transcript, 'look after T1: file: out-T1 → there', `T1 is ${holds} `],
  [`${claim} × disproved`, transcript, absent('out-T2'), disproved],
  [`${claim} × unobservable`, transcript, 'look after T3: file: out-T3 → permission denied', unobservable],
];

const CLAIM_AND_OBSERVATION: Row[] = [
  ['held before, nobody was ever sent', '02-held-already', 'look before T1: file: out-T1 → there', 'T1 is no_op, verified'],
  ['held before, our own unrecorded work', '64-resumed-held-already', 'look before T2: file: out-T2 → there', 'T2 is done, verified'],
  ...cells('done', '40-row-done', 'says done', byLooks),
  ...cells('partial', '41-row-partial', 'says partial', onceMore),
  ...cells('blocked', '42-row-blocked', 'says blocked', [
    DONE,
    'T2 is blocked, verified, no-key · replan required',
    'T3 is blocked, unverified, no-key · replan required',
  ]),
  ...cells('failed', '43-row-failed', 'says failed', [
    DONE,
    'T2 is failed, verified, a-wall · replan required',
    'T3 is failed, unverified, a-wall · replan required',
  ]),
  ...cells('no_op', '44-row-no-op', 'says no_op', byLooks),
  ...cells('no claim and exit 0', '45-row-silent', 'exits 0', byLooks),
  ...cells('a malformed claim', '55-row-malformed', 'exits 0, no claim', byLooks),
  ...cells('no claim and another exit status', '46-row-exit', 'exits 3', [
    DONE,
    'T2 is failed, verified, agent-exit-3 · replan required',
    'T3 is failed, unverified, agent-exit-3 · replan required',
  ]),
  ...cells('a signal', '47-row-signal', 'is ended by SIGKILL', onceMore),
  ['a signal × disproved: one more attempt', '47-row-signal', 'dispatch T2#1.1', absent('out-T2'), 'dispatch T2#2.1'],
  ...cells('lost', '48-row-lost', 'lost', onceMore),
  ['lost × disproved: one more attempt', '48-row-lost', 'dispatch T2#1.1', absent('out-T2'), 'dispatch T2#2.1'],
  ...cells('limited', '49-row-limited', 'is limited, until ', [DONE, 'dispatch T2#1.2', 'dispatch T3#1.2']),
  ...cells('our time limit', '50-row-timeout', 'timeout', [
    DONE,
    'T2 is failed, verified, agent-timeout · replan required',
    'T3 is partial, unverified · replan required',
  ]),
  ...person('attest yes', '51-row-attested-yes', byLooks),
  ...person('attest partly', '52-row-attested-partly', onceMore),
  ...person('attest no', '53-row-attested-no', [
    DONE,
    'T2 is failed, verified, attested-no · replan required',
    'T3 is failed, unverified, attested-no · replan required',
  ]),
  ['attest yes, only human checks', '54-row-only-a-person', 'look after T1: nothing to look at', 'T1 is done, attested · plan holds'],
];

/** Seed 002 §6: every status has one continuation. */
const STATUS: Row[] = [
  ['done', '01-works', 'T1 is done, verified · plan holds', 'dispatch T2#1.1'],
  ['no_op', '02-held-already', 'T1 is no_op, verified · plan holds', 'look before T2'],
  ['partial', '04-partial-continued', 'T1 is partial, verified · replan required', 'planner, a new plan is needed', 'dispatch T2#1.1'],
  ['blocked, and a way around it', '06-same-blocker-twice', 'T1 is blocked, verified', 'T1: replan done (plan version 2)'],
  ['blocked, and none', '75-no-plan-can-reach-it', 'T1 is blocked, verified', 'T1: replan exhausted', 'record report', 'closed: BLOCKED'],
  ['failed', '03-claimed-and-not-there', 'T1 is failed, verified', 'planner, a new plan is needed', 'T1: replan done (plan version 2)'],
];

/** Seed 002 §5, §7: the ways of a gate. */
const GATE: Row[] = [
  ['none → holds', '01-works', 'T1 is done, verified · plan holds'],
  ['none → asked → holds', '26-news-and-the-plan-holds', 'the planner is asked', 'T1: plan holds', 'record gate of T1'],
  ['none → asked → required → done', '27-news-and-a-new-plan', 'the planner is asked', 'T1: replan required, replan done (plan version 2)'],
  ['required → done', '03-claimed-and-not-there', '· replan required', 'T1: replan done (plan version 2)', 'record gate of T1'],
  ['required → exhausted', '10-attested-no', '· replan required', 'T1: replan exhausted', 'record gate of T1'],
  [
    'exhausted → reopened',
    '08-blocked-then-resolved',
    'T1: replan exhausted',
    'applied',
    'T1: replan reopened (plan version 2)',
    'record gate of T1',
  ],
  [
    'exhausted stays, what was not confirmed reopens nothing',
    '08-blocked-then-resolved',
    'T1: replan exhausted',
    'refused: its check does not hold',
  ],
  [
    'required, and nobody plans → exhausted',
    '12-attested-and-looked-at',
    'replan required, replan exhausted (nobody fills the planner role)',
  ],
  [
    'a plan that is refused opens nothing',
    '28-a-planner-that-cheats',
    '· replan required',
    'refused: ',
    'refused: ',
    'T1: replan exhausted',
  ],
];

const LINEAGE: Row[] = [
  ['the same blocker twice', '06-same-blocker-twice', 'replan exhausted (test-database-access stopped T1 and T2 alike)', 'record report'],
  [
    'the same blocker twice, by what was seen',
    '07-the-same-failure-twice',
    'replan exhausted (test-s-out-t1-exit-1 stopped T1 and T2 alike)',
  ],
  ['three attempts', '05-three-attempts', 'replan exhausted (3 attempts at the same work)', 'record report'],
  ['three attempts, counted in the ledger', '62-resumed-third-attempt', 'record gate of T3', 'closed: FAILED'],
  [
    'a reopening begins the count anew',
    '78-the-count-begins-anew',
    'a-wall stopped T1 and T2 alike',
    'T2: replan reopened',
    'T3 is failed',
    'T4 is failed',
    'T5 is failed',
    '3 attempts at the same work',
  ],
];

/** Seed 002, Resuming: what the newest gate says × the version of the plan. */
const RESUME: Row[] = [
  ['missing, after done', '60-resumed-missing-after-done', 'record gate of T1', 'dispatch T2#1.1'],
  ['missing, after failed', '61-resumed-missing-after-failed', 'record gate of T1', 'planner, a new plan is needed'],
  ['plan holds', '21-resumed-after-done', 'T2 is done, verified', 'dispatch T3#1.1'],
  ['replan required, a newer plan', '22-resumed-required-newer', 'record gate of T1', 'dispatch T2#1.1'],
  ['replan required, a newer plan, after partial', '66-resumed-partial-newer', 'record gate of T1', 'dispatch T2#1.1'],
  ['replan required, the same plan', '23-resumed-required-same', 'planner, a new plan is needed', 'T1: replan done (plan version 2)'],
  ['replan required, the same plan, nobody plans', '65-resumed-required-without-planner', 'record gate of T1', 'closed: FAILED'],
  ['replan done', '67-resumed-replan-done', 'look before T2', 'dispatch T2#1.1'],
  ['replan exhausted, a newer plan', '25-resumed-reopened', 'record gate of T1', 'dispatch T2#1.1'],
  ['replan exhausted, the same plan', '24-resumed-exhausted', 'record report', 'closed: FAILED'],
  [
    'replan exhausted, the same plan, resolved',
    '63-resumed-exhausted-then-resolved',
    'applied: T1 is reopened; the check holds',
    'T1: replan reopened (plan version 2)',
  ],
  ['replan reopened', '68-resumed-reopened-already', 'dispatch T2#1.1', 'T2: replan done (plan version 3)'],
];

/** Seed 002 §8. */
const EXIT: Row[] = [
  ['every task is done or no_op', '01-works', 'record report', 'closed: COMPLETED'],
  ['no task, the goal held already', '34-goal-met-already', 'record report', 'closed: NO_OP'],
  ['blocked, and nothing routes around it', '75-no-plan-can-reach-it', 'record report', 'closed: BLOCKED'],
  ['only another contract would help', '28-a-planner-that-cheats', 'record report', 'closed: FAILED'],
  ['a person asks to stop', '14-stopped', 'applied: the run ends with a report', 'record report', 'closed: PARTIAL'],
];

const TABLES: [string, Row[]][] = [
  ['the table of claims and observations (docs/interface.md §6)', CLAIM_AND_OBSERVATION],
  ['the status table (seed 002 §6)', STATUS],
  ['the gate (seed 002 §5, §7)', GATE],
  ['the limit of a lineage (seed 002 §7)', LINEAGE],
  ['the matrix of resuming (seed 002 Resuming)', RESUME],
  ['the exits (seed 002 §8)', EXIT],
];

/** What happens in a transcript; nothing where there is none. */
function happensIn(name: string): string[] {
  const path = join(ROOT, 'test/transcripts', `${name}.txt`);
  if (!existsSync(path)) return [];
  const { sections } = parseTranscript(readFileSync(path, 'utf8'));
  return (sections.find((section) => section.name === 'what happens')?.text ?? '').split('\n');
}

/** The first of the lines that does not come after the ones before it. */
function missingIn(happens: string[], lines: string[]): string | null {
  let from = 0;
  for (const line of lines) {
    const at = happens.findIndex((one, index) => index >= from && one.includes(line));
    if (at < 0) return line;
    // Two parts of one line may both be named.
    from = at;
  }
  return null;
}

describe.each(TABLES)('%s has a whole run for each row', (_table, rows) => {
  it.each(rows)('%s: %s', (_row, transcript, ...lines) => {
    expect(missingIn(happensIn(transcript), lines)).toBeNull();
  });
});

it('every transcript that shows a row stands in a table', () => {
  const named = TABLES.flatMap(([, rows]) => rows.map(([, transcript]) => `${transcript}.txt`));
  expect(readdirSync(join(ROOT, 'test/transcripts')).filter((name) => /-row-|-resumed-/.test(name) && !named.includes(name))).toEqual([]);
});
