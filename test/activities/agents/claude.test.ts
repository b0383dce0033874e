import { describe, expect, it } from 'vitest';
import type { AgentRequest, AgentStart } from '../../../activities/agents/adapter.js';
import { createClaudeAdapter } from '../../../activities/agents/claude.js';
import type { Agent } from '../../../documents/config.js';
import { returnJsonSchema } from '../../../documents/return-value.js';
import { request } from './request.js';

const adapter = (agent: Partial<Agent> = {}) => createClaudeAdapter('claude', { kind: 'claude-code', ...agent });
const start = (agent: Partial<Agent>, more: Partial<AgentRequest> = {}): AgentStart => {
  const started = adapter(agent).start(request(more));
  if ('refused' in started) throw new Error(started.refused.why);
  return started;
};
const after = (flag: string, { argv }: AgentStart) => argv[argv.indexOf(flag) + 1];
const sandbox = { isRoot: false, isSandbox: false, hasSandbox: true, gitDir: null };

const line = (value: object) => `${JSON.stringify(value)}\n`;
const read = (...events: object[]) => adapter().read({ stdout: events.map(line).join(''), stderr: '', endedAt: 0 });
const result = (more: object) => ({ type: 'result', subtype: 'success', is_error: false, session_id: 's', ...more });

describe('how it is started', () => {
  it('takes the brief by standard input, marked with its attempt, and prints its stream', () => {
    const { argv, stdin } = start({ model: 'sonnet' }, { prompt: 'the brief', mark: 'Attempt', session: 's-1' });
    expect(stdin).toBe('Attempt\n\nthe brief');
    expect(argv.slice(0, 9)).toEqual([
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--model',
      'sonnet',
      '--resume',
      's-1',
    ]);
  });

  it('holds only a performer to the form of the return contract', () => {
    expect(JSON.parse(after('--json-schema', start({})) ?? '')).toEqual(returnJsonSchema());
    expect(start({}, { role: 'verifier' }).argv).not.toContain('--json-schema');
  });

  it('keeps its temporary files in the folder of the attempt, and HOME as it is', () => {
    const { env } = start({}, { tmp: '/tmp/one' });
    expect([env.TMPDIR, env.CLAUDE_CODE_TMPDIR, env.HOME]).toEqual(['/tmp/one', '/tmp/one', undefined]);
    expect(adapter().passes).toContain('CLAUDE_CODE_OAUTH_TOKEN');
    expect(adapter().passes).not.toContain('ANTHROPIC_API_KEY');
  });

  it('edits in its own sandbox where that is installed, with git beyond it only for a git check', () => {
    const plain = start({}, { here: sandbox });
    expect(plain.argv.slice(-6)).toEqual(['--permission-mode', 'acceptEdits', '--settings', expect.any(String), '--allowedTools', 'Bash']);
    const settings = { enabled: true, autoAllowBashIfSandboxed: true, allowUnsandboxedCommands: false, failIfUnavailable: true };
    expect(JSON.parse(after('--settings', plain) ?? '')).toEqual({ sandbox: settings });
    const commits = start({}, { here: { ...sandbox, gitDir: '/repo/.git' } });
    expect(JSON.parse(after('--settings', commits) ?? '')).toEqual({
      sandbox: { ...settings, filesystem: { allowWrite: ['/repo/.git'] } },
    });
  });

  it('edits without a sandbox with the commands of its checks and what git does locally, and no other', () => {
    const { argv } = start({}, { checks: ['run: npm test => exit 0', 'file: a exists'] });
    const rules = argv.slice(argv.indexOf('--allowedTools') + 1);
    expect(argv.slice(argv.indexOf('--permission-mode'), argv.indexOf('--allowedTools'))).toEqual(['--permission-mode', 'acceptEdits']);
    expect(rules.filter((rule) => !rule.startsWith('Bash(git '))).toEqual(['Bash(npm test)']);
    expect(rules).not.toContain('Bash(git push:*)');
    expect(rules).toContain('Bash(git commit:*)');
  });

  it('does not write as a reviewer, whatever its permissions are', () => {
    for (const role of ['planner', 'verifier', 'reviewer'])
      expect(start({ permissions: 'full' }, { role }).argv.slice(-6)).toEqual([
        '--permission-mode',
        'default',
        '--disallowedTools',
        'Edit',
        'Write',
        'NotebookEdit',
      ]);
  });

  it('does everything only where a person wrote so, and not as root', () => {
    expect(start({ permissions: 'full' }).argv.at(-1)).toBe('--dangerously-skip-permissions');
    const asRoot = { ...sandbox, isRoot: true };
    expect(adapter({ permissions: 'full' }).start(request({ here: asRoot }))).toEqual({
      refused: {
        why: 'claude has permissions: full, and this worker runs as root',
        blocker: 'agent-full-as-root',
        userAction:
          'Run the worker as another user, or give claude permissions: edit; in a container that is thrown away set IS_SANDBOX=1.',
      },
    });
    expect(start({ permissions: 'full' }, { here: { ...asRoot, isSandbox: true } }).env.IS_SANDBOX).toBe('1');
  });
});

