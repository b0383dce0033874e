import type { Outcome } from '../core/values.js';

/**
 * What `run` and `start` do where something is there already: the table of docs/interface.md §2 as one pure function. A
 * start never resumes in silence and a resume never starts anew (B16 of the case list): the words say which row was found.
 */
export interface Found {
  slug: string;
  /** `--again`: a fresh record was asked for. */
  again: boolean;
  here: Origin;
  /** `file`: of a pipeline, which has no versions of its own. */
  plan: { titleSlug: string; version: number; file?: string };
  /** LEDGER.md on disk. */
  ledger: FoundLedger | null;
  workflow: FoundWorkflow;
}

export interface Origin {
  host: string;
  folder: string;
}

export interface FoundLedger {
  title: string;
  titleSlug: string;
  entries: number;
  last: FoundEntry | null;
}

/** The entry whose gate decides: the newest with an open gate, else the last one. */
export interface FoundEntry {
  task: string;
  planVersion: number;
  gate: 'missing' | 'holds' | 'required' | 'done' | 'reopened' | 'exhausted';
}

export type FoundWorkflow =
  | { is: 'none' }
  /** The service was not asked: `check` needs none. */
  | { is: 'unasked' }
  /** Its input was refused, so that nothing was done under its name. */
  | { is: 'refused' }
  | { is: 'running'; from: Origin | null; samePlan: boolean }
  | { is: 'closed'; from: Origin | null; outcome: Outcome | null; last: FoundEntry | null; samePlan: boolean }
  | { is: 'gone'; from: Origin | null; how: string };

export type Decision =
  | { do: 'rejoin'; words: string; warning: string | null }
  /** A new execution; `ledger`: LEDGER.md goes in with it. */
  | { do: 'start'; ledger: boolean; words: string }
  /** As start without a ledger, after the old record was moved away. */
  | { do: 'again'; words: string }
  | { do: 'refuse'; words: string };

export function decide(found: Found): Decision {
  const { workflow, slug } = found;
  if (workflow.is === 'running' || workflow.is === 'closed' || workflow.is === 'gone') {
    const elsewhere = foreignOrigin(found, workflow.from);
    if (elsewhere !== null) return refuse(elsewhere);
  }
  if (workflow.is === 'running') return rejoin(found, workflow.samePlan);
  const foreign = foreignLedger(found);
  if (foreign !== null) return refuse(foreign);
  if (found.again) return again(found);
  switch (workflow.is) {
    case 'none':
    case 'unasked':
    case 'refused':
      return fromFiles(found, 'new');
    case 'gone':
      return fromFiles(found, `run ${slug} was ${workflow.how}`);
    case 'closed':
      return afterClose(found, workflow);
  }
}

function refuse(words: string): Decision {
  return { do: 'refuse', words };
}

/** The same slug from another folder is another run. A run without a memo was started by other means, so it is another one too. */
function foreignOrigin(found: Found, from: Origin | null): string | null {
  const { slug, here } = found;
  if (from === null)
    return `run ${slug} was not started from ${here.folder}: watch it with \`donewhen watch ${slug}\`, or start this plan under another name with --slug NAME`;
  if (from.host === here.host && from.folder === here.folder) return null;
  const other = from.host === here.host ? from.folder : `${from.folder} on host ${from.host}`;
  return `run ${slug} belongs to ${other}, not to ${here.folder}: start this plan under another name with --slug NAME`;
}

function rejoin(found: Found, samePlan: boolean): Decision {
  const { slug } = found;
  if (found.again) return refuse(`run ${slug} is running: stop it first with \`donewhen stop ${slug} --by NAME\`, then --again`);
  const warning = samePlan
    ? null
    : found.plan.file !== undefined
      ? `${found.plan.file} is not the pipeline that run ${slug} carries out, which goes on with its own`
      : `PLAN.md is not the plan that run ${slug} carries out: \`donewhen replan ${slug} PLAN.md --by NAME\` hands it over`;
  return { do: 'rejoin', words: `run ${slug} is running: rejoined`, warning };
}

