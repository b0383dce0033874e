import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDisk } from '../../../activities/files/disk.js';
import type { Place } from '../../../activities/interface.js';
import { openAside } from '../../../activities/record/aside.js';
import { endingOf, grow, rewrite } from '../../../activities/record/ledger-file.js';
import { crashingDisk, failingDisk, temporaryFolder } from '../../support/disks.js';

const OLD = `# LEDGER: x\n${'\n## T1 — One  [done]\nGate: plan holds\n'.repeat(200)}`;
const MORE = '\n## T2 — Two  [done]\nGate: plan holds\n';

function placeIn(workspace: string): Place {
  const folder = join(workspace, '.donewhen', 'x');
  mkdirSync(folder, { recursive: true });
  return {
    slug: 'x',
    workflowId: 'donewhen-x',
    workspace,
    out: workspace,
    folder,
    configSha256: '',
    specSha256: null,
    pinned: [],
    host: 'h',
  };
}

describe('growing', () => {
  test('a file that ends as we left it grows, and its new end is told', async () => {
    const path = join(temporaryFolder(), 'LEDGER.md');
    writeFileSync(path, OLD);
    expect(await grow(createDisk(), path, endingOf(OLD), () => MORE)).toEqual({ ...endingOf(OLD + MORE), added: Buffer.from(MORE) });
    expect(readFileSync(path, 'utf8')).toEqual(OLD + MORE);
  });

  test('a torn growth of our own is completed, wherever it was torn, also where a power cut left zeros', async () => {
    const path = join(temporaryFolder(), 'LEDGER.md');
    for (let there = 0; there <= Buffer.byteLength(MORE); there += 1) {
      for (const zeros of [0, Buffer.byteLength(MORE) - there]) {
        writeFileSync(path, Buffer.concat([Buffer.from(OLD), Buffer.from(MORE).subarray(0, there), Buffer.alloc(zeros)]));
        expect(await grow(createDisk(), path, endingOf(OLD), () => MORE)).toEqual({ ...endingOf(OLD + MORE), added: Buffer.from(MORE) });
        expect(readFileSync(path, 'utf8')).toEqual(OLD + MORE);
      }
    }
  });

  test.each([
    ['is gone', null],
    ['was cut', OLD.slice(0, -1)],
    ['has another end', `${OLD.slice(0, -3)}xx\n`],
    ['has something behind its end', `${OLD}x`],
    ['has more behind its end than we would write', `${OLD}${MORE}x`],
  ])('a file that %s is not touched', async (_title, content) => {
    const folder = temporaryFolder();
    const path = join(folder, 'LEDGER.md');
    if (content !== null) writeFileSync(path, content);
    expect(await grow(createDisk(), path, endingOf(OLD), () => MORE)).toEqual(null);
    expect(content === null ? readdirSync(folder) : readFileSync(path, 'utf8')).toEqual(content ?? []);
  });

  test('a full disk leaves the file as it was and says so', async () => {
    const path = join(temporaryFolder(), 'LEDGER.md');
    writeFileSync(path, OLD);
    const disk = failingDisk({ operation: 'append', code: 'ENOSPC' });
    await expect(grow(disk, path, endingOf(OLD), () => MORE)).rejects.toMatchObject({
      type: 'CannotWrite',
      nonRetryable: false,
      message: `LEDGER.md cannot be written (${path}): the disk is full; free some space and the run goes on by itself`,
    });
    expect(readFileSync(path, 'utf8')).toEqual(OLD);
  });
});

