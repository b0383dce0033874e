import { type Config, defaultConfig } from '../documents/config.js';
import { adapterFor } from './agents/adapters.js';
import { createComposeBrief } from './compose-brief.js';
import { createAskAgent, createDispatch } from './dispatch.js';
import type { AgentPorts } from './dispatch-ports.js';
import { askingReaders } from './dispatch-reader.js';
import { performerEnvironment } from './environment.js';
import { createDisk, type Disk } from './files/disk.js';
import { whileBeating } from './heartbeat.js';
import type { Activities, CheckInput, DispatchInput, NotifyInput, PipelineStart, Place, RecordInput, StartInput } from './interface.js';
import type { LookBefore } from './load/goal-met.js';
import { pinnedConfig } from './load/pinned-config.js';
import { createLoad, type LoadInput } from './load.js';
import { maskingFailures } from './masked-failures.js';
import { createNotify } from './notify.js';
import { createCompile } from './observe/compile.js';
import type { Prose } from './observe/compile-prompt.js';
import { createCompiledCache } from './observe/compiled-cache.js';
import { createConfirm } from './observe/confirm.js';
import { lookAt } from './observe/look.js';
import { oursIn } from './observe/ours.js';
import { createLooks } from './observe.js';
import { lookingAtDeliveries } from './pipeline/deliveries.js';
import { announcingSteps, recordingPipelines } from './pipeline/files.js';
import { createPinned } from './pipeline/pinned.js';
import { watchingReviews } from './pipeline/reviews.js';
import { createPlans, declaredIn, type Plans } from './plans.js';
import type { World } from './ports.js';
import { createRecord } from './record.js';
import { createReplan } from './replan.js';
import { isDamaged, textsOf } from './texts.js';
import { createTogether } from './together.js';

/** A verifier that has not answered by then is not asked again: the task has no usable check (R11). */
const VERIFIER_TIMEOUT_MS = 10 * 60_000;
/** Runs whose configuration a worker has at hand. */
const REMEMBERED_CONFIGS_MAX = 32;

/** All activities of a worker, over its world. Their contracts stand at `Activities`. */
export function createActivities(world: World): Activities {
  const disk = createDisk();
  const plans = createPlans(disk);
  const configOf = createConfigs(disk);
  const agents = agentPorts(world, configOf);
  const ask = askingReaders(createAskAgent(agents), {
    run: world.supervisor.run,
    environment: agents.environment,
    isAlone: (place, planSha256) => isAlone(plans, configOf, { place, planSha256 }),
  });
  const verifying = {
    ask,
    verifier: async ({ place }: CheckInput) => (await configOf(place)).roles.verifier,
    timeoutMs: VERIFIER_TIMEOUT_MS,
  };
  const pinned = createPinned(disk);
  const taskLooks = createLooks({
    run: (command, signal) => world.supervisor.run(command, signal),
    environment: agents.environment,
    pinnedContent: (place, sha256) => pinnedContent(disk, place, sha256),
    keepText: (place, text) => textsOf(disk, place).put(text),
    declaredIn: (input) => declaredIn(plans, input),
    othersWrites: (input) => othersWrites(plans, configOf, input),
    compile: createCompile({
      ...verifying,
      prose: (input) => proseOf(plans, input),
      cache: createCompiledCache(disk, world.home),
      now: () => world.now(),
    }),
    confirm: createConfirm(verifying),
  });
  const { run } = world.supervisor;
  const looks = lookingAtDeliveries(taskLooks, { disk, pinned, run, ...agents });
  const dispatching = createDispatch({
    ...agents,
    composeBrief: createComposeBrief({ disk, plans }),
    inlineCommand: (input) => inlineCommand(disk, plans, input),
  });
  const dispatch = watchingReviews(dispatching, { run, environment: agents.environment });
  const load = createLoad({ ...world, disk, look: lookBefore(world) });
  const record = recordingPipelines(createRecord({ disk, plans }), { disk, pinned });
  const notify = createNotify({ ...world, disk });
  const replan = createReplan({ disk, plans, ask, environment: world.environment });
  const secretsFor = createSecrets(world, configOf);
  const together = createTogether();
  return {
    check: maskingFailures((input: CheckInput) => together(input.place.folder, () => looks.check(input)), secretsFor),
    verify: maskingFailures(looks.verify, secretsFor),
    dispatch: maskingFailures(announcingSteps(dispatch, { disk, pinned }), secretsFor),
    replan: maskingFailures(replan, secretsFor),
    load: maskingFailures((input: LoadInput) => whileBeating((signal) => load(input, signal)), secretsFor),
    record: maskingFailures(
      (input: RecordInput) => together(input.place.folder, () => whileBeating(() => afterTheLook().then(() => record(input)))),
      secretsFor,
    ),
    notify: maskingFailures((input: NotifyInput) => whileBeating(() => notify(input)), secretsFor),
  };
}

