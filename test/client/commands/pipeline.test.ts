import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPipelineCommand } from '../../../client/commands/check-pipeline.js';
import { resolveCommand } from '../../../client/commands/resolve.js';
import { type RunOptions, runCommand } from '../../../client/commands/run.js';
import type { UserError } from '../../../client/errors.js';
import { type FakeService, fakeService, fakeWorld, HOST, heard, info } from '../support/fake-world.js';
import { CONFIG, folderWith } from '../support/folders.js';
import { entryDocument, runDocument } from '../support/run-documents.js';

const FILE = 'okr.yml';
const PIPELINE = `pipeline: okr
goal: The documents are there.
steps:
  - step: 1
    agent: writer
    promptFile: prompts/srs.md
  - step: 2
    agent: mender
    optional: true
    prompt: Mend it.
  - step: 3
    agent: reviewer
    prompt: Review it.
    performer: mine
    gate: review
    fix: 2
`;
const PROMPT = 'Write it.\n';

let folder = '';
beforeEach(() => {
  folder = folderWith({ [FILE]: PIPELINE, 'prompts/srs.md': PROMPT, 'donewhen.yaml': CONFIG });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clean = (text: string) => text.replaceAll(folder, 'HERE');
const pipelineFile = () => join(folder, FILE);
const memo = () => ({ host: HOST, folder, out: folder, workspace: folder, planFile: pipelineFile(), planSha256: null });

async function run(fake: FakeService, options: Partial<RunOptions> = {}) {
  const subject = { is: 'pipeline', path: FILE } as const;
  return runCommand(subject, { json: false, again: false, allowDirty: false, ...options }, heard({ cwd: folder }), fakeWorld(fake)).catch(
    ({ exitCode, message }: UserError) => ({ exitCode, message: clean(message) }),
  );
}

async function check(fake: FakeService) {
  const io = heard({ cwd: folder });
  const exit = await checkPipelineCommand(FILE, { json: false, dryRun: false, strict: false }, io, fakeWorld(fake));
  return { exit, last: clean(io.said.out).trimEnd().split('\n').at(-1), err: clean(io.said.err) };
}

describe('run --pipeline', () => {
  it('starts with the texts of the pipeline and its prompts, and says where it lies', async () => {
    const fake = fakeService({ ended: { is: 'closed', state: runDocument({ phase: 'closed', outcome: 'PARTIAL' }) } });
    await run(fake, { from: '3' });
    expect(fake.started).toMatchObject([
      {
        slug: 'okr',
        type: 'runPipeline',
        taskQueue: 'donewhen-run-okr',
        input: { pipeline: PIPELINE, files: { 'prompts/srs.md': PROMPT }, pipelineFile: pipelineFile(), from: '3', out: folder },
        memo: { folder, planFile: pipelineFile(), from: '3' },
      },
    ]);
  });

  it.each([
    [{ from: '9' }, '--from 9: the pipeline has no such step that runs in order; there are 1, 3'],
    [{ only: '2' }, '--only 2: the pipeline has no such step that runs in order; there are 1, 3'],
  ])('refuses a part that begins nowhere before a server is asked: %j', async (range, message) => {
    const fake = fakeService();
    expect([await run(fake, range), fake.did]).toEqual([{ exitCode: 2, message }, []]);
  });
});

describe('resolve of a closed pipeline', () => {
  const exhausted = { gate: 'replan exhausted', blocker: 'gate-S3-exhausted', note: 'not approved after 5 rounds' };
  const state = () => runDocument({ phase: 'closed', outcome: 'BLOCKED', ledger: [entryDocument(1, 'S3', { gates: [exhausted] })] });
  const closed = () => info({ slug: 'okr', type: 'runPipeline', status: 'completed', memo: { ...memo(), only: '3' } });
  const options = { json: false, resolution: 'written by hand', by: 'ana' };

  async function resolve(fake: FakeService, blocker: string) {
    const io = heard();
    return resolveCommand('okr', blocker, options, io, fakeWorld(fake)).catch(({ exitCode, message }: UserError) => ({
      exitCode,
      message,
    }));
  }

  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    folder = folderWith({ [FILE]: PIPELINE, 'prompts/srs.md': PROMPT, 'donewhen.yaml': CONFIG, 'LEDGER.md': '# LEDGER: okr\n\n' });
  });

  it.each(['gate-S3-exhausted', 'S3'])('by the name %s begins it again from its record, with the same part of it', async (blocker) => {
    const fake = fakeService({ runs: [closed()], ended: { is: 'closed', state: state() } });
    expect(await resolve(fake, blocker)).toBe(0);
    expect(fake.started).toMatchObject([{ type: 'runPipeline', input: { pipeline: PIPELINE, only: '3', ledger: '# LEDGER: okr\n\n' } }]);
  });

  it('by another name is refused, and the right one said', async () => {
    const fake = fakeService({ runs: [closed()], ended: { is: 'closed', state: state() } });
    expect(await resolve(fake, 'no-key')).toEqual({ exitCode: 2, message: 'run okr has no open blocker no-key; open: gate-S3-exhausted' });
  });
});

describe('check of a pipeline says what run would find', () => {
  it('a new run', async () => {
    expect(await check(fakeService())).toMatchObject({ exit: 0, last: '`donewhen run` would find: new run okr' });
  });

  it('what is not committed', async () => {
    expect(await check(fakeService({ uncommitted: 'HERE has changes' }))).toMatchObject({
      exit: 0,
      last: '`donewhen run` would refuse a new run: HERE has changes',
    });
  });

  it('and which steps nobody but their agents will have seen done', async () => {
    const words = 'is done on its answer alone: give it an artifact, a check or a requirement that code can look at';
    expect((await check(fakeService())).err.split('\n').filter((line) => line.startsWith(FILE))).toEqual([
      `${FILE}: warning: step 1 ${words}`,
      `${FILE}: warning: step 2 ${words}`,
    ]);
  });

  it('the record of something else', async () => {
    rmSync(folder, { recursive: true, force: true });
    folder = folderWith({ [FILE]: PIPELINE, 'prompts/srs.md': PROMPT, 'donewhen.yaml': CONFIG, 'LEDGER.md': '# LEDGER: payments\n\n' });
    expect(await check(fakeService())).toMatchObject({
      exit: 2,
      err: expect.stringContaining('LEDGER.md:1 is the ledger of another plan, "payments", not of okr: move it away,'),
    });
  });
});
