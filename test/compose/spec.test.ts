import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/sources.js';

const BUILD_MS_MAX = 300_000;
const CHECK_MS_MAX = 30_000;

const hasGo = spawnSync('go', ['version']).status === 0;
const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

/** Each breaks the file in one way, and says a word that the refusal must hold. */
const FAULTS = [
  { fault: 'a key that the specification does not have', from: 'stop_grace_period:', to: 'stop_grace:', says: 'worker' },
  { fault: 'a condition that does not exist', from: 'service_completed_successfully', to: 'service_completed', says: 'condition' },
  { fault: 'a service that is waited for and not defined', from: '      init:\n', to: '      nobody:\n', says: 'nobody' },
  { fault: 'a volume that is used and not defined', from: '- home:/', to: '- house:/', says: 'house' },
  { fault: 'text that is no YAML', from: 'services:', to: 'services: [', says: 'yaml' },
];

describe.skipIf(!hasGo)('docker-compose.yml, held against the compose specification (needs go)', () => {
  let folder: string;
  let checker: string;

  function check(content: string) {
    const file = join(folder, 'docker-compose.yml');
    writeFileSync(file, content);
    const { status, stderr } = spawnSync(checker, [file], { encoding: 'utf8', timeout: CHECK_MS_MAX });
    return { status, stderr };
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'donewhen-compose-'));
    checker = join(folder, 'composecheck');
    const built = spawnSync('go', ['build', '-o', checker, '.'], {
      cwd: join(ROOT, 'test', 'compose'),
      encoding: 'utf8',
      timeout: BUILD_MS_MAX,
    });
    if (built.status !== 0) throw new Error(`go build: ${built.stderr}`);
  }, BUILD_MS_MAX);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is accepted', () => {
    expect(check(text)).toEqual({ status: 0, stderr: '' });
  });

  for (const { fault, from, to, says } of FAULTS) {
    it(`would be refused with ${fault}`, () => {
      expect(text).toContain(from);
      const refused = check(text.replace(from, to));
      expect({ status: refused.status, says: refused.stderr.includes(says) }).toEqual({ status: 1, says: true });
    });
  }
});
