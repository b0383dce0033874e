import type { EntryText } from '../core/values.js';
import { type BriefFact, type BriefInput, renderBrief } from '../documents/brief.js';
import type { PlanTask } from '../documents/plan.js';
import { parseSpec, sliceFor } from '../documents/spec.js';
import type { Disk } from './files/disk.js';
import type { DispatchInput } from './interface.js';
import { createComposeStep } from './pipeline/compose-step.js';
import type { Plans } from './plans.js';
import { linkAt } from './record/chain.js';
import { type Texts, textsOf } from './texts.js';

export interface BriefPorts {
  disk: Disk;
  plans: Plans;
}

/** The brief of one attempt, from what the run's folder keeps. It reads alone: twice gives the same text. */
export function createComposeBrief(ports: BriefPorts): (input: DispatchInput) => Promise<string> {
  const composeStep = createComposeStep(ports);
  return async (input) => {
    if (input.step !== undefined) return composeStep(input, input.step);
    const texts = textsOf(ports.disk, input.place);
    const plan = await ports.plans(input.place, input.planSha256);
    const planned = plan.tasks.find((task) => task.id === input.task.id);
    return renderBrief({
      task: taskOf(input, planned),
      goal: input.goal,
      constraints: await constraintsOf(texts, input),
      facts: await factsOf(texts, input.facts),
      notes: input.notes,
      again: input.again,
    });
  };
}

function taskOf({ task }: DispatchInput, planned: PlanTask | undefined): BriefInput['task'] {
  return {
    id: task.id,
    title: task.title,
    task: planned?.task === undefined || planned.task === '' ? task.title : planned.task,
    doneWhen: planned?.doneWhen ?? task.title,
    verifyBy: planned?.verifyBy ?? null,
    checks: task.checks,
    covers: task.covers,
  };
}

async function constraintsOf(texts: Texts, { place, task }: DispatchInput): Promise<string | null> {
  if (place.specSha256 === null) return null;
  const { spec } = parseSpec(await texts.text(place.specSha256), { file: 'SPEC.md' });
  const slice = sliceFor(spec, task.covers);
  return slice === '' ? 'SPEC.md names none for this task.' : slice;
}

/**
 * R10: what a check confirmed is a fact; what a person confirmed, or a performer reports, is told as that. Reports of a
 * task that this one does not wait for are left out: they bear on others.
 */
async function factsOf(texts: Texts, from: DispatchInput['facts']): Promise<BriefFact[]> {
  const facts: BriefFact[] = [];
  for (const { task, sha256, label, depended } of from) {
    const text = sha256 === null ? null : await entryText(texts, sha256);
    if (text === null) continue;
    if (depended && label !== 'unverified') facts.push(...text.stateDelta.map((fact) => ({ task, fact, label })));
    for (const { label: how, fact } of text.discovered) if (depended || how === 'verified') facts.push({ task, fact, label: how });
  }
  return facts;
}

async function entryText(texts: Texts, sha256: string): Promise<EntryText | null> {
  const link = await linkAt(texts, sha256);
  return link.is === 'entry' ? link.entry.text : null;
}
