import { createHash } from 'node:crypto';
import { editedPlan } from '../../activities/record/plan-edit.js';
import { planningToken } from '../../core/planning.js';
import type { Answer, Look, Move, Observation, Planned, ProposedPlan, Run, Task, Write } from '../../core/values.js';
import { checksOf } from '../../core/verdict.js';
import { parseCheck } from '../../documents/check-line.js';
import { type PlanDocument, parsePlan, toTasks } from '../../documents/plan.js';
import { parsePlannerAnswer } from '../../documents/planner-answer.js';
import { renderProblem } from '../../documents/problem.js';
import { type Act, endOf, parseAct } from './paper-script.js';

/**
 * A world on paper: files are names, performers and planners are scripts, a record is a list. It keeps what is kept in
 * the real one (outcomes by token, writes by number), so that a crash may fall anywhere.
 */
export interface Script {
  performers: Map<string, Act[]>;
  /** What the planner says, one answer after the other. */
  planner: string[];
}

type Ended = Extract<Answer, { is: 'ended' }>;

export class PaperWorld {
  readonly files = new Map<string, string>();
  readonly hidden = new Set<string>();
  /** Tokens of attempts that began, and what those that ended came to. */
  readonly began = new Map<string, Act>();
  private readonly outcomes = new Map<string, Omit<Ended, 'move' | 'at' | 'is'>>();
  private readonly plannerOutcomes = new Map<string, Planned>();
  readonly plans = new Map<string, PlanDocument>();
  /** What was written, by its number: writing it twice changes nothing. */
  readonly writes = new Map<number, string>();
  /** Everything that was done to the world by a performer or planner, in order. */
  readonly acts: string[] = [];

  constructor(private readonly script: Script) {}

  keepPlan(text: string): { sha256: string; document: PlanDocument; tasks: Task[]; problems: string[] } {
    const { draft, problems } = parsePlan(text, { file: 'PLAN.md', recorded: [...this.recorded] });
    const sha256 = hash(text);
    this.plans.set(sha256, draft);
    const errors = problems.filter((one) => one.severity === 'error').map(renderProblem);
    return { sha256, document: draft, tasks: toTasks(draft, { defaultPerformer: 'agent', hash }), problems: errors };
  }

  /** Plan versions that the run had, by their number: of a refused one a better text may have followed. */
  versions(run: Run): { version: number; because: string | null; tasks: string[] }[] {
    const documents = [...this.plans].filter(([sha256]) => this.accepted.has(sha256) || sha256 === run.plan.sha256);
    return documents.map(([, plan]) => ({
      version: plan.version,
      because: plan.replannedBecause ?? null,
      tasks: plan.tasks.map(({ id }) => id),
    }));
  }

  private readonly accepted = new Set<string>();
  private recorded = new Set<string>();

  /** Makes a move; null where only a person can answer. */
  make(move: Move, run: Run, at: number): Answer | null {
    const head = { move: move.id, at };
    switch (move.is) {
      case 'observe':
        return { ...head, is: 'observed', observation: this.observe(move) };
      case 'dispatch':
        return { ...head, is: 'ended', ...this.dispatch(move, at) };
      case 'wait':
        return { ...head, is: 'elapsed' };
      case 'person':
        return null;
      case 'replan':
        return { ...head, is: 'planned', planned: this.replan(planningToken(run, move.planning), run), cost: { usd: 0, tokens: 0 } };
      case 'read':
        return { ...head, is: 'planned', planned: this.read(move.proposed.text, run) };
      case 'record':
        return { ...head, is: 'recorded', sha256: this.record(move.write, run) };
    }
  }

  /** R3: by its token an attempt is found, attached to, or lost; never begun twice. */
  private dispatch(move: Extract<Move, { is: 'dispatch' }>, at: number): Omit<Ended, 'move' | 'at' | 'is'> {
    const { token, attempt, cut } = move;
    const kept = this.outcomes.get(token);
    if (kept !== undefined) return kept;
    if (this.began.has(token)) return { end: { is: 'lost' }, cost: { usd: null, tokens: null } };
    const act = cut ? parseAct('does nothing') : this.actOf(attempt.task.id);
    this.began.set(token, act);
    for (const { path, text } of act.makes) this.effect(`${token} makes ${path}`, () => this.files.set(path, text));
    for (const path of act.removes) this.effect(`${token} removes ${path}`, () => this.files.delete(path));
    for (const path of act.hides) this.effect(`${token} hides ${path}`, () => this.hidden.add(path));
    const outcome = { end: cut ? ({ is: 'cut' } as const) : endOf(act, at), cost: act.cost };
    if (act.end !== 'lost') this.outcomes.set(token, outcome);
    return outcome;
  }

  /** The next line of a task; the last one stays. */
  private actOf(task: string): Act {
    const acts = this.script.performers.get(task) ?? [];
    const act = acts[0] ?? parseAct('does nothing');
    if (acts.length > 1) acts.shift();
    return act;
  }

  private effect(words: string, make: () => void): void {
    this.acts.push(words);
    make();
  }

  /** The supervisor of an attempt is gone, and its outcome with it. */
  forget(token: string): void {
    this.outcomes.delete(token);
  }

