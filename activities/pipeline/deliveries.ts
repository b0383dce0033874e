import { dirname, join } from 'node:path';
import type { ArtifactDemand, ReadResult, SeenArtifact, SeenDelivery, SeenNextInput, Step } from '../../core/methods/pipeline-values.js';
import type { Observation } from '../../core/values.js';
import { parseStepResult } from '../../documents/pipeline/step-result.js';
import { attemptPath, baselinePath } from '../attempt-folder.js';
import type { AgentPorts } from '../dispatch-ports.js';
import type { Disk } from '../files/disk.js';
import { textIn } from '../files/regular.js';
import { writeWhole, writing } from '../files/whole.js';
import { whileBeating } from '../heartbeat.js';
import type { CheckInput, Place } from '../interface.js';
import { maskTexts } from '../process/mask.js';
import { isDamaged, textsOf } from '../texts.js';
import { type Baseline, baselineOf, isMatch, matchesOf, pathIn, sightOf, type Workspace } from './artifacts.js';
import { type Pinned, stepFor } from './pinned.js';
import { type ReviewPorts, setAsideOf } from './reviews.js';

type Look = (input: CheckInput) => Promise<Observation>;

export interface DeliveryPorts extends Pick<AgentPorts, 'agentFor' | 'environment'>, ReviewPorts {
  disk: Disk;
  pinned: Pinned;
}

const UNLISTED_MAX = 100;

/** The looks of a pipeline's step are those of a task, and a look at its artifacts before the work and at its delivery after it. */
export function lookingAtDeliveries(looks: { check: Look; verify: Look }, ports: DeliveryPorts): { check: Look; verify: Look } {
  return {
    check: async (input) => {
      const step = await stepFor(ports.pinned, input.place, input.task);
      if (step === null) return looks.check(input);
      const observation = await looks.check({ ...input, writes: writesOf(step, input.writes, []) });
      return { ...observation, baseline: await whileBeating((signal) => keptBaseline(ports, input, step, signal)) };
    },
    verify: async (input) => {
      const step = input.when === 'after' ? await stepFor(ports.pinned, input.place, input.task) : null;
      if (step === null) return looks.verify({ ...input, writes: await writesOfAll(ports.pinned, input) });
      const read = await answerOf(ports, input, step);
      const writes = writesOf(step, input.writes, reportsIn(read, input.place));
      // Before anything is looked at: what a review was not to write holds no check, and is nobody's input.
      const aside = await whileBeating(() => asideOf(ports, input, { step, writes }));
      const delivery = await whileBeating((signal) => seenDelivery(ports, input, { step, read }, signal));
      const observation = await looks.verify({ ...input, writes });
      return { ...observation, deviations: [...aside, ...observation.deviations], delivery };
    },
  };
}

const REPORT = 'report';

/** In a sweep: what any step was to write. */
async function writesOfAll(pinned: Pinned, { place, writes }: CheckInput): Promise<string[] | null> {
  const about = await pinned(place);
  return about === null
    ? writes
    : about.pipeline.steps.flatMap(({ writes: own, artifacts }) => [...(own ?? []), ...artifacts.map(({ pattern }) => pattern)]);
}

/** Where its block says that the report lies, as the workspace names it. */
function reportsIn(read: ReadResult, { workspace }: Place): string[] {
  const listed = read.is === 'result' ? read.result.artifacts.filter(({ key }) => key === REPORT) : [];
  return listed.flatMap(({ paths }) => paths.flatMap((path) => pathIn(workspace, path) ?? []));
}

async function asideOf(
  ports: DeliveryPorts,
  { place, token }: CheckInput,
  { step, writes }: { step: Step; writes: string[] | null },
): Promise<string[]> {
  if (step.gate !== 'review' || token === null) return [];
  const words = await setAsideOf({ place, token }, { step, writes: writes ?? [] }, ports);
  return words === null ? [] : [words];
}

/** A review writes its own artifacts and its report; of any other step the pipeline says what it may write, or nothing. */
function writesOf(step: Step, writes: string[] | null, listed: string[]): string[] | null {
  if (step.gate !== 'review' && writes === null) return null;
  return [...new Set([...(writes ?? []), ...step.artifacts.map(({ pattern }) => pattern), ...listed])];
}

/** Of the task's first look: what an interrupted try of it has written since is not there by itself. */
async function keptBaseline(ports: DeliveryPorts, { place, task }: CheckInput, step: Step, signal: AbortSignal): Promise<string> {
  const { disk } = ports;
  const path = join(place.folder, baselinePath(task ?? ''));
  const known = (await disk.standing(path))?.kind === 'file' ? await disk.read(path) : null;
  const text = known?.toString('utf8') ?? JSON.stringify(await baselineOf(workspaceOf(disk, place), step.artifacts, signal));
  if (known === null) {
    await writing(path, () => disk.makeFolder(dirname(path)));
    await writeWhole(disk, path, text);
  }
  return textsOf(disk, place).put(text);
}

