import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Everything of a run but its record: plan versions, briefs, attempts, texts. */
export function runFolderOf(workspace: string, slug: string): string {
  return join(workspace, '.donewhen', slug);
}

export function keptPlanPath(workspace: string, slug: string, version: number): string {
  return join(runFolderOf(workspace, slug), `plan-${version}.md`);
}

/** The pipeline that a run carries out, as it was started with it. */
export function keptPipelinePath(workspace: string, slug: string): string {
  return join(runFolderOf(workspace, slug), 'pipeline.yaml');
}

/** A text that the run wrote, or its final LEDGER.md. */
export function keptTextPath(workspace: string, slug: string, sha256: string): string {
  return join(runFolderOf(workspace, slug), 'texts', sha256);
}

/** The plan versions that the run's folder has, ascending. */
export function keptVersions(workspace: string, slug: string): number[] {
  try {
    const versions = readdirSync(runFolderOf(workspace, slug)).flatMap((name) => /^plan-(\d+)\.md$/.exec(name)?.[1] ?? []);
    return versions.map(Number).sort((a, b) => a - b);
  } catch {
    return [];
  }
}
