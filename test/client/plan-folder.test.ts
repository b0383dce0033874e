import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readPlanFolder } from '../../client/plan-folder.js';
import { folderWith, planText, taskText } from './support/folders.js';

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const plan = planText(taskText('T1'));

describe('what cannot be a plan is said in one line', () => {
  const refused = (files: Record<string, string | Buffer>, path = '.') => {
    folder = folderWith(files);
    try {
      readPlanFolder(path, {}, folder);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message.replaceAll(folder, 'HERE') : String(error);
    }
  };

  it.each([
    ['a missing folder', {}, 'nowhere', 'nowhere does not exist: name a folder with a PLAN.md, or the file'],
    [
      'a folder without one',
      { 'README.md': 'x' },
      '.',
      '. has no PLAN.md: name a folder that has one, or let `donewhen init` write a first one',
    ],
    ['an empty file', { 'PLAN.md': ' \n' }, '.', 'HERE/PLAN.md:1: PLAN.md is empty'],
    ['a binary file', { 'PLAN.md': Buffer.from([0x23, 0x20, 0x00, 0x01]) }, '.', 'HERE/PLAN.md is not a text: it holds NUL bytes'],
    ['another encoding', { 'PLAN.md': Buffer.from([0x23, 0x20, 0xe9, 0x0a]) }, '.', 'HERE/PLAN.md is not UTF-8: save it in that encoding'],
    ['UTF-16', { 'PLAN.md': Buffer.from('\ufeff# PLAN: x', 'utf16le') }, '.', 'HERE/PLAN.md is not a text: it holds NUL bytes'],
    [
      '10 MB',
      { 'PLAN.md': Buffer.alloc(10_000_000, 'a') },
      '.',
      'HERE/PLAN.md has 10000000 bytes, more than the 1048576 that a PLAN.md may have',
    ],
  ])('%s', (_what, files, path, message) => {
    expect(refused(files, path)).toEqual(message);
  });

  it('a directory that is called PLAN.md', () => {
    folder = folderWith({ 'PLAN.md/x': '' });
    expect(() => readPlanFolder('.', {}, folder)).toThrow(`${folder}/PLAN.md is a directory, not a text file`);
  });

  it('a named pipe is refused, not waited for', () => {
    folder = folderWith({});
    execFileSync('mkfifo', [join(folder, 'PLAN.md')]);
    expect(() => readPlanFolder('.', {}, folder)).toThrow(`${folder}/PLAN.md is not a regular file`);
  });

  it('a workspace that is not there', () => {
    folder = folderWith({ 'PLAN.md': plan });
    expect(() => readPlanFolder('.', { workspace: 'nowhere' }, folder)).toThrow('--workspace nowhere does not exist');
  });
});

describe('where things are', () => {
  it('outside of git the workspace is the folder of the plan', () => {
    folder = folderWith({ 'PLAN.md': plan, 'LEDGER.md': '# LEDGER: demo\n', 'donewhen.yaml': 'agents: {}\n' });
    expect(readPlanFolder('PLAN.md', {}, folder)).toEqual({
      planFile: join(folder, 'PLAN.md'),
      folder,
      out: folder,
      workspace: folder,
      plan,
      ledger: '# LEDGER: demo\n',
      config: 'agents: {}\n',
    });
  });

  it('inside of git it is the top level, and the record stays beside the plan', () => {
    folder = folderWith({ '.git/HEAD': '', 'plans/x/PLAN.md': plan });
    expect(readPlanFolder('plans/x', {}, folder)).toMatchObject({
      folder: join(folder, 'plans/x'),
      out: join(folder, 'plans/x'),
      workspace: folder,
    });
  });

  it('a linked work tree is a top level, too', () => {
    folder = folderWith({ '.git': 'gitdir: elsewhere\n', 'PLAN.md': plan });
    expect(readPlanFolder('.', {}, folder)).toMatchObject({ workspace: folder });
  });

  it('links are followed, so that one folder is one folder (F07)', () => {
    folder = folderWith({ 'real/PLAN.md': plan });
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    expect(readPlanFolder('link', {}, folder)).toMatchObject({ folder: join(folder, 'real'), workspace: join(folder, 'real') });
  });

  it('--workspace and --out win', () => {
    folder = folderWith({ 'p/PLAN.md': plan, 'w/donewhen.yaml': 'agents: {}\n' });
    expect(readPlanFolder('p', { workspace: 'w', out: 'o' }, folder)).toMatchObject({
      workspace: join(folder, 'w'),
      out: join(folder, 'o'),
      config: 'agents: {}\n',
      ledger: null,
    });
  });

  it('with --out, a plan that was replanned is the one beside its ledger', () => {
    folder = folderWith({ 'p/PLAN.md': plan, 'o/PLAN.md': plan.replace('version: 1', 'version: 2'), 'o/LEDGER.md': '# LEDGER: demo\n' });
    expect(readPlanFolder('p', { out: 'o' }, folder)).toMatchObject({
      planFile: join(folder, 'o/PLAN.md'),
      plan: plan.replace('version: 1', 'version: 2'),
    });
  });

  it('a byte order mark is no part of the text', () => {
    folder = folderWith({ 'PLAN.md': `\ufeff${plan}` });
    expect(readPlanFolder('.', {}, folder).plan).toEqual(plan);
  });

  it('a plan may have another name', () => {
    folder = folderWith({ 'PLAN.md': plan, 'other.md': 'x' });
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'sub', 'next.md'), plan);
    expect(readPlanFolder('sub/next.md', {}, folder)).toMatchObject({ planFile: join(folder, 'sub/next.md'), folder: join(folder, 'sub') });
  });
});