/** null: nobody knows what was there, so that nothing can be told to be new (R11). */
async function baselineIn({ disk }: DeliveryPorts, { place, baseline }: CheckInput): Promise<Baseline | null> {
  if (baseline === undefined) return null;
  try {
    const known: Baseline = JSON.parse(await textsOf(disk, place).text(baseline));
    return known;
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}

async function seenDelivery(
  ports: DeliveryPorts,
  input: CheckInput,
  { step, read }: { step: Step; read: ReadResult },
  signal: AbortSignal,
): Promise<SeenDelivery> {
  const { place } = input;
  const at = workspaceOf(ports.disk, place);
  const before = await baselineIn(ports, input);
  const looking: Looking = { at, step, before };
  if (step.run) return { read, artifacts: await matched(looking, signal), nextInputs: [] };
  const said = read.is === 'result' ? read.result : { artifacts: [], nextInputs: [] };
  const artifacts: SeenArtifact[] = [];
  for (const { key, paths } of said.artifacts) {
    for (const path of paths) {
      signal.throwIfAborted();
      artifacts.push(await listedArtifact(looking, key, path));
    }
  }
  const nextInputs: SeenDelivery['nextInputs'] = [];
  for (const { key, values } of said.nextInputs) for (const value of values) nextInputs.push({ key, value, ...(await placeOf(at, value)) });
  const isListed = ({ key, path }: SeenArtifact) => artifacts.some((one) => one.key === key && one.path === path);
  const unlisted = (await matched(looking, signal)).filter((one) => one.sha256 !== null && one.sha256 !== one.before && !isListed(one));
  return { read, artifacts, nextInputs, ...(unlisted.length === 0 ? {} : { unlisted: unlisted.slice(0, UNLISTED_MAX) }) };
}

function workspaceOf(disk: Disk, { workspace, out }: Place): Workspace {
  return { disk, workspace, out };
}

interface Looking {
  at: Workspace;
  step: Step;
  before: Baseline | null;
}

/** Everything that is there of what the step demands. */
async function matched({ at, step, before }: Looking, signal: AbortSignal): Promise<SeenArtifact[]> {
  const seen: SeenArtifact[] = [];
  for (const demand of step.artifacts) {
    for (const path of await matchesOf(at, demand.pattern)) {
      signal.throwIfAborted();
      const sight = await sightOf(at, path, { isFolder: wantsFolder(demand) });
      seen.push(compared(before, { key: demand.key, ...sight, matches: true }));
    }
  }
  return seen;
}

async function listedArtifact({ at, step, before }: Looking, key: string, listed: string): Promise<SeenArtifact> {
  const demands = step.artifacts.filter((demand) => demand.key === key);
  const [demand] = demands;
  const sight = await sightOf(at, listed, { isFolder: demand === undefined ? null : wantsFolder(demand) });
  const matches = demands.length === 0 || demands.some(({ pattern }) => isMatch(sight.path, pattern));
  return compared(before, { key, ...sight, matches });
}

/** Where nobody knows what was there before, what is there now cannot be told to be new. */
function compared(before: Baseline | null, artifact: Omit<SeenArtifact, 'before'>): SeenArtifact {
  if (before === null) return { ...artifact, is: artifact.is === 'there' ? 'unobservable' : artifact.is, before: null };
  return { ...artifact, before: before[artifact.path] ?? null };
}

function wantsFolder({ pattern }: ArtifactDemand): boolean {
  return pattern.endsWith('/');
}

async function placeOf(at: Workspace, value: string): Promise<Pick<SeenNextInput, 'there' | 'outside'>> {
  const { is } = await sightOf(at, value, { isFolder: null });
  return { there: is === 'there' || is === 'empty', ...(is === 'outside' ? { outside: true } : {}) };
}

/** The answer of this very try, by its token, as its supervisor kept it; a command gives none. */
async function answerOf({ agentFor, environment }: DeliveryPorts, input: CheckInput, step: Step): Promise<ReadResult> {
  const { place, token } = input;
  if (step.run || token === null) return { is: 'none' };
  const adapter = await agentFor(place, step.performer);
  if ('missing' in adapter) return { is: 'none' };
  const log = join(place.folder, attemptPath(token), 'output.log');
  const { secrets } = await environment(place, adapter.passes);
  const reading = maskTexts(adapter.read({ stdout: textIn(log), stderr: textIn(`${log}.err`), endedAt: 0 }), secrets);
  return parseStepResult(reading.output);
}
