import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lookByHttp } from '../../../activities/observe/http.js';
import { differsOnlyByCase } from '../../../activities/observe/inside.js';
import { lookAt } from '../../../activities/observe/look.js';
import { oursIn } from '../../../activities/observe/ours.js';
import { openSite, type Site, sharedSupervisor } from '../../support/looks.js';

const supervisor = sharedSupervisor();
let site: Site;
beforeEach(() => {
  site = openSite(supervisor);
});
afterEach(() => site.leave());
afterAll(() => supervisor.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const look = (check: string, more = {}) => lookAt(check, { ...site.context, ...more });
/** What was seen in short: `disproved: exit 1`. */
const seen = async (check: string, more = {}) => {
  const found = await look(check, more);
  return found === null ? 'asks a person' : `${found.is}: ${found.saw}`;
};

describe('run', () => {
  it('brings its result, its words, the end of its output and the hash of all of it', async () => {
    expect(await look('run: echo fine; exit 1')).toEqual({
      check: 'run: echo fine; exit 1',
      is: 'disproved',
      saw: 'exit 1',
      mark: expect.stringMatching(/^[0-9a-f]{4}$/),
      excerpt: 'fine',
      sha256: sha256('fine\n'),
    });
    expect(await look('run: echo fine')).toEqual({
      check: 'run: echo fine',
      is: 'holds',
      saw: 'exit 0',
      excerpt: 'fine',
      sha256: sha256('fine\n'),
    });
  });

  it('holds when it ends as it was expected to', async () => {
    expect([
      await seen('run: true'),
      await seen('run: exit 3 => exit 3'),
      await seen('run: true => exit 3'),
      await seen('run: echo one two => prints "one two"'),
      await seen('run: echo one >&2 => prints "one"'),
      await seen('run: echo other => prints "one"'),
      await seen('run: echo one; exit 2 => prints "one"'),
    ]).toEqual([
      'holds: exit 0',
      'holds: exit 3',
      'disproved: exit 0',
      'holds: exit 0, prints "one two"',
      'holds: exit 0, prints "one"',
      'disproved: exit 0, does not print "one"',
      'disproved: exit 2',
    ]);
  });

  it('is disproved where the command is not there or may not be run', async () => {
    site.write('plain', 'x');
    expect([await seen('run: no-such-command-anywhere'), await seen('run: ./plain')]).toEqual([
      'disproved: exit 127',
      'disproved: exit 126',
    ]);
  });

  it('says nothing when it was killed or its time ran out', async () => {
    expect([await seen('run: kill -KILL $$'), await seen('run: sleep 60', { timeoutMs: 200 })]).toEqual([
      'unobservable: killed by SIGKILL',
      'unobservable: its time ran out after 200 ms',
    ]);
  });

  it('shows no secret in what it saw (L01, L06)', async () => {
    const shown = await look('run: echo my hunter2-forever key; exit 1', { secrets: ['hunter2-forever'] });
    expect(shown?.excerpt).toBe('my [secret] key');
    expect(JSON.stringify(shown).split('hunter2').length).toBe(2); // In the check itself, which is the plan's own text.
  });

  it('shows at most the last 500 characters, without colours', async () => {
    const shown = await look('run: seq 1000; printf "\\033[31mred\\033[0m\\n"; exit 1');
    expect([shown?.excerpt?.length, shown?.excerpt?.endsWith('1000\nred')]).toEqual([500, true]);
  });
});

describe('the mark of a failure', () => {
  const marks = async (...commands: string[]) =>
    Promise.all(commands.map(async (command) => (await look(`run: ${command}; exit 1`))?.mark));

  it('is the same where only times, durations and paths differ', async () => {
    const [one, two] = await marks(
      `echo 'failed at 2026-11-30T21:00:01Z in /home/ana/project/src/a.js:3:4 after 12.5 ms (duration_ms 3.25)'`,
      `echo 'failed at 2026-12-01T09:30:59Z in /tmp/x/src/a.js:7:1 after 7 ms (duration_ms 4)'`,
    );
    expect(one).toBe(two);
  });

  it('is another where numbers or words differ', async () => {
    const all = await marks('echo 2 of 7 tests failed', 'echo 3 of 7 tests failed', 'echo 2 of 7 tests broke');
    expect(new Set(all).size).toBe(3);
  });
});

describe('file', () => {
  it('is there when it is a regular file with something in it', async () => {
    site.write('a.txt', 'hello');
    expect(await look('file: a.txt')).toEqual({ check: 'file: a.txt', is: 'holds', saw: 'there, 5 bytes', sha256: sha256('hello') });
  });

  it('is not there when it is absent, empty, a folder, or a link to nowhere (E19, F10)', async () => {
    site.write('empty', '');
    mkdirSync(join(site.workspace, 'folder'));
    symlinkSync('nowhere', join(site.workspace, 'dangling'));
    symlinkSync('loop', join(site.workspace, 'loop'));
    expect(
      await Promise.all(['absent', 'empty', 'folder', 'dangling', 'loop', 'a/b/c', 'empty/below'].map((path) => seen(`file: ${path}`))),
    ).toEqual([
      'disproved: absent',
      'disproved: empty',
      'disproved: a folder, not a regular file',
      'disproved: absent',
      'disproved: absent',
      'disproved: absent',
      'disproved: absent',
    ]);
  });

  it('never counts when it leads out of the workspace (F05, F10)', async () => {
    symlinkSync('/etc/passwd', join(site.workspace, 'link'));
    symlinkSync('/etc', join(site.workspace, 'etc'));
    expect(await Promise.all(['link', 'etc/passwd', '../../../../etc/passwd', '/etc/passwd'].map((path) => seen(`file: ${path}`)))).toEqual(
      [
        'disproved: leaves the workspace',
        'disproved: leaves the workspace',
        'unobservable: this check cannot be read',
        'unobservable: this check cannot be read',
      ],
    );
  });

  it('through a link inside the workspace is there', async () => {
    site.write('real/a.txt', 'hello');
    symlinkSync('real', join(site.workspace, 'short'));
    expect(await seen('file: short/a.txt')).toBe('holds: there, 5 bytes');
  });

  it('is looked for by a pattern, and by a name that looks like one', async () => {
    site.write('docs/srs-1.md', 'one');
    site.write('docs/srs-2.md', 'two');
    site.write('docs/srs-3.txt', 'three');
    site.write('empty/srs-1.md', '');
    site.write('app/[id]/page.tsx', 'page');
    site.write('node_modules/x/lib.js', 'x');
    site.write('.donewhen/demo/brief.md', 'x');
    expect(
      await Promise.all(
        [
          'docs/srs-*.md',
          'docs/*.txt',
          'docs/*.pdf',
          'empty/*.md',
          'app/[id]/page.tsx',
          '**/lib.js',
          'node_modules/*/lib.js',
          '**/brief.md',
        ].map((path) => seen(`file: ${path}`)),
      ),
    ).toEqual([
      'holds: there, 2 files',
      'holds: there, 5 bytes',
      'disproved: nothing matches',
      'disproved: empty',
      'holds: there, 4 bytes',
      'disproved: nothing matches',
      'holds: there, 1 byte',
      'disproved: nothing matches',
    ]);
  });

  it('absent holds where nothing at all is, also by a pattern', async () => {
    site.write('a.map', 'x');
    mkdirSync(join(site.workspace, 'folder'));
    symlinkSync('/etc/passwd', join(site.workspace, 'link'));
    expect(await Promise.all(['none', 'a.map', 'folder', 'link', '*.map', '*.log'].map((path) => seen(`file: ${path} absent`)))).toEqual([
      'holds: absent',
      'disproved: there, 1 byte',
      'disproved: there, a folder',
      'disproved: leaves the workspace',
      'disproved: there: a.map',
      'holds: absent',
    ]);
  });

  it('is searched and matched', async () => {
    site.write('a.txt', 'the timeout is 30 s\nüber\n');
    expect([
      await seen('file: a.txt contains "timeout is 30"'),
      await seen('file: a.txt contains "über"'),
      await seen('file: a.txt contains "60 s"'),
      await seen('file: a.txt matches /^the .* s$/m'),
      await seen('file: a.txt matches /THE/i'),
      await seen('file: a.txt matches /hours/'),
      await seen('file: b.txt contains "x"'),
    ]).toEqual([
      'holds: there, 26 bytes',
      'holds: there, 26 bytes',
      'disproved: there, 26 bytes, without "60 s"',
      'holds: there, 26 bytes',
      'holds: there, 26 bytes',
      'disproved: there, 26 bytes, nothing matches "/hours/"',
      'disproved: absent',
    ]);
  });

  it('is searched by a pattern: one file that is as it should be suffices', async () => {
    site.write('docs/a.md', 'one');
    site.write('docs/b.md', 'the timeout');
    site.write('data/good.json', '{}');
    site.write('data/bad.json', '{');
    expect(
      await Promise.all(
        [
          'docs/*.md contains "timeout"',
          'docs/*.md matches /^one$/',
          'docs/*.md contains "60 s"',
          'docs/a*.md contains "60 s"',
          'none/*.md contains "one"',
          'data/*.json is json',
        ].map((check) => seen(`file: ${check}`)),
      ),
    ).toEqual([
      'holds: docs/b.md: there, 11 bytes',
      'holds: docs/a.md: there, 3 bytes',
      'disproved: none of 2 files: there, 3 bytes, without "60 s"',
      'disproved: there, 3 bytes, without "60 s"',
      'disproved: nothing matches',
      'holds: data/good.json: json',
    ]);
  });

  it('with an expression that takes for ever is not waited for', async () => {
    site.write('a.txt', `${'a'.repeat(64)}!`);
    expect(await seen('file: a.txt matches /^(a|aa)+$/')).toBe('unobservable: /^(a|aa)+$/ took longer than 2000 ms');
  });

  it('is read as json, and held against its schema', async () => {
    site.write('good.json', '{"name":"a","count":2}');
    site.write('bad.json', '{"name":1}');
    site.write('no.json', '{"name":');
    site.write('schema.json', JSON.stringify({ type: 'object', required: ['name', 'count'], properties: { name: { type: 'string' } } }));
    site.write('bare.json', JSON.stringify({ required: ['count'] }));
    site.write('far.json', JSON.stringify({ $ref: 'https://elsewhere.example/schema.json' }));
    site.write('new.json', JSON.stringify({ dependentRequired: { name: ['count'] } }));
    expect(
      await Promise.all(
        [
          'good.json is json',
          'no.json is json',
          'good.json is json schema.json',
          'bad.json is json schema.json',
          'bad.json is json bare.json',
          'bad.json is json new.json',
          'good.json is json far.json',
          'good.json is json none.json',
        ].map((check) => seen(`file: ${check}`)),
      ),
    ).toEqual([
      'holds: json',
      'disproved: not json',
      'holds: json, fits schema.json',
      "disproved: json, does not fit schema.json: it must have required property 'count'",
      "disproved: json, does not fit bare.json: it must have required property 'count'",
      'disproved: json, does not fit new.json: it must have property count when property name is present',
      expect.stringContaining('unobservable: the schema far.json cannot be used'),
      'unobservable: the schema none.json is not there',
    ]);
  });

  it('differs from another by case alone, and then counts as absent on every disk', () => {
    expect([differsOnlyByCase('README.md', 'readme.md'), differsOnlyByCase('a', 'a'), differsOnlyByCase('a', 'b')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(differsOnlyByCase('\u00fc', 'u\u0308')).toBe(false);
  });
});

describe('http', () => {
  let server: Server;
  let base: string;
  beforeEach(async () => {
    server = createServer((request, response) => {
      if (request.url === '/slow') return;
      if (request.url === '/moved') response.writeHead(302, { location: '/' });
      else response.writeHead(request.url === '/broken' ? 500 : 200);
      response.end(`you asked for ${request.url}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is looked at by status and body, without following redirects', async () => {
    expect([
      await seen(`http: GET ${base}/ => 200`),
      await seen(`http: GET ${base}/a => 200 contains "asked for /a"`),
      await seen(`http: GET ${base}/a => 200 contains "/b"`),
      await seen(`http: GET ${base}/broken => 200`),
      await seen(`http: GET ${base}/moved => 200`),
      await seen(`http: GET ${base}/moved => 302`),
    ]).toEqual([
      'holds: status 200',
      'holds: status 200',
      'disproved: status 200, without "/b"',
      'disproved: status 500',
      'disproved: status 302',
      'holds: status 302',
    ]);
  });

  it('is disproved where nobody listens, and says nothing where no name leads or no answer comes', async () => {
    server.close();
    const closed = base;
    expect(await seen(`http: GET ${closed}/ => 200`)).toBe('disproved: connection refused');
    expect(await seen('http: GET http://no-such-host.invalid/ => 200')).toBe('unobservable: its name cannot be resolved');
  });

  it('waits no longer than its limits', async () => {
    const slow = { url: `${base}/slow`, status: 200 };
    expect(await lookByHttp(slow, site.context, { connectMs: 5_000, totalMs: 100 })).toEqual({
      is: 'unobservable',
      saw: 'its time ran out: no whole answer',
    });
  });
});

describe('git', () => {
  const git = async (script: string) => {
    const identity = 'git config user.email a@example.org; git config user.name ana';
    const found = await look(`run: ${script.replace('INIT', `git init -q . && ${identity}`)}`);
    expect(`${found?.is} ${found?.excerpt ?? ''}`).toMatch(/^holds/);
  };

  it('clean: our own files never make a tree dirty, everybody else does', async () => {
    site.write('a.txt', 'x');
    await git('INIT; git add a.txt; git commit -qm one');
    for (const name of ['LEDGER.md', 'REPORT.md', 'PLAN.md', 'LEDGER.found-20261130T210000Z.md', '.donewhen/demo/x'])
      site.write(name, 'ours');
    expect(await seen('git: clean')).toBe('holds: clean');
    site.write('docs/LEDGER.md', 'not ours');
    expect(await seen('git: clean')).toBe('disproved: 1 changed: docs/LEDGER.md');
    await git('git add docs; git mv a.txt "b c.txt"');
    expect(await seen('git: clean')).toBe('disproved: 3 changed: b c.txt, a.txt, docs/LEDGER.md');
  });

  it('clean: what was saved in place of a file that somebody changed makes no tree dirty, and nothing else by such a name does', async () => {
    await git('INIT; git commit -q --allow-empty -m one');
    const putBack = ['tools/check.sh', 'tools/check', '.env'].map((name) => join(site.workspace, name));
    const clean = () =>
      lookAt('git: clean', { ...site.context, ours: oursIn({ workspace: site.workspace, out: site.workspace }, putBack) });
    for (const name of [
      'check.found-20261130T210000Z.sh',
      'check.found-20261130T210000Z-2.sh',
      'check.found-20261130T210000Z',
      '../.env.found-20261130T210000Z',
    ])
      site.write(`tools/${name}`, 'saved');
    expect((await clean())?.saw).toBe('clean');
    for (const name of ['other.found-20261130T210000Z.sh', 'check.found-today.sh', 'docs/check.found-20261130T210000Z.sh'])
      site.write(name, 'x');
    expect((await clean())?.saw).toBe(
      '3 changed: check.found-today.sh, docs/check.found-20261130T210000Z.sh, other.found-20261130T210000Z.sh',
    );
  });

  it('clean: what git is told not to look at is nothing that anybody saw', async () => {
    site.write('a.txt', 'x');
    await git('INIT; git add a.txt; git commit -qm one');
    const tricks: [hide: string, show: string][] = [
      ['echo y > a.txt; git update-index --assume-unchanged a.txt', 'git update-index --no-assume-unchanged a.txt; git checkout -q a.txt'],
      ['echo y > a.txt; git update-index --skip-worktree a.txt', 'git update-index --no-skip-worktree a.txt; git checkout -q a.txt'],
      ['echo x > left; echo left >> .git/info/exclude', 'rm left; : > .git/info/exclude'],
      ['echo x > left; echo left > .git/hide; git config core.excludesFile .git/hide', 'rm left; git config --unset core.excludesFile'],
      ["echo x > left; printf '*\\n' > .gitignore", 'rm left .gitignore'],
      [
        'mkdir ../clean; cp a.txt ../clean; echo x > left; git config core.worktree ../../clean',
        'git config -f .git/config --unset core.worktree; rm -r left ../clean',
      ],
      ['echo x > left; git config status.showUntrackedFiles no', 'rm left; git config --unset status.showUntrackedFiles'],
      ["echo y > a.txt; git config core.fsmonitor 'printf x\\0; true'", 'git config --unset core.fsmonitor; git checkout -q a.txt'],
    ];
    const saw: string[] = [];
    for (const [hide, show] of tricks) {
      await git(hide);
      saw.push(await seen('git: clean'));
      await git(show);
    }
    expect(saw).toEqual([
      'unobservable: git is told not to look (assume-unchanged, skip-worktree): a.txt',
      'unobservable: git is told not to look (assume-unchanged, skip-worktree): a.txt',
      'unobservable: hidden by .git/info/exclude or core.excludesFile, not by a .gitignore: left',
      'unobservable: hidden by .git/info/exclude or core.excludesFile, not by a .gitignore: left',
      'unobservable: hidden by an ignore file that is not committed: .gitignore',
      expect.stringMatching(/^unobservable: git is told to look elsewhere \(core.worktree\): /),
      'disproved: 1 changed: left',
      'disproved: 1 changed: a.txt',
    ]);
    expect(await seen('git: clean')).toBe('holds: clean');
  });

  it('clean: a cache that ignores itself, and what the .gitignore files name, make no tree dirty', async () => {
    site.write('.gitignore', 'build/\n');
    await git('INIT; git add .gitignore; git commit -qm one');
    site.write('build/a.o', 'x');
    site.write('.cache/.gitignore', '*\n');
    site.write('.cache/a', 'x');
    expect(await seen('git: clean')).toBe('holds: clean');
  });

  it('clean: of a repository that was made anew during the work nobody knows', async () => {
    site.write('a.txt', 'x');
    await git('INIT; git add a.txt; git commit -qm one');
    const head = (await look('run: git rev-parse HEAD'))?.excerpt?.trim() ?? '';
    expect(await seen('git: clean', { headBefore: head })).toBe('holds: clean');
    await git('rm -rf .git; INIT; git add a.txt; git commit -qm other --date=2001-01-01T00:00:00Z');
    expect(await seen('git: clean', { headBefore: head })).toBe(
      `unobservable: the commit that stood here before the work is gone (${head.slice(0, 12)})`,
    );
  });

  it('commit: there and reachable from where the tree stands (A01)', async () => {
    await git(
      'INIT; git commit -q --allow-empty -m one; git tag first; git checkout -q -b side; git commit -q --allow-empty -m two; git tag second; git checkout -q -',
    );
    expect([await seen('git: commit first'), await seen('git: commit second'), await seen('git: commit third')]).toEqual([
      expect.stringMatching(/^holds: commit [0-9a-f]{12}, reachable$/),
      expect.stringMatching(/^disproved: commit [0-9a-f]{12} is not reachable from HEAD$/),
      'disproved: no commit "third"',
    ]);
  });

  it('tracked: what git knows, not what lies there', async () => {
    site.write('a.txt', 'x');
    site.write('b.txt', 'x');
    await git('INIT; git add a.txt');
    expect([await seen('git: tracked a.txt'), await seen('git: tracked b.txt'), await seen('git: tracked *.txt')]).toEqual([
      'holds: tracked',
      'disproved: not tracked',
      'disproved: not tracked',
    ]);
  });

  it('where there is no repository nothing of it holds', async () => {
    const nowhere = { ...site.context.variables, GIT_CEILING_DIRECTORIES: join(site.workspace, '..') };
    expect(await seen('git: clean', { variables: nowhere })).toBe('disproved: not a git repository');
  });
});

it('a human check brings no look', async () => {
  expect(await seen('human: does the badge work?')).toBe('asks a person');
});

it('a workspace that is gone, or is a link now, is not looked into (B17, F05)', async () => {
  site.write('a.txt', 'x');
  rmSync(site.workspace, { recursive: true });
  expect(await seen('file: a.txt')).toBe('unobservable: the workspace is gone');
  symlinkSync('/etc', site.workspace);
  expect([await seen('file: passwd'), await seen('run: true')]).toEqual([
    'unobservable: the workspace is another folder now',
    'unobservable: the workspace is another folder now',
  ]);
});