describe('what it answers', () => {
  it('is its structured output, where it keeps the form', () => {
    const structured_output = { status: 'done', state_delta: ['x is there'], blocker: '', deviation: 'none' };
    expect(read(result({ result: '{}', structured_output })).claim).toMatchObject({ status: 'done', stateDelta: ['x is there'] });
    expect(read(result({ result: 'status: done', structured_output: { status: 'great' } }))).toMatchObject({
      claim: null,
      problem: expect.stringContaining('does not have the form of the return contract'),
    });
  });

  it('is else its return block, also one that it gave before it was asked for another form', () => {
    const says = (text: string) => ({ type: 'assistant', message: { content: [{ type: 'text', text }] }, parent_tool_use_id: null });
    expect(read(says('status: partial\nunresolved:\n- b'), { type: 'user' }, result({ result: 'As I said.' })).claim).toMatchObject({
      status: 'partial',
      unresolved: ['b'],
    });
    const helper = { ...says('status: done'), parent_tool_use_id: 'toolu_1' };
    expect(read(helper, result({ result: 'Well.' })).claim).toBeNull();
  });

  it('stands although it was killed after it (H04), and not where it went on', () => {
    const says = { type: 'assistant', session_id: 's', message: { content: [{ type: 'text', text: 'status: done' }] } };
    const acts = { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }] } };
    expect([read(says).claim?.status, read(says, acts).claim, read(says, acts).problem]).toEqual([
      'done',
      null,
      'its stream ends without a result',
    ]);
  });

  it('is nothing where it printed nothing', () => {
    expect(read()).toEqual({
      output: '',
      claim: null,
      problem: 'it ended without an answer',
      session: null,
      limited: null,
      cost: { usd: null, tokens: null },
    });
  });

  it('is read past a torn line, bytes that are no text, and lines that are none of its own', () => {
    const torn = `${line({ type: 'system', subtype: 'init', session_id: 's' })}\ufffd{"type":"resu\nnull\n[1]\n"x"\n{}\n${line(result({ result: 'status: done' }))}{"type":"assist`;
    expect(adapter().read({ stdout: torn, stderr: '', endedAt: 0 })).toMatchObject({ claim: { status: 'done' }, session: 's' });
  });

  it('is read where its middle was cut out, and in a line of megabytes', () => {
    const long = line({ type: 'assistant', session_id: 's', message: { content: [{ type: 'text', text: 'x'.repeat(3_000_000) }] } });
    const cut = `${line({ type: 'system', session_id: 's' })}{"type":"assis\n[9000 bytes are left out here]\ntant"}\n${long}${line(result({ result: 'status: done' }))}`;
    expect(adapter().read({ stdout: cut, stderr: '', endedAt: 0 })).toMatchObject({ claim: { status: 'done' }, session: 's' });
  });

  it('a reset time that has passed is no reason to wait for it', () => {
    const rejected = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 10 } };
    const failed = result({ is_error: true, result: "You've hit your 5-hour limit", api_error_status: 429 });
    const limited = (endedAt: number) => adapter().read({ stdout: line(rejected) + line(failed), stderr: '', endedAt }).limited?.until;
    expect([limited(9_000), limited(10_000)]).toEqual([10_000, null]);
  });
});

it('while it works, it is seen by what it does', () => {
  const acts = {
    type: 'assistant',
    session_id: 's',
    message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'npm test' } }] },
  };
  expect(adapter().glance([line(acts), 'noise'])).toEqual({ session: 's', progress: 'Bash npm test' });
});
