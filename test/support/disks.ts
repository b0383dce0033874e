import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDisk, type Disk } from '../../activities/files/disk.js';

/** A folder of its own for one test, by its real path. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'donewhen-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The process ended here. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

const CHANGES = ['create', 'append', 'cut', 'rename', 'link', 'remove', 'sync', 'makeFolder', 'jot'] as const;
type Change = (typeof CHANGES)[number];

const isChange = (name: string): name is Change => (CHANGES as readonly string[]).includes(name);

/**
 * The real disk, until `after` changes were made: then the next one does not happen, or happens half where it writes, and
 * nothing happens any more. `changes` counts what was made.
 */
export function crashingDisk(after: number, how: 'before' | 'torn' = 'before'): { disk: Disk; crashed: () => boolean } {
  const real = createDisk();
  let changes = 0;
  let crashed = false;
  const disk = new Proxy(real, {
    get(target, name: keyof Disk) {
      const operation = target[name] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        if (crashed) throw new Crash(name);
        if (isChange(name)) {
          if (changes === after) {
            crashed = true;
            const content = args[1];
            if (how === 'torn' && (name === 'create' || name === 'append') && content instanceof Uint8Array) {
              await operation(args[0], content.subarray(0, Math.floor(content.length / 2)));
            }
            throw new Crash(name);
          }
          changes += 1;
        }
        return operation(...args);
      };
    },
  });
  return { disk, crashed: () => crashed };
}

/** The real disk with one fault of the operating system in one operation; a failing append takes half of its bytes. */
export function failingDisk(fault: { operation: Change; code: string; path?: (path: string) => boolean }): Disk {
  const real = createDisk();
  return new Proxy(real, {
    get(target, name: keyof Disk) {
      const operation = target[name] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        if (name === fault.operation && (fault.path === undefined || fault.path(String(args[0])))) {
          const content = args[1];
          if (name === 'append' && content instanceof Uint8Array)
            await operation(args[0], content.subarray(0, Math.floor(content.length / 2)));
          throw Object.assign(new Error(fault.code), { code: fault.code });
        }
        return operation(...args);
      };
    },
  });
}