  private replan(token: string, run: Run): Planned {
    const kept = this.plannerOutcomes.get(token);
    if (kept !== undefined) return kept;
    const said = this.script.planner.shift() ?? 'NO VALID PLAN: nothing is left to try';
    const planned = limitedFor(said, run.clock) ?? this.read(said, run);
    this.acts.push(`the planner says: ${said}`);
    this.plannerOutcomes.set(token, planned);
    return planned;
  }

  private read(text: string, run: Run): Planned {
    const answer = parsePlannerAnswer(text);
    if (answer.is !== 'plan') return answer;
    this.recorded = new Set(run.ledger.map((entry) => entry.task));
    const { sha256, document, tasks, problems } = this.keepPlan(answer.text);
    if (problems.length > 0) return { is: 'unreadable', problems };
    return { is: 'plan', plan: proposedPlan(document, tasks, sha256) };
  }

  private observe(move: Extract<Move, { is: 'observe' }>): Observation {
    const claim = move.when === 'after' ? move.claim : null;
    const discovered = (claim?.discovered ?? []).map((fact) => ({ label: 'reported, unconfirmed' as const, fact }));
    const looks = checksLooked(move).map((check) => this.look(check));
    const added = move.when === 'before' ? (move.attempt.task.added ?? []) : [];
    const refused = looks
      .filter(({ check, is }) => is === 'holds' && check === 'run: true' && added.includes(check))
      .map(({ check }) => check);
    return {
      looks: looks.filter(({ check }) => !refused.includes(check)),
      tampered: [],
      deviations: [],
      discovered,
      ...(refused.length === 0 ? {} : { refused }),
    };
  }

  private look(line: string): Look {
    const { check } = parseCheck(line, { file: 'PLAN.md', line: 1 });
    if (check?.kind === 'file' && this.hidden.has(check.path)) return { check: line, is: 'unobservable', saw: 'permission denied' };
    if (check?.kind === 'run' && check.command === 'true') return { check: line, is: 'holds', saw: 'exit 0' };
    if (check?.kind === 'file') return this.lookAtFile(line, check.path, check.expect);
    const tested = check?.kind === 'run' ? /^test -s (\S+)$/.exec(check.command)?.[1] : undefined;
    if (tested === undefined) return { check: line, is: 'unobservable', saw: 'nobody can look from here' };
    return this.files.has(tested) ? { check: line, is: 'holds', saw: 'exit 0' } : { check: line, is: 'disproved', saw: 'exit 1' };
  }

  private lookAtFile(check: string, path: string, expect: { is: string; text?: string }): Look {
    const text = this.files.get(path);
    if (expect.is === 'absent')
      return text === undefined ? { check, is: 'holds', saw: 'absent' } : { check, is: 'disproved', saw: 'there' };
    if (text === undefined) return { check, is: 'disproved', saw: 'absent' };
    const matches = expect.is !== 'contains' || text.includes(expect.text ?? '');
    return matches ? { check, is: 'holds', saw: 'there' } : { check, is: 'disproved', saw: 'other content' };
  }

  private record(write: Write, run: Run): string {
    if (this.accepted.size === 0) this.accepted.add([...this.plans.keys()][0] ?? '');
    if (write.is === 'plan') this.accepted.add(write.sha256);
    const text = this.written(write, run);
    if (!this.writes.has(write.n)) this.writes.set(write.n, text);
    return write.is === 'plan' && write.edit !== undefined ? hash(text) : write.is === 'plan' ? write.sha256 : hash(text);
  }

  private written(write: Write, run: Run): string {
    switch (write.is) {
      case 'entry':
      case 'gate':
        return `${write.is} ${run.ledger[write.seq - 1]?.task}`;
      case 'plan':
        return write.edit === undefined ? `plan ${write.version}` : this.edited(write, write.edit, run);
      case 'report':
        return 'report';
    }
  }

  private edited(write: Extract<Write, { is: 'plan' }>, change: NonNullable<Extract<Write, { is: 'plan' }>['edit']>, run: Run): string {
    const base = this.plans.get(write.sha256);
    const reopened = [...this.plans.values()].flatMap((plan) => plan.tasks).findLast((task) => task.id === change.task);
    if (base === undefined || reopened === undefined) throw new Error(`no plan text has ${change.task}`);
    const text = editedPlan(base, { version: write.version, change, reopened, recorded: new Set(run.ledger.map((entry) => entry.task)) });
    this.keepPlan(text);
    return text;
  }
}

/** `is limited for 30 minutes`, as a performer may be. */
function limitedFor(said: string, at: number): Planned | null {
  const minutes = /^is limited for (\d+) minutes$/.exec(said)?.[1];
  return minutes === undefined ? null : { is: 'limited', until: at + Number(minutes) * 60_000, why: 'usage limit' };
}

function checksLooked(move: Extract<Move, { is: 'observe' }>): string[] {
  const checks =
    move.when === 'sweep' ? move.looks.map((look) => look.check) : move.when === 'resolution' ? [move.check] : checksOf(move.attempt);
  return checks.filter((check) => !check.startsWith('human:'));
}

function proposedPlan(document: PlanDocument, tasks: Task[], sha256: string): ProposedPlan {
  const { version, goal, replannedBecause, noOp } = document;
  return { version, goal, tasks, sha256, noOp: noOp !== null, ...(replannedBecause === undefined ? {} : { because: replannedBecause }) };
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
