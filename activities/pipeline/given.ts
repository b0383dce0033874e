import type { DeliveredArtifact, Pipeline, PipelineAbout, Step } from '../../core/methods/pipeline-values.js';
import { stepNameOf } from '../../core/methods/run-pipeline-about.js';
import type { LedgerDocument } from '../../documents/ledger.js';
import { matchesOf, sightOf, type Workspace } from './artifacts.js';

/** What must be there before a part of a pipeline is carried out: the artifacts of the steps before it, hashed. */
export async function givenBefore(
  at: Workspace,
  { pipeline, range, ledger }: { pipeline: Pipeline; range: PipelineAbout['range']; ledger: LedgerDocument | null },
): Promise<{ steps: NonNullable<PipelineAbout['given']>; problems: string[] }> {
  const steps: NonNullable<PipelineAbout['given']> = [];
  const problems: string[] = [];
  if (range === undefined) return { steps, problems };
  const first = 'from' in range ? range.from : range.only;
  const skipped = new Set(ledger?.entries.filter(({ status }) => status === 'no_op').map(({ task }) => stepNameOf(task)));
  for (const step of pipeline.steps.slice(
    0,
    pipeline.steps.findIndex((one) => one.step === first),
  )) {
    const artifacts = await artifactsOf(at, step);
    const keys = new Set(artifacts.map(({ key }) => key));
    // A step that may be skipped left something or did not; nobody who needs it gets nothing unseen.
    const mayBeAbsent = step.optional || step.when !== null || skipped.has(step.step);
    for (const { key, pattern } of mayBeAbsent ? [] : step.artifacts)
      if (!keys.has(key))
        problems.push(`step ${step.step} comes before ${first}, and its artifact ${key} is not there: nothing matches ${pattern}`);
    if (artifacts.length > 0) steps.push({ step: step.step, artifacts });
  }
  return { steps, problems };
}

async function artifactsOf(at: Workspace, { artifacts }: Step): Promise<DeliveredArtifact[]> {
  const found: DeliveredArtifact[] = [];
  for (const { key, pattern } of artifacts) {
    for (const path of await matchesOf(at, pattern)) {
      const { is, sha256 } = await sightOf(at, path, { isFolder: pattern.endsWith('/') });
      if (is === 'there' && sha256 !== null) found.push({ key, path, sha256 });
    }
  }
  return found;
}
