import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, ROOT, type Source, type SourceImport, sourcesBelow } from './support/sources.js';

const FILE_LINES_MAX = 250;
const FUNCTION_LINES_MAX = 60;
/** A table of types that is read as a reference, whole: splitting it would only add imports. */
const LONG_FILES = new Set(['core/values.ts']);

const MESSAGES = ['workflows/names', 'workflows/messages'];
const SDK_WORKFLOW = ['@temporalio/workflow', '@temporalio/common'];

interface Folder {
  /** Our own files that it may import; a folder stands for everything in it. Its own files it may always import. */
  own: string[];
  /** Our own files of which it may import types alone. */
  types: string[];
  /** null: any package. */
  packages: string[] | null;
  /** Whether it runs where Node's modules are. */
  node: 'node' | 'pure';
  environment: 'reads' | 'is handed';
}

const FOLDERS: Record<string, Folder> = {
  core: { own: [], types: [], packages: [], node: 'pure', environment: 'is handed' },
  documents: { own: ['core'], types: [], packages: ['zod', 'yaml'], node: 'pure', environment: 'is handed' },
  workflows: { own: ['core'], types: ['activities/interface'], packages: SDK_WORKFLOW, node: 'pure', environment: 'is handed' },
  activities: { own: ['core', 'documents'], types: [], packages: null, node: 'node', environment: 'is handed' },
  worker: { own: ['core', 'documents', 'activities', ...MESSAGES], types: [], packages: null, node: 'node', environment: 'reads' },
  client: {
    own: ['core', 'documents', 'worker', 'activities/observe', 'activities/agents', ...MESSAGES],
    types: ['activities/interface'],
    packages: null,
    node: 'node',
    environment: 'reads',
  },
};

/** Packages that would drag the worker's native module or the sandbox's into the wrong place. */
const FORBIDDEN_PACKAGES: Record<string, string[]> = {
  activities: ['@temporalio/workflow', '@temporalio/client', '@temporalio/worker'],
  worker: ['@temporalio/workflow'],
  client: ['@temporalio/workflow'],
};

const sources = new Map(Object.keys(FOLDERS).map((name) => [name, sourcesBelow(name)]));
const all = [...sources.values()].flat();

function isWithin(path: string, allowed: string[]): boolean {
  return allowed.some((place) => path === place || path.startsWith(`${place}/`));
}

function isAllowed(name: string, folder: Folder, imported: SourceImport): boolean {
  if (imported.own) return isWithin(imported.from, [name, ...folder.own]) || (imported.typeOnly && isWithin(imported.from, folder.types));
  if (imported.from.startsWith('node:')) return folder.node === 'node';
  const forbidden = FORBIDDEN_PACKAGES[name] ?? [];
  return !isWithin(imported.from, forbidden) && (folder.packages === null || isWithin(imported.from, folder.packages));
}

function wrongImports(name: string, folder: Folder): string[] {
  return (sources.get(name) ?? []).flatMap((source: Source) =>
    source.imports
      .filter((imported) => !isAllowed(name, folder, imported))
      .map((imported) => `${source.path}:${imported.line} imports ${imported.typeOnly ? 'types of ' : ''}${imported.from}`),
  );
}

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe('imports point one way', () => {
  for (const [name, folder] of Object.entries(FOLDERS)) {
    it(`${name} imports nothing that it may not`, () => {
      expect(wrongImports(name, folder)).toEqual([]);
    });
  }

  it('the rules see an import that breaks them', () => {
    const zod = { from: 'zod', own: false, typeOnly: false, line: 1 };
    const world = { from: 'activities/dispatch', own: true, typeOnly: true, line: 1 };
    const face = { from: 'activities/interface', own: true, typeOnly: false, line: 1 };
    const workflows = FOLDERS.workflows as Folder;
    expect([zod, world, face, { ...face, typeOnly: true }].map((one) => isAllowed('workflows', workflows, one))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});

it('only the worker and the command read the environment of the process', () => {
  const readers = Object.entries(FOLDERS).filter(([, folder]) => folder.environment === 'is handed');
  const found = readers.flatMap(([name]) => sources.get(name) ?? []);
  expect(found.flatMap((source) => source.environmentReads.map((line) => `${source.path}:${line}`))).toEqual([]);
});

describe('sources stay readable', () => {
  const measured = [...all, ...sourcesBelow('scripts')];

  it(`no file is longer than ${FILE_LINES_MAX} lines`, () => {
    const long = measured.filter((source) => source.lines > FILE_LINES_MAX && !LONG_FILES.has(source.path));
    expect(long.map((source) => `${source.path} has ${source.lines} lines`)).toEqual([]);
  });

  it(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
    const long = measured.flatMap((source) =>
      source.functions
        .filter((one) => one.lines > FUNCTION_LINES_MAX)
        .map((one) => `${source.path}:${one.line} ${one.name} has ${one.lines} lines`),
    );
    expect(long).toEqual([]);
  });
});

describe('ARCHITECTURE.md is the map', () => {
  it('names every folder of the sources, and every folder at the top', () => {
    const map = readText('ARCHITECTURE.md');
    const tracked = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).stdout.split('\0');
    const top = tracked.filter((path) => path.includes('/') && !path.startsWith('.')).map((path) => `${path.split('/')[0]}/`);
    const below = Object.keys(FOLDERS).flatMap((name) => filesBelow(name).map((path) => `${dirname(path)}/`));
    const folders = [...new Set([...top, ...below])].sort();
    expect(folders.filter((folder) => !map.includes(`\`${folder}\``))).toEqual([]);
  });

  it('names only files and folders that are there', () => {
    const named = [...readText('ARCHITECTURE.md').matchAll(/`([\w-]+\/[\w./-]*)`/g)].map(([, path]) => path ?? '');
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('states every invariant, R1 to R20', () => {
    const map = readText('ARCHITECTURE.md');
    const ids = Array.from({ length: 20 }, (_, index) => `**R${index + 1}**`);
    expect(ids.filter((id) => !map.includes(id))).toEqual([]);
  });
});

describe('the SDK', () => {
  const manifest: { dependencies: Record<string, string>; devDependencies: Record<string, string> } = JSON.parse(readText('package.json'));

  it('is pinned to one exact version in all its packages, which must fit each other', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
      .filter(([name]) => name.startsWith('@temporalio/'))
      .map(([, version]) => version);
    expect([...new Set(versions)].filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(new Set(versions).size).toBe(1);
  });

  it('shares one copy of protobufjs 8: with two, kept histories cannot be replayed', () => {
    const resolved = ['@temporalio/common', '@temporalio/proto', '@temporalio/worker'].map((name) => {
      const from = createRequire(createRequire(import.meta.url).resolve(`${name}/package.json`));
      return from.resolve('protobufjs/package.json');
    });
    const copies = [...new Set(resolved)];
    const versions = copies.map((path) => JSON.parse(readFileSync(path, 'utf8')).version.split('.')[0]);
    expect(versions).toEqual(['8']);
  });
});
