import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './support/sources.js';

const NPM_MS_MAX = 60_000;
/** What the product cannot do without, and nothing of it is found by an import. */
const NEEDED = [
  'dist/client/main.js',
  'dist/workflow-bundle.js',
  'dist/worker/warden.js',
  'docker-compose.yml',
  'docker/Dockerfile',
  'docker/dynamicconfig/donewhen.yaml',
  'docs/interface.md',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'package.json',
];
const FORBIDDEN =
  /^(test|scripts|examples|core|documents|workflows|activities|worker|client|demo-run)\/|^dist\/(test|\.)|\.ts$(?<!\.d\.ts)/;

describe('the published package', () => {
  let paths: string[];

  beforeAll(() => {
    const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: NPM_MS_MAX,
    });
    const answer: unknown = JSON.parse(packed.stdout);
    // Newer versions of npm answer with an object by package name, older ones with a list.
    const [content] = Object.values(answer as Record<string, { files: { path: string }[] }>);
    paths = content?.files.map((file) => file.path) ?? [];
  }, NPM_MS_MAX);

  it('holds everything that it needs when it runs', () => {
    expect(NEEDED.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('holds no tests, no sources and nothing of this machine', () => {
    expect(paths.filter((path) => FORBIDDEN.test(path))).toEqual([]);
  });
});

describe('the lock file', () => {
  it('is one that `npm ci` takes, with every dependency in it', { timeout: NPM_MS_MAX }, () => {
    const options = ['--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status, stderr } = spawnSync('npm', ['ci', ...options], { cwd: ROOT, encoding: 'utf8', timeout: NPM_MS_MAX });
    expect({ status, refused: stderr.includes('EUSAGE') }).toEqual({ status: 0, refused: false });
  });

  it('names no registry: anybody installs from their own', () => {
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http');
  });
});

describe('the workflow bundle', () => {
  const bundle = readFileSync(join(ROOT, 'dist', 'workflow-bundle.js'), 'utf8');
  const [code = '', map = ''] = bundle.split('base64,');

  it('names no path of the machine that built it', () => {
    expect([code, Buffer.from(map, 'base64').toString('utf8')].map((text) => text.includes(ROOT))).toEqual([false, false]);
  });

  it('holds no parser and nothing of Node: texts become values before they get there', () => {
    const modules = [...code.matchAll(/!\*\*\* (\S+) \*\*\*!/g)].map(([, name]) => name ?? '');
    expect(modules.length).toBeGreaterThan(0);
    expect(modules.filter((name) => /node_modules\/(zod|yaml)\/|^node:|\/dist\/(documents|activities|worker|client)\//.test(name))).toEqual(
      [],
    );
  });
});
