import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../activities/files/disk.js';
import { sha256Of, textsOf } from '../../activities/texts.js';
import { crashingDisk, failingDisk, temporaryFolder } from '../support/disks.js';

const TEXT = 'Aktivität → 完了\n';

test('a kept text comes back letter for letter, and keeping it twice is one file', async () => {
  const folder = temporaryFolder();
  const texts = textsOf(createDisk(), { folder });
  const sha256 = await texts.put(TEXT);
  expect(await texts.put(TEXT)).toEqual(sha256);
  expect(await texts.text(sha256)).toEqual(TEXT);
  expect(readdirSync(join(folder, 'texts'))).toEqual([sha256Of(TEXT)]);
});

test('bytes that are no text are kept as they are', async () => {
  const texts = textsOf(createDisk(), { folder: temporaryFolder() });
  const bytes = Buffer.from([0, 255, 128, 10]);
  expect(await texts.bytes(await texts.put(bytes))).toEqual(bytes);
});

test('a kept text that somebody changed is refused by the name of its file (A21)', async () => {
  const folder = temporaryFolder();
  const texts = textsOf(createDisk(), { folder });
  const sha256 = await texts.put(TEXT);
  const path = join(folder, 'texts', sha256);
  writeFileSync(path, 'other\n');
  await expect(texts.text(sha256)).rejects.toMatchObject({
    type: 'DamagedText',
    nonRetryable: false,
    message: `${path} is not what was kept there; put the file back, or start afresh with --again`,
  });
  expect(await texts.has(sha256)).toEqual(false);
});

test('a kept text that is gone, or became a link, is refused by the name of its file', async () => {
  const folder = temporaryFolder();
  const texts = textsOf(createDisk(), { folder });
  const sha256 = await texts.put(TEXT);
  const path = join(folder, 'texts', sha256);
  rmSync(path);
  await expect(texts.text(sha256)).rejects.toMatchObject({ type: 'DamagedText', message: expect.stringContaining(`${path} is gone`) });
  writeFileSync(join(folder, 'elsewhere'), TEXT);
  symlinkSync(join(folder, 'elsewhere'), path);
  await expect(texts.text(sha256)).rejects.toMatchObject({ type: 'DamagedText', message: expect.stringContaining(`${path} is gone`) });
});

test('keeping a text again mends a damaged file', async () => {
  const folder = temporaryFolder();
  const texts = textsOf(createDisk(), { folder });
  const sha256 = await texts.put(TEXT);
  writeFileSync(join(folder, 'texts', sha256), 'other\n');
  await texts.put(TEXT);
  expect(await texts.text(sha256)).toEqual(TEXT);
});

test('a crash at any step of keeping leaves nothing or the whole text, and the next try completes it (B10)', async () => {
  for (const how of ['before', 'torn'] as const) {
    for (let after = 0; ; after += 1) {
      const folder = temporaryFolder();
      const { disk, crashed } = crashingDisk(after, how);
      await textsOf(disk, { folder })
        .put(TEXT)
        .catch(() => undefined);
      const texts = textsOf(createDisk(), { folder });
      const there = await texts.has(sha256Of(TEXT));
      if (there) expect(readFileSync(texts.path(sha256Of(TEXT)), 'utf8')).toEqual(TEXT);
      expect(await texts.text(await texts.put(TEXT))).toEqual(TEXT);
      if (!crashed()) break;
    }
  }
});

test('a full disk is a failure that may be retried and names the file', async () => {
  const folder = temporaryFolder();
  const sha256 = sha256Of(TEXT);
  const path = join(folder, 'texts', sha256);
  const texts = textsOf(failingDisk({ operation: 'create', code: 'ENOSPC' }), { folder });
  await expect(texts.put(TEXT)).rejects.toMatchObject({
    type: 'CannotWrite',
    nonRetryable: false,
    message: `${sha256} cannot be written (${path}): the disk is full; free some space and the run goes on by itself`,
  });
  expect(readdirSync(join(folder, 'texts'))).toEqual([]);
});

test('what is no sha256 never becomes a path', async () => {
  await expect(textsOf(createDisk(), { folder: temporaryFolder() }).text('../../etc/passwd')).rejects.toThrow('not a sha256');
});

test('a text that was cleared away comes back from the spare place, also where it was changed', async () => {
  const folder = temporaryFolder();
  const place = { folder, spare: join(temporaryFolder(), 'texts') };
  const texts = textsOf(createDisk(), place);
  const sha256 = await texts.put(TEXT);
  rmSync(join(folder, 'texts'), { recursive: true });
  expect(await texts.text(sha256)).toEqual(TEXT);
  writeFileSync(join(folder, 'texts', sha256), 'other\n');
  expect(await texts.text(sha256)).toEqual(TEXT);
  expect(readFileSync(join(folder, 'texts', sha256), 'utf8')).toEqual(TEXT);
});

test('a spare place that takes nothing is no reason to fail', async () => {
  const folder = temporaryFolder();
  const texts = textsOf(failingDisk({ operation: 'jot', code: 'ENOSPC' }), { folder, spare: join(folder, 'spare') });
  expect(await texts.text(await texts.put(TEXT))).toEqual(TEXT);
});
