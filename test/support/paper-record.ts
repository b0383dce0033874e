import { criteriaOf, outcomeOf } from '../../core/criteria.js';
import { aboutOf } from '../../core/methods/execute-plan.js';
import { renderLedger } from '../../documents/ledger-render.js';
import { renderReport } from '../../documents/report.js';
import type { Driver } from './driver.js';

/** What a run on paper leaves behind, rendered as for a real one. */
export function ledgerText({ run, world }: Driver): string {
  const planned = [...world.plans.values()].flatMap((plan) => plan.tasks);
  const details = run.ledger.map((entry) => {
    const task = entry.covers.length > 0 ? undefined : planned.findLast((one) => one.id === (entry.undoes ?? entry.task));
    return { task: entry.task, line: 1, doneWhen: task?.doneWhen ?? null, restates: task?.restates ?? null, unknown: [] };
  });
  return renderLedger({ foreword: [], title: run.id, entries: run.ledger, details, preamble: [], sections: [] }).trim();
}

/** `words`: of the criteria of a SPEC. */
export function reportText({ run, world }: Driver, words: ReadonlyMap<string, string>): string {
  const about = aboutOf(run);
  const promises = [...world.plans.values()].flatMap((plan) => plan.tasks.map((task): [string, string] => [task.id, task.doneWhen]));
  return renderReport({
    outcome: outcomeOf(run, about),
    run,
    criteria: criteriaOf(run, about).map((one) => ({ ...one, state: one.state === 'open' ? 'unsatisfied' : one.state })),
    entries: run.ledger,
    noOp: about.noOp,
    warnings: [],
    at: run.clock,
    words: new Map([...promises, ...words]),
    plans: world.versions(run),
  }).trim();
}
