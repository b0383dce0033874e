import { renderStepBrief } from '../../documents/pipeline/step-brief.js';
import type { Disk } from '../files/disk.js';
import type { DispatchInput, StepDispatch } from '../interface.js';
import { linkAt } from '../record/chain.js';
import { type Texts, textsOf } from '../texts.js';
import { createPinned } from './pinned.js';

/** The brief of one attempt at a step, from what the run's folder keeps. It reads alone: twice gives the same text. */
export function createComposeStep({ disk }: { disk: Disk }): (input: DispatchInput, step: StepDispatch) => Promise<string> {
  const pinned = createPinned(disk);
  return async (input, { briefing }) => {
    const { place, task, notes, again } = input;
    const texts = textsOf(disk, place);
    const about = await pinned(place);
    const { record, ...told } = briefing;
    return renderStepBrief({
      ...told,
      because: record === undefined ? told.because : await becauseIn(texts, record, told.because),
      pipeline: about?.pipeline ?? { goal: input.goal },
      task: task.id,
      prompt: await texts.text(briefing.step.states),
      notes,
      again,
    });
  };
}

/** What an earlier execution wrote of it is more than the run still carries. */
async function becauseIn(texts: Texts, record: string, known: string[]): Promise<string[]> {
  const link = await linkAt(texts, record);
  const unresolved = link.is === 'entry' ? (link.entry.text?.unresolved ?? []) : [];
  return unresolved.length === 0 ? known : unresolved;
}