describe('writing whole', () => {
  test('our own text is replaced without a trace', async () => {
    const place = placeIn(temporaryFolder());
    const path = join(place.out, 'LEDGER.md');
    writeFileSync(path, OLD);
    const aside = await openAside(createDisk(), place, 'w');
    expect(await rewrite(createDisk(), path, { old: OLD, next: OLD + MORE }, aside)).toEqual(endingOf(OLD + MORE));
    expect(readFileSync(path, 'utf8')).toEqual(OLD + MORE);
    expect(readdirSync(place.out).sort()).toEqual(['.donewhen', 'LEDGER.md']);
    expect(aside.names()).toEqual([]);
  });

  test('a read-only disk leaves the old file whole and names it', async () => {
    const place = placeIn(temporaryFolder());
    const path = join(place.out, 'LEDGER.md');
    writeFileSync(path, OLD);
    const disk = failingDisk({ operation: 'create', code: 'EROFS' });
    const aside = await openAside(disk, place, 'w');
    await expect(rewrite(disk, path, { old: OLD, next: OLD + MORE }, aside)).rejects.toMatchObject({
      type: 'CannotWrite',
      message: expect.stringContaining(`(${path}): the disk is read-only`),
    });
    expect(readFileSync(path, 'utf8')).toEqual(OLD);
  });

  test('what somebody else wrote is saved beside first, whatever dies in between, and named by every try (R17)', async () => {
    for (let after = 0; ; after += 1) {
      const place = placeIn(temporaryFolder());
      const path = join(place.out, 'LEDGER.md');
      writeFileSync(path, 'mine now\n');
      const { disk, crashed } = crashingDisk(after);
      const write = async (on: typeof disk) => {
        const aside = await openAside(on, place, 'w');
        await rewrite(on, path, { old: OLD, next: OLD + MORE }, aside);
        return aside.names();
      };
      await write(disk).catch(() => undefined);
      const names = await write(createDisk());
      expect(names).toEqual([expect.stringMatching(/^LEDGER\.found-\d{8}T\d{6}Z\.md$/)]);
      expect(readFileSync(join(place.out, names[0] ?? ''), 'utf8')).toEqual('mine now\n');
      expect(readFileSync(path, 'utf8')).toEqual(OLD + MORE);
      if (!crashed()) break;
    }
  });

  test('a folder or a link in the place of the file is moved beside, and where the link led is not touched (F05)', async () => {
    const place = placeIn(temporaryFolder());
    const elsewhere = join(temporaryFolder(), 'elsewhere');
    writeFileSync(elsewhere, 'keep me\n');
    const { symlinkSync } = await import('node:fs');
    symlinkSync(elsewhere, join(place.out, 'LEDGER.md'));
    mkdirSync(join(place.out, 'PLAN.md'));
    const aside = await openAside(createDisk(), place, 'w');
    await rewrite(createDisk(), join(place.out, 'LEDGER.md'), { old: OLD, next: OLD }, aside);
    await rewrite(createDisk(), join(place.out, 'PLAN.md'), { old: null, next: 'plan\n' }, aside);
    expect(readFileSync(elsewhere, 'utf8')).toEqual('keep me\n');
    expect(readFileSync(join(place.out, 'LEDGER.md'), 'utf8')).toEqual(OLD);
    expect(readFileSync(join(place.out, 'PLAN.md'), 'utf8')).toEqual('plan\n');
    expect(aside.names()).toEqual([expect.stringMatching(/^LEDGER\.found-/), expect.stringMatching(/^PLAN\.found-/)]);
  });

  test('two different files found at one time get two names', async () => {
    const place = placeIn(temporaryFolder());
    const path = join(place.out, 'LEDGER.md');
    const { utimesSync } = await import('node:fs');
    for (const content of ['one\n', 'two\n', 'one\n']) {
      writeFileSync(path, content);
      utimesSync(path, 1_700_000_000, 1_700_000_000);
      await rewrite(createDisk(), path, { old: OLD, next: OLD }, await openAside(createDisk(), place, content));
    }
    const names = readdirSync(place.out)
      .filter((name) => name.includes('found'))
      .sort();
    expect(names).toEqual(['LEDGER.found-20231114T221320Z-2.md', 'LEDGER.found-20231114T221320Z.md']);
    expect(names.map((name) => readFileSync(join(place.out, name), 'utf8'))).toEqual(['two\n', 'one\n']);
  });

  test('what a writer that died left beside is removed', async () => {
    const place = placeIn(temporaryFolder());
    writeFileSync(join(place.out, '.LEDGER.md.4194300-0123abcd-1.tmp'), 'half');
    await rewrite(createDisk(), join(place.out, 'LEDGER.md'), { old: null, next: OLD }, await openAside(createDisk(), place, 'w'));
    expect(readdirSync(place.out).sort()).toEqual(['.donewhen', 'LEDGER.md']);
  });
});
