import { parseLedger } from '../documents/ledger.js';

/** A file or folder that a step delivered, with the hash under which it was accepted last. */
export interface RecordedArtifact {
  /** Relative to the workspace. */
  path: string;
  sha256: string;
  task: string;
}

/** What the steps of a pipeline delivered, each path once: of what was written over later, the last that was accepted. */
export function recordedArtifacts(ledger: string, file: string): RecordedArtifact[] {
  const found = new Map<string, RecordedArtifact>();
  for (const { task, status, delivery } of parseLedger(ledger, { file }).ledger.entries) {
    if (status !== 'done') continue;
    for (const { path, sha256 } of delivery?.artifacts ?? []) found.set(path, { path, sha256, task });
  }
  return [...found.values()];
}
