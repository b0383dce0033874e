import { criteriaOf, groundOf, requirementsOf } from '../../core/criteria.js';
import { isSettled } from '../../core/ledger.js';
import { aboutOf } from '../../core/methods/execute-plan.js';
import { nextMoves } from '../../core/run.js';
import type { Answer, Entry, Look, Message, Run, Task } from '../../core/values.js';
import { VACUOUS } from './random-world.js';

/**
 * Watches a run from the world's side, and believes nothing that the run says of itself: what was really looked at, whom a
 * person really spoke for, what was promised at the start.
 */
export class Witness {
  /** Of each task: what each look at it brought back. */
  private readonly looks = new Map<string, Look[][]>();
  private readonly attested = new Set<string>();
  private readonly pledged: Pick<Task, 'states' | 'checks'>[];
  private readonly required: string[];
  private personPlanned = false;
  private readonly dispatched = new Map<string, number>();
  /** Checks that a person gave, at the start or by a plan: nobody doubts that they mean something. */
  private readonly trusted: Set<string>;

  constructor(run: Run) {
    const about = aboutOf(run);
    this.pledged = run.plan.tasks.map(({ states, checks }) => ({ states, checks }));
    this.required = (about.criteria ?? []).map(({ id }) => id);
    this.trusted = new Set(run.plan.tasks.flatMap((task) => task.checks));
  }

  /** Before the answer is taken: what it shows, if the run still waits for it. */
  answered(run: Run, answer: Answer): void {
    const move = nextMoves(run).find((one) => one.id === answer.move);
    if (move?.is === 'observe' && answer.is === 'observed' && (move.when === 'before' || move.when === 'after')) {
      const { id } = move.attempt.task;
      this.looks.set(id, [...(this.looks.get(id) ?? []), answer.observation.looks]);
    }
    if (move?.is === 'dispatch' && answer.is === 'ended') this.dispatched.set(move.token, (this.dispatched.get(move.token) ?? 0) + 1);
    if (move?.is === 'read' && answer.is === 'planned' && answer.planned.is === 'plan')
      for (const check of answer.planned.plan.tasks.flatMap((task) => task.checks)) this.trusted.add(check);
    if (move?.is === 'read') this.personPlanned = true;
  }

  said(message: Message, after: Run): void {
    const isApplied = after.handled.some((one) => one.id === message.id && one.applied);
    if (message.name === 'attest' && message.happened === 'yes' && isApplied) this.attested.add(message.task);
  }

  /** What does not agree with what was seen; empty: everything does. */
  objections(run: Run): string[] {
    return [...this.unconfirmed(run), ...this.broken(run), ...this.softened(run), ...this.tooMany(run)];
  }

  /** No criterion is satisfied that no check and no person confirmed. */
  private unconfirmed(run: Run): string[] {
    const byTask = new Map(run.ledger.map((entry) => [entry.task, entry]));
    const satisfied = criteriaOf(run, aboutOf(run)).filter((criterion) => criterion.state === 'satisfied');
    return satisfied.flatMap(({ id, by }) => {
      if (by.length === 0) return [`${id} is satisfied by nothing`];
      return by.flatMap((task) => {
        const entry = byTask.get(task);
        return entry === undefined || !this.isConfirmed(entry) ? [`${id} is satisfied by ${task}, which nobody confirmed`] : [];
      });
    });
  }

  private isConfirmed(entry: Entry): boolean {
    const machine = entry.checks.filter((check) => !check.startsWith('human:'));
    const real = machine.filter((check) => check !== VACUOUS || this.trusted.has(check));
    const asked = entry.checks.length > machine.length;
    const seen = (this.looks.get(entry.task) ?? []).some((looks) =>
      machine.every((check) => looks.some((look) => look.check === check && look.is === 'holds')),
    );
    if (machine.length > 0 && (!seen || real.length === 0)) return false;
    return asked ? this.attested.has(entry.task) : machine.length > 0;
  }

  /** What was promised at the start is still promised, or kept (R19). */
  private broken(run: Run): string[] {
    const ground = groundOf(run.ledger, run.plan.tasks);
    const lost = this.pledged.filter(
      ({ states: promise }) =>
        !ground.nodes.some((node) => node.states === promise || node.restates === promise || this.covers(node.covers)),
    );
    const requirements = requirementsOf(aboutOf(run), ground);
    const uncovered = this.required.filter((id) => !requirements.some((one) => one.id === id && one.covering.length > 0));
    return [...lost.map(({ states }) => `nobody promises any more: ${states}`), ...uncovered.map((id) => `${id} is covered by nothing`)];
  }

  /** What kept a promise was held against every check that the promise began with; only a person may change them. */
  private softened(run: Run): string[] {
    if (this.personPlanned || this.required.length > 0) return [];
    return this.pledged.flatMap(({ states, checks }) => {
      const carried = run.ledger.filter((entry) => entry.states === states || entry.restates === states);
      const continued = new Set([...run.ledger, ...run.plan.tasks].flatMap(({ continues, reopens }) => [continues, reopens]));
      const isOpen = carried.some((entry) => !isSettled(entry) && !continued.has(entry.task));
      const open = isOpen || run.plan.tasks.some((task) => task.states === states || task.restates === states);
      const kept = carried.filter(isSettled).flatMap((entry) => entry.checks);
      const dropped = open || kept.length === 0 ? [] : checks.filter((check) => !kept.includes(check));
      return dropped.map((check) => `${states} was kept without ${check}`);
    });
  }

  /** With a SPEC a promise lives on in its criteria. */
  private covers(covers: string[]): boolean {
    return this.required.length > 0 && covers.length > 0;
  }

  /** Counted from the record alone: no lineage has a fourth attempt before somebody reopened it (R7). */
  private tooMany(run: Run): string[] {
    const attempts = new Map<string, number>();
    for (const { task, continues, undoes } of run.ledger) {
      const before = attempts.get(continues ?? undoes ?? '') ?? 0;
      attempts.set(task, before + (undoes === undefined ? 1 : 0));
    }
    const many = [...attempts].filter(([, count]) => count > 3).map(([task, count]) => `${task} is attempt ${count}`);
    return [
      ...many,
      ...this.unnamed(run),
      ...[...this.dispatched].filter(([, times]) => times > 1).map(([token]) => `${token} ended twice`),
    ];
  }

  /** The chain of Continues is the count: nobody but a person takes up a promise without naming whose it was. */
  private unnamed(run: Run): string[] {
    if (this.personPlanned) return [];
    return this.pledged.flatMap(({ states }) => {
      const begun = run.ledger.filter(
        (entry) => entry.states === states && (entry.continues ?? entry.reopens ?? entry.undoes) === undefined,
      );
      return begun.length > 1 ? [`${begun.map((entry) => entry.task).join(' and ')} begin the same work, each by itself`] : [];
    });
  }
}
