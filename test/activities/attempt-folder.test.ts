import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attemptPath, setEarlierAside, wasAttempted } from '../../activities/attempt-folder.js';
import { claimToken, readOutcome, writeOutcome } from '../../activities/process/attempt-files.js';
import { ownIdentity } from '../../activities/process/identity.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'donewhen-attempts-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An attempt of T1 that ended; its supervisor is this process, or one that is gone. */
function attempted(start: string): void {
  const dir = join(folder, attemptPath('T1#1.1'));
  mkdirSync(dir, { recursive: true });
  const supervisor = { ...ownIdentity(), start };
  claimToken(dir, { token: 'T1#1.1', supervisor, socket: '/nowhere', mark: 'm', startedAt: 1, timeoutMs: 1 });
  writeOutcome(dir, { token: 'T1#1.1', end: { is: 'exited', code: 0 }, startedAt: 1, endedAt: 2, bytes: 0, sha256: 'x' });
}

describe('attempts of a run before this one', () => {
  it('answer for nothing any more, and are still known to have been made (A18)', () => {
    attempted('long ago');
    setEarlierAside(folder, 7);
    expect(readOutcome(join(folder, attemptPath('T1#1.1')))).toBeNull();
    expect({ attempted: wasAttempted(folder, 'T1'), other: wasAttempted(folder, 'T2'), names: readdirSync(folder) }).toEqual({
      attempted: true,
      other: false,
      names: ['attempts-before-7'],
    });
  });

  it('stay where somebody still carries one out', () => {
    attempted(ownIdentity().start);
    setEarlierAside(folder, 7);
    expect(existsSync(join(folder, attemptPath('T1#1.1')))).toBe(true);
  });

  it('that are not there are no fault', () => {
    setEarlierAside(folder, 7);
    expect(readdirSync(folder)).toEqual([]);
  });
});
