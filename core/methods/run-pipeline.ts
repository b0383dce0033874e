import type { Gate, Method, News } from '../method.js';
import type { Entry, Json, Plan, Run } from '../values.js';
import { pipelineIn, pipelineOf } from './run-pipeline-about.js';
import { courseOf, tasksOf } from './run-pipeline-course.js';
import { mayStand, pipelineCriteria, pipelineOutcome } from './run-pipeline-ending.js';
import { type Decision, decisionOn, reopenedDecision } from './run-pipeline-gate.js';
import { judgeStep } from './run-pipeline-judge.js';

/**
 * Seed 003: ordered steps that hand over by a STEP-RESULT block, the artifact gate, review and human gates. What is left to
 * do is folded from the ledger, so that a run that goes on from LEDGER.md makes the moves that it would have made.
 */
export const runPipelineMethod: Method = {
  open,
  remaining,
  judge: judgeStep,
  gate,
  mayStand,
  criteria: pipelineCriteria,
  outcome: pipelineOutcome,
};

function open(input: Json): Json {
  pipelineIn(input);
  return input;
}

/** Every version after the first was made by a gate, and stands in the ledger. */
function remaining(about: Json, plan: Plan, entries: Entry[]): Plan {
  const pipeline = pipelineIn(about);
  const versions = entries.flatMap(({ planVersion, gates }) => [
    planVersion,
    ...gates.flatMap((gate) => ('version' in gate ? [gate.version] : [])),
  ]);
  return { ...plan, version: Math.max(plan.version, ...versions), tasks: tasksOf(pipeline, courseOf(pipeline, entries)) };
}

function gate(run: Run, entry: Entry | null, news: News): Gate {
  if (news.is === 'proposal') return { is: 'refused', problems: ['a pipeline has no plan to replace; its steps stand in its file'] };
  if (entry === null) return { is: 'holds' };
  if (news.is === 'entry') return answered(run, entry, decisionOn(pipelineOf(run), run.ledger, entry));
  const { approves, text, by } = news;
  const isObstacle = entry.status === 'blocked';
  const debt = approves && !isObstacle ? `${entry.task}: let through by ${by}: ${text}` : undefined;
  return answered(run, entry, reopenedDecision(entry, { debt, why: text }));
}

function answered(run: Run, entry: Entry, decision: Decision): Gate {
  switch (decision.is) {
    case 'exhausted':
      return decision;
    case 'holds':
      return { is: 'holds', ...(decision.debt === undefined ? {} : { debt: decision.debt }) };
    default: {
      const about = pipelineOf(run);
      const tasks = tasksOf(about, courseOf(about, run.ledger, { seq: entry.seq, decision }));
      return { is: 'revised', tasks, because: decision.because, ...(decision.is === 'debt' ? { debt: decision.debt } : {}) };
    }
  }
}
