import type { Entry } from '../values.js';
import type {
  ArtifactDemand,
  DeliveredArtifact,
  NextInput,
  PipelineAbout,
  SeenArtifact,
  SeenDelivery,
  SeenNextInput,
  Step,
} from './pipeline-values.js';

/** The artifact gate (seed 003; docs/interface.md §10): what of a delivery is accepted, and what is wrong with the rest. */
export interface ArtifactGate {
  accepted: DeliveredArtifact[];
  /** Written and not listed: nothing by itself, but the next attempt may list it as it is. */
  unlisted: DeliveredArtifact[];
  /** Each of them is as an earlier attempt of this step left it. */
  isUnchanged: boolean;
  faults: Fault[];
}

export interface Fault {
  is: 'missing' | 'outside' | 'empty' | 'irregular' | 'unmatched' | 'stale' | 'unobservable';
  key: string;
  /** A path, or `srs (docs/srs-*.md)` where none was listed. */
  what: string;
}

export function artifactGate(step: Step, { seen, earlier }: { seen: SeenDelivery; earlier: Entry[] }): ArtifactGate {
  // By its key as well: freshness was asked for under this one alone, and what another lists may have lain there all along.
  const written = new Set(earlier.flatMap(({ delivery }) => (delivery?.artifacts ?? []).map(identityOf)));
  const isConfirmed = ({ key, path, sha256 }: SeenArtifact) => sha256 !== null && written.has(identityOf({ key, path, sha256 }));
  const demanded = new Set(step.artifacts.map(({ key }) => key));
  const judged = seen.artifacts.map((artifact) => {
    const is = demanded.has(artifact.key) ? demandedFault(artifact, isConfirmed(artifact)) : listedFault(artifact);
    return { artifact, is };
  });
  const accepted = judged.flatMap(({ artifact, is }) => (is === null ? kept(artifact) : []));
  const unlisted = (seen.unlisted ?? []).flatMap((one) =>
    demanded.has(one.key) && demandedFault(one, isConfirmed(one)) === null ? kept(one) : [],
  );
  const isUnchanged = accepted.length > 0 && judged.every(({ artifact, is }) => is === null && isConfirmed(artifact));
  const keys = new Set(accepted.map(({ key }) => key));
  const faults = judged.flatMap(({ artifact: { key, path }, is }) =>
    // A pattern of a command matches old files too: one that is new delivers its key.
    is === null || (step.run && keys.has(key)) ? [] : [{ is, key, what: path }],
  );
  return { accepted, unlisted, isUnchanged, faults: [...missingKeys(step.artifacts, seen.artifacts), ...faults] };
}

function identityOf({ key, path, sha256 }: DeliveredArtifact): string {
  return JSON.stringify([key, path, sha256]);
}

function kept({ key, path, sha256 }: SeenArtifact): DeliveredArtifact[] {
  return sha256 === null ? [] : [{ key, path, sha256 }];
}

function missingKeys(demands: ArtifactDemand[], seen: SeenArtifact[]): Fault[] {
  return demands
    .filter(({ key }) => !seen.some((artifact) => artifact.key === key))
    .map(({ key, pattern }) => ({ is: 'missing', key, what: `${key} (${pattern})` }));
}

function demandedFault({ is, matches, sha256, before }: SeenArtifact, isConfirmed: boolean): Fault['is'] | null {
  if (is !== 'there') return is;
  if (!matches) return 'unmatched';
  if (sha256 === null) return 'unobservable';
  return sha256 === before && !isConfirmed ? 'stale' : null;
}

/** What no key demands must be there, no more. */
function listedFault({ is }: SeenArtifact): Fault['is'] | null {
  return is === 'empty' || is === 'irregular' || is === 'there' ? null : is;
}

/** Files under `next-inputs` that are not there: a fault where a later step takes them, else a warning. */
export function nextInputFaults(about: PipelineAbout, step: Step, seen: SeenDelivery): { faults: Fault[]; warnings: string[] } {
  const used = new Set(
    about.pipeline.steps.flatMap(({ inputs }) => (inputs ?? []).flatMap((input) => (input.step === step.step ? [input.key] : []))),
  );
  const missing = seen.nextInputs.filter(({ there }) => !there);
  const isTaken = (key: string) => used.has(key) && !seen.artifacts.some((artifact) => artifact.key === key);
  const listed = new Set([...seen.artifacts, ...seen.nextInputs].map(({ key }) => key));
  const absent = step.run ? [] : [...used].filter((key) => !listed.has(key) && !step.artifacts.some((demand) => demand.key === key));
  return {
    faults: [
      ...missing
        .filter(({ key }) => isTaken(key))
        .map(({ key, value, outside }): Fault => ({ is: outside ? 'outside' : 'missing', key, what: value })),
      ...absent.map((key): Fault => ({ is: 'missing', key, what: `${key} (an input of a later step)` })),
    ],
    warnings: missing
      .filter(({ key }) => !isTaken(key))
      .map((one) => {
        const handed = isWithheld(one) ? ', and is not handed on' : '';
        return `next-inputs: ${one.key} is ${one.outside ? 'outside the workspace' : 'not there'}${handed}: ${one.value}`;
      }),
  };
}

/** A word or a text may be handed on as well, and is no file. */
const PATH = /^[^\s{["]*(?:\/|\.[A-Za-z0-9]{1,8}$)/;

/** A path that is not there, or leads out of the workspace, is no input of anybody. */
export function handedNextInputs(nextInputs: NextInput[], seen: SeenDelivery): NextInput[] {
  const absent = seen.nextInputs.filter(isWithheld);
  const gone = new Set(absent.map(({ key, value }) => JSON.stringify([key, value])));
  return nextInputs.flatMap(({ key, values }) => {
    const left = values.filter((value) => !gone.has(JSON.stringify([key, value])));
    return left.length === 0 ? [] : [{ key, values: left }];
  });
}

function isWithheld({ value, there, outside }: SeenNextInput): boolean {
  return !there && (outside === true || PATH.test(value));
}

/** One line for the ledger, as the seed says it. */
export function gateLine(step: Step, { is, what }: Fault, isLast: boolean): string {
  return `[ARTIFACT GATE] STEP ${step.step} — ${is}: ${what}. ${isLast ? 'Gate exhausted.' : 'Re-invoking agent.'}`;
}