/** What may not be said in a failure. A run whose configuration cannot be read, or is not read yet, has at least what is known without it. */
function createSecrets(world: World, configOf: ConfigOf): (input: StartInput | PipelineStart | { place: Place }) => Promise<string[]> {
  return async (input) => {
    const config = 'place' in input ? await configOf(input.place).catch(() => null) : null;
    return performerEnvironment((config ?? defaultConfig()).environment, world.environment).secrets;
  };
}

/** The look at the next task begins with it, and is what the run waits for: it is sent off first. */
function afterTheLook(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function lookBefore({ supervisor, environment }: World): LookBefore {
  return (check, { workspace, out, config, timeoutMs, signal }) =>
    lookAt(check, {
      ...performerEnvironment(config.environment, environment),
      workspace,
      run: (command) => supervisor.run(command, signal),
      timeoutMs,
      ours: oursIn({ workspace, out }),
      signal,
    });
}

type ConfigOf = (place: Place) => Promise<Config>;

/** The pinned configuration of a run, read once. */
function createConfigs(disk: Disk): ConfigOf {
  const remembered = new Map<string, Config>();
  return async (place) => {
    const known = remembered.get(place.configSha256);
    if (known !== undefined) return known;
    const config = await pinnedConfig(textsOf(disk, place), place);
    const [oldest] = remembered.keys();
    if (remembered.size >= REMEMBERED_CONFIGS_MAX && oldest !== undefined) remembered.delete(oldest);
    remembered.set(place.configSha256, config);
    return config;
  };
}

function agentPorts(world: World, configOf: ConfigOf): AgentPorts {
  return {
    supervisor: world.supervisor,
    environment: async (place, also) => performerEnvironment((await configOf(place)).environment, world.environment, also),
    agentFor: async (place, name, permissions) => {
      const agent = (await configOf(place)).agents[name];
      return adapterFor(name, agent === undefined || permissions === undefined ? agent : { ...agent, permissions });
    },
  };
}

/** The command of an inline task; of a pipeline's step it is kept by the hash that the step is known by. */
async function inlineCommand(disk: Disk, plans: Plans, { place, planSha256, task, step }: DispatchInput): Promise<string | null> {
  if (step !== undefined) return textsOf(disk, place).text(task.states);
  return (await plans(place, planSha256)).tasks.find((one) => one.id === task.id)?.run ?? null;
}

async function pinnedContent(disk: Disk, place: Place, sha256: string): Promise<Uint8Array | null> {
  try {
    return await textsOf(disk, place).bytes(sha256);
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}

/** One at a time, nobody else writes; side by side, whatever another task of the plan says that it writes may be its. */
async function othersWrites(plans: Plans, configOf: ConfigOf, { place, planSha256, task }: CheckInput): Promise<string[]> {
  if (planSha256 === null || (await configOf(place)).limits.parallel === 1) return [];
  const { tasks } = await plans(place, planSha256);
  return tasks.flatMap(({ id, writes }) => (id === task ? [] : (writes ?? [])));
}

/** Whether nobody else may write while a role is asked: no other task, and no person who has one. */
async function isAlone(
  plans: Plans,
  configOf: ConfigOf,
  { place, planSha256 }: Pick<CheckInput, 'place' | 'planSha256'>,
): Promise<boolean> {
  if (planSha256 === null || (await configOf(place)).limits.parallel !== 1) return false;
  return (await plans(place, planSha256)).tasks.every(({ performer }) => performer !== 'human');
}

/** What the verifier role is told of a task whose plan has prose and no check of its own. */
async function proseOf(plans: Plans, { place, task, planSha256 }: CheckInput): Promise<Prose | null> {
  if (task === null || planSha256 === null) return null;
  const planned = (await plans(place, planSha256)).tasks.find((one) => one.id === task);
  if (planned?.verifyBy === undefined || planned.checks.length > 0) return null;
  return { title: planned.title, task: planned.task, doneWhen: planned.doneWhen, verifyBy: planned.verifyBy };
}
