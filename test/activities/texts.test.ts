import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../activities/files/disk.js';
import { sha256Of, textsIn } from '../../activities/texts.js';
import { crashingDisk, failingDisk, temporaryFolder } from '../support/disks.js';

const TEXT = 'Aktivität → 完了\n';

test('a kept text comes back letter for letter, and keeping it twice is one file', async () => {
  const folder = temporaryFolder();
  const texts = textsIn(createDisk(), folder);
  const sha256 = await texts.put(TEXT);
  expect(await texts.put(TEXT)).toEqual(sha256);
  expect(await texts.text(sha256)).toEqual(TEXT);
  expect(readdirSync(join(folder, 'texts'))).toEqual([sha256Of(TEXT)]);
});

test('bytes that are no text are kept as they are', async () => {
  const texts = textsIn(createDisk(), temporaryFolder());
  const bytes = Buffer.from([0, 255, 128, 10]);
  expect(await texts.bytes(await texts.put(bytes))).toEqual(bytes);
});

test('a kept text that somebody changed is refused by the name of its file (A21)', async () => {
  const folder = temporaryFolder();
  const texts = textsIn(createDisk(), folder);
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
  const texts = textsIn(createDisk(), folder);
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
  const texts = textsIn(createDisk(), folder);
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
      await textsIn(disk, folder)
        .put(TEXT)
        .catch(() => undefined);
      const texts = textsIn(createDisk(), folder);
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
  const texts = textsIn(failingDisk({ operation: 'create', code: 'ENOSPC' }), folder);
  await expect(texts.put(TEXT)).rejects.toMatchObject({
    type: 'CannotWrite',
    nonRetryable: false,
    message: `${sha256} cannot be written (${path}): the disk is full; free some space and the run goes on by itself`,
  });
  expect(readdirSync(join(folder, 'texts'))).toEqual([]);
});

test('what is no sha256 never becomes a path', async () => {
  await expect(textsIn(createDisk(), temporaryFolder()).text('../../etc/passwd')).rejects.toThrow('not a sha256');
});
