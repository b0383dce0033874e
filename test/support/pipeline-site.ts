import { createCommandAdapter } from '../../activities/agents/command.js';
import { createDisk } from '../../activities/files/disk.js';
import type { Dispatched, DispatchInput } from '../../activities/interface.js';
import { createLooks } from '../../activities/observe.js';
import { lookingAtDeliveries } from '../../activities/pipeline/deliveries.js';
import { watchingReviews } from '../../activities/pipeline/reviews.js';
import type { Supervisor } from '../../activities/process/client.js';
import { textsOf } from '../../activities/texts.js';
import type { PipelineAbout, Step } from '../../core/methods/pipeline-values.js';
import { taskIdOf } from '../../core/methods/run-pipeline-about.js';
import type { Observation } from '../../core/values.js';
import { checkInput, type Site } from './looks.js';
import { pipelineOf } from './pipeline-values.js';

/** What an agent prints, after it did its work in the workspace. */
export type Works = () => string;

const COST = { usd: 0, tokens: 0 };

/** One attempt at a step on a real disk: looked at before, carried out by a function, looked at after. */
export function stepAt(site: Site, supervisor: Supervisor, step: Step) {
  const disk = createDisk();
  const about: PipelineAbout = { pipeline: pipelineOf(step) };
  const environment = async () => ({ variables: site.context.variables, secrets: [] });
  const world = { run: supervisor.run, environment };
  const { place } = site;
  const taskLooks = createLooks({
    ...world,
    pinnedContent: (of, sha256) => textsOf(disk, of).bytes(sha256),
    keepText: (of, text) => textsOf(disk, of).put(text),
  });
  const agentFor = async () => createCommandAdapter(['agent']);
  const looks = lookingAtDeliveries(taskLooks, { ...world, disk, pinned: async () => about, agentFor });
  const inputOf = (number: number, tries = 1) => {
    const task = taskIdOf(step.step, number);
    return { task, token: `${task}#${tries}.1`, checks: step.checks, writes: step.writes };
  };
  const look = (number: number) => looks.check(checkInput(place, { ...inputOf(number), when: 'before' }));
  const send = (number: number, works: Works, tries = 1) => {
    const { task, token } = inputOf(number, tries);
    const dispatch = watchingReviews(async () => {
      site.write(`.donewhen/demo/attempts/${token.replace('#', '.')}/output.log`, works());
      const dispatched: Dispatched = { end: { is: 'exited', code: 0 }, cost: COST, log: '' };
      return dispatched;
    }, world);
    return dispatch({ place, token, task: { id: task }, step: { briefing: { step } } } as DispatchInput);
  };
  const see = (number: number, { base, baseline }: Pick<Observation, 'base' | 'baseline'>, tries = 1) => {
    const before = { ...(base === undefined ? {} : { base }), ...(baseline === undefined ? {} : { baseline }) };
    return looks.verify(checkInput(place, { ...inputOf(number, tries), ...before, when: 'after' }));
  };
  return {
    look,
    send,
    see,
    /** All three, one after the other. */
    async carryOut(works: Works, number = 1): Promise<Observation> {
      const before = await look(number);
      await send(number, works);
      return see(number, before);
    },
  };
}