/** A second plan in the same folder must not read the first one's record as its own (B03 of the case list). */
function foreignLedger(found: Found): string | null {
  const { ledger, slug, plan } = found;
  // One without a title cannot be read, which is said elsewhere.
  if (ledger === null || ledger.title === '' || ledger.titleSlug === slug || ledger.titleSlug === plan.titleSlug) return null;
  return `LEDGER.md:1 is the ledger of another plan, ${JSON.stringify(ledger.title)}, not of ${slug}: move it away, or write elsewhere with --out DIR`;
}

function again(found: Found): Decision {
  const { slug } = found;
  return { do: 'again', words: `a fresh record of ${slug}: what was recorded so far moves to .donewhen/${slug}/runs/` };
}

function fromFiles(found: Found, why: string): Decision {
  const { ledger, slug } = found;
  if (ledger === null)
    return {
      do: 'start',
      ledger: false,
      words: why === 'new' ? `new run ${slug}` : `${why}, and there is no LEDGER.md: a new run from the start`,
    };
  const words = resumeWords(ledger, found.plan);
  return {
    do: 'start',
    ledger: true,
    words: why === 'new' ? `LEDGER.md found: ${words}` : `${why}: a new execution from LEDGER.md, where ${words}`,
  };
}

/** Seed 002, Resuming: the last gate line says where the loop stopped. */
export function resumeWords(ledger: FoundLedger, { version, file }: Pick<Found['plan'], 'version' | 'file'>): string {
  const { last } = ledger;
  if (last === null) return 'nothing is recorded yet';
  const newer = version > last.planVersion;
  switch (last.gate) {
    case 'missing':
      return `the gate of ${last.task} is decided first`;
    case 'required':
      // A pipeline has no planner: code decides what follows.
      if (file !== undefined) return `the gate of ${last.task} is decided first`;
      return newer
        ? `only the gate of ${last.task} was left open: plan version ${version} goes on`
        : `the planner is asked now because of ${last.task}`;
    case 'exhausted':
      return newer
        ? `${last.task} is reopened by plan version ${version}`
        : `${last.task} is exhausted: it is reported, and nobody is sent`;
    case 'holds':
    case 'done':
    case 'reopened':
      return `${ledger.entries === 1 ? 'one task is' : `${ledger.entries} tasks are`} recorded and not done again`;
  }
}

function afterClose(found: Found, workflow: Extract<FoundWorkflow, { is: 'closed' }>): Decision {
  const { slug, plan } = found;
  const outcome = workflow.outcome ?? 'without an outcome';
  const { last } = workflow;
  if (last === null && workflow.outcome !== 'COMPLETED' && workflow.outcome !== 'NO_OP') {
    return fromFiles(found, `run ${slug} closed ${outcome} before anything was recorded`);
  }
  const open = last !== null && (last.gate === 'missing' || last.gate === 'required' || last.gate === 'exhausted');
  const newer = last !== null && plan.version > last.planVersion;
  const goesOn = open && (newer || (last.gate !== 'exhausted' && plan.version === last.planVersion && workflow.samePlan));
  if (goesOn && found.ledger === null) {
    return refuse(`run ${slug} closed ${outcome} and its LEDGER.md is missing: put it back to go on, or --again for a fresh record`);
  }
  if (goesOn) return fromFiles(found, `run ${slug} closed ${outcome}`);
  return refuse(`run ${slug} closed ${outcome}: ${wayOn(found, workflow, open)}`);
}

function wayOn(found: Found, workflow: Extract<FoundWorkflow, { is: 'closed' }>, open: boolean): string {
  const { slug, plan } = found;
  const recorded = workflow.last?.planVersion ?? plan.version;
  if (plan.file !== undefined && !workflow.samePlan)
    return `${plan.file} or one of its prompts was changed since: put them back, or --again for a fresh record`;
  if (plan.version < recorded) {
    return `PLAN.md has version ${plan.version}, the run is at version ${recorded}: put the newer plan back, or --again for a fresh record`;
  }
  if (plan.version === recorded && !workflow.samePlan) {
    return `PLAN.md was changed under the same version: raise Plan version, or --again for a fresh record`;
  }
  const resolve = open ? `, or \`donewhen resolve ${slug} BLOCKER --resolution TEXT --by NAME\` once its blocker is gone` : '';
  return `--again starts a fresh record${resolve}`;
}
