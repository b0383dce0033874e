import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBoundedLog } from '../../../activities/process/bounded-log.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'donewhen-log-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const logged = (bytesMax: number, chunks: string[]) => {
  const file = join(dir, 'log');
  const log = createBoundedLog({ file, bytesMax });
  for (const chunk of chunks) log.write(Buffer.from(chunk));
  const fault = log.close();
  return { text: readFileSync(file, 'utf8'), fault, files: readdirSync(dir) };
};

it('what fits is kept as it came', () => {
  expect(logged(16, ['0123', '4567', '89'])).toEqual({ text: '0123456789', fault: null, files: ['log'] });
});

it('of what does not fit the beginning and the end are kept', () => {
  const all = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0')).join('');
  expect(logged(16, [all])).toEqual({ text: '0001\n[186 bytes are left out here]\n9596979899', fault: null, files: ['log'] });
});

it('the same is kept, however the bytes came', () => {
  const all = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0')).join('');
  const whole = logged(16, [all]).text;
  const single = logged(16, [...all]).text;
  const kept = (text: string) => [text.slice(0, 4), text.slice(-6)];
  expect(kept(single)).toEqual(kept(whole));
});

it('an empty log is an empty file', () => {
  expect(logged(16, [])).toEqual({ text: '', fault: null, files: ['log'] });
});
