import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { attemptPath } from './attempt-folder.js';
import type { AgentPorts } from './dispatch-ports.js';
import type { Place } from './interface.js';
import type { LookContext } from './observe/context.js';
import { oursIn } from './observe/ours.js';
import { keepBefore, seenOfReader } from './observe/reader.js';
import type { AskAgent } from './ports.js';
import type { Supervisor } from './process/client.js';

const GIT_MS_MAX = 60_000;

export interface ReaderPorts extends Pick<AgentPorts, 'environment'> {
  run: Supervisor['run'];
  /** Whether nobody else may write meanwhile: what somebody else changed must not be set aside. */
  isAlone(place: Place, planSha256: string | null): Promise<boolean>;
}

/** Asks roles that only read: what one wrote all the same is said, and set aside. */
export function askingReaders(ask: AskAgent, ports: ReaderPorts): AskAgent {
  return async (asked) => {
    const { place, role, token, planSha256 } = asked;
    if (!(await ports.isAlone(place, planSha256))) return ask(asked);
    const watched = { place, dir: join(place.folder, attemptPath(token)), role };
    const context = await readingContext(place, ports);
    mkdirSync(watched.dir, { recursive: true });
    await keepBefore(watched, context);
    const said = await ask(asked);
    const deviation = await seenOfReader(watched, context);
    return deviation === null ? said : { ...said, deviation };
  };
}

/** For git alone. */
export async function readingContext(place: Place, ports: Pick<ReaderPorts, 'environment' | 'run'>): Promise<LookContext> {
  return {
    ...(await ports.environment(place)),
    workspace: place.workspace,
    run: (command) => ports.run(command),
    timeoutMs: GIT_MS_MAX,
    ours: oursIn(
      place,
      place.pinned.map((pin) => join(place.workspace, pin.path)),
    ),
    signal: new AbortController().signal,
  };
}
