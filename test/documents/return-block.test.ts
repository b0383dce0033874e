import { describe, expect, it } from 'vitest';
import type { Claim } from '../../core/values.js';
import { CLAIM_BYTES_MAX, parseReturnBlock } from '../../documents/return-block.js';
import { fc } from '../support/fast-check.js';

const NOTHING: Claim = { status: 'done', stateDelta: [], evidence: [], discovered: [], unresolved: [], risk: [], userAction: [] };
const claimOf = (output: string) => parseReturnBlock(output).claim;

const FULL = `status: partial
state_delta:
- Requests over 30s now fail,
  on every path.
- The old client is gone.
evidence:
- \`npm test\` → passed (14)
discovered:
- The table has 7 rows. (check: file: rows.txt contains "7")
unresolved:
- the second client
risk:
- slow banks
user_action:
- open the port
deviation: 20 seconds instead of 30,
because of the bank.
blocker: Test database: access!
`;

const FULL_CLAIM: Claim = {
  status: 'partial',
  stateDelta: ['Requests over 30s now fail, on every path.', 'The old client is gone.'],
  evidence: ['`npm test` → passed (14)'],
  discovered: ['The table has 7 rows. (check: file: rows.txt contains "7")'],
  unresolved: ['the second client'],
  risk: ['slow banks'],
  userAction: ['open the port'],
  deviation: '20 seconds instead of 30, because of the bank.',
  blocker: 'test-database-access',
};

describe('a return block', () => {
  // Seed 002 §3.
  it.each<[string, string]>([
    ['alone', FULL],
    ['after prose', `I did it.\n\n${FULL}`],
    ['in a fence (E07)', `Here:\n\n\`\`\`\n${FULL}\`\`\`\n`],
    ['after thoughts that are not meant for us (E07)', `<think>status: is it done? I must check.</think>\n\n${FULL}`],
    ['after a diagnostic line (E10)', `[warn] node: --experimental is deprecated\n${FULL}`],
    ['in a fence with a language', `\`\`\` yaml\n${FULL}\`\`\`\n`],
    ['in a fence of tildes', `~~~text\n${FULL}~~~\nBye.`],
    ['in a fence that is never closed', `\`\`\`\n${FULL}`],
    ['with CRLF', FULL.replaceAll('\n', '\r\n')],
    ['with colours', FULL.replace('status:', '\u001b[1mstatus:\u001b[0m').replaceAll('- ', '\u001b[32m- \u001b[0m')],
    ['with blank lines between its fields', FULL.replaceAll(/\n([a-z_]+:)/g, '\n\n$1')],
    ['with names in bold', FULL.replaceAll(/^([a-z_]+):/gm, '**$1:**')],
    ['with names in words', FULL.replace('state_delta', 'State delta').replace('user_action', 'User action')],
    ['with stars for bullets', FULL.replaceAll('\n- ', '\n* ')],
    ['indented', FULL.replaceAll(/^(?=.)/gm, '  ')],
    ['followed by chatter', `${FULL}\nLet me know: status is fine.\n`],
    ['followed by a side channel line', `${FULL}{"donewhen":{"cost":{"usd":0.1}}}\n`],
    ['with a side channel line in it', FULL.replace('evidence:', '{"donewhen":{"progress":"x"}}\nevidence:')],
    [
      'after the example of a prompt that was echoed',
      `status: done | partial | blocked | failed | no_op\nstate_delta:\n- <what is observably different now, and its consequence>\n\nReal answer:\n\n${FULL}`,
    ],
    ['before the example', `${FULL}\n\nThe form was:\n\n\`\`\`\nstatus: done | partial | blocked | failed | no_op\n\`\`\`\n`],
    ['after another block (E24)', `status: done\nstate_delta:\n- an example\n\n${FULL}`],
    ['after another block in a fence', `\`\`\`\nstatus: failed\n\`\`\`\n\n${FULL}`],
  ])('%s is the claim', (_name, output) => {
    expect(parseReturnBlock(output)).toEqual({ claim: FULL_CLAIM, problem: null });
  });

  // E07, E24.
  it.each([
    ['in a fence', '```\n', '```\n'],
    ['unfenced', '', ''],
    ['in a fence in a fence', '~~~\n```\n', '```\n~~~\n'],
  ])('that comes last, %s, is the claim after an example in a fence within a fence', (_name, open, close) => {
    const example = 'status: done\nstate_delta:\n- example\n';
    const last = `${open}status: blocked\nblocker: no-license\nuser_action:\n- buy a license\n${close}`;
    const claim = { ...NOTHING, status: 'blocked', blocker: 'no-license', userAction: ['buy a license'] };
    for (const around of ['````\n```\n|```\n````\n', '````md\n```yaml\n|```\n````\n', '~~~\n```\n|```\n~~~\n', '````\n```\n|````\n']) {
      const output = `The form is:\n\n${around.replace('|', example)}\nThat was the form. Mine is:\n\n${last}`;
      expect(parseReturnBlock(output)).toEqual({ claim, problem: null });
    }
  });

  it.each<[string, Claim['status']]>([
    ['status: done', 'done'],
    ['Status: DONE', 'done'],
    ['status: done.', 'done'],
    ['status: `done`', 'done'],
    ['status: **blocked**', 'blocked'],
    ['status: done ✅', 'done'],
    ['status: failed (the port is closed)', 'failed'],
    ['status: no-op', 'no_op'],
    ['status: noop', 'no_op'],
    ['`status: done`'.slice(1, -1), 'done'],
  ])('may be %j alone', (output, status) => {
    expect(parseReturnBlock(output)).toEqual({ claim: { ...NOTHING, status }, problem: null });
  });

  it.each([
    '',
    '   \n\n',
    'I am sorry, I could not.',
    '<promise>DONE</promise>\nAll tests pass. TASK_COMPLETE ✅ verified: true',
    '{"status":"done"}',
    // E10: after a diagnostic line no JSON is a claim either.
    '[warn] deprecated\n{"status":"done","changes":[]}',
    'The status: done',
    'status: 200 OK',
    'HTTP status: done',
  ])('%j is none, and that is no fault (D04, E09, E12)', (output) => {
    expect(parseReturnBlock(output)).toEqual({ claim: null, problem: null });
  });

  it.each<[string, string, string]>([
    [
      'the form, echoed (E24)',
      'status: done | partial | blocked | failed | no_op\nstate_delta:\n- <what is observably different now, and its consequence>',
      'the return contract came back unfilled',
    ],
    [
      'the form with a status put in',
      'status: done\nstate_delta:\n- <what is observably different now, and its consequence>\nevidence:\n- <check performed> → <result>',
      'the return contract came back unfilled',
    ],
    ['the form with an unfilled blocker', 'status: blocked\nblocker: <kebab-case-identity>', 'the return contract came back unfilled'],
    ['two statuses in one block', 'status: done\nstatus: failed\nstate_delta:\n- x', 'one block has the statuses done and failed'],
    [
      'two statuses in one fence',
      '```\nstatus: done\n\nstate_delta:\n- x\n\nstatus: failed\n```',
      'one block has the statuses done and failed',
    ],
    ['a status of its own', 'status: finished\nstate_delta:\n- x', 'status "finished" is none of done, partial, blocked, failed, no_op'],
    [
      'two words for a status',
      'status: done or partial\nstate_delta:\n- x',
      'status "done or partial" is none of done, partial, blocked, failed, no_op',
    ],
  ])('is malformed: %s', (_name, output, problem) => {
    expect(parseReturnBlock(output)).toEqual({ claim: null, problem });
  });

  it('may say the same status twice', () => {
    expect(claimOf('status: done\nstatus: done\n')?.status).toBe('done');
  });

  it('a fence around the whole of a value is dropped, and never what stands in it (E08)', () => {
    const fenced = (lines: string) => `\`\`\`\n${lines}\n\`\`\`\n`;
    const block = `status: done\nstate_delta:\n${fenced('- a\n- b')}deviation:\n${fenced('a TTL of 60 s')}risk:\n- c\n`;
    for (const text of [block, `~~~\n${block}~~~\n`])
      expect(parseReturnBlock(text).claim).toMatchObject({ stateDelta: ['a', 'b'], deviation: 'a TTL of 60 s', risk: ['c'] });
  });

  it('keeps fenced code in an item, whatever it looks like (E03)', () => {
    const output =
      '```\nstatus: partial\nevidence:\n- ran\n  ```json\n  {"facts":[{"what":"uses ```json fences"}]}\n  status: failed\n  ```\n  twice\nrisk:\n- r\n```\n';
    expect(claimOf(output)).toEqual({
      ...NOTHING,
      status: 'partial',
      evidence: ['ran {"facts":[{"what":"uses ```json fences"}]} status: failed twice'],
      risk: ['r'],
    });
  });

  it('drops items that say nothing', () => {
    expect(
      claimOf('status: done\nunresolved:\n- none\nrisk: []\nuser_action: n/a\ndeviation: None.\nblocker: none\ndiscovered:\n- —\n'),
    ).toEqual(NOTHING);
  });

  it('takes an item beside its name, in quotes or numbered', () => {
    expect(claimOf('status: done\nstate_delta: It is there.\nrisk:\n1. "one"\n2. two\n')).toEqual({
      ...NOTHING,
      stateDelta: ['It is there.'],
      risk: ['one', 'two'],
    });
  });

  it('ignores a field that the contract does not have', () => {
    expect(claimOf('status: done\nnotes:\n- something\nrisk:\n- r\n')).toEqual({ ...NOTHING, risk: ['r'] });
  });

  it('keeps wide characters and loses control characters', () => {
    expect(claimOf('status: done\nstate_delta:\n- 完了 😀 e\u0301\u0000\u0007!\n')).toEqual({
      ...NOTHING,
      stateDelta: ['完了 😀 e\u0301 !'],
    });
  });

  it('that is very long is cut, and says so', () => {
    const claim = claimOf(`status: done\nstate_delta:\n${`- ${'x'.repeat(5000)}\n`.repeat(100)}user_action:\n- open the port\n`);
    const bytes = Buffer.byteLength(JSON.stringify(claim));
    expect([
      claim?.userAction,
      claim?.stateDelta[0]?.endsWith('… (cut)'),
      /^\(\d+ more were cut\)$/.test(claim?.stateDelta.at(-1) ?? ''),
      bytes < CLAIM_BYTES_MAX,
    ]).toEqual([['open the port'], true, true, true]);
  });

  it('of any output is read without an exception, within its size', () => {
    const fragments = fc.constantFrom(
      'status: done\n',
      'status: partial\n',
      'state_delta:\n',
      '- x\n',
      '  - y\n',
      '```\n',
      '```yaml\n',
      '  ```\n',
      '\n',
      'prose\n',
      'risk: r\n',
      'blocker: B b\n',
      '- <a b>\n',
      '\u001b[31m',
      '\u001b]0;',
      '{"donewhen":{}}\n',
      'status: done | failed\n',
      '日本\n',
      '\ud800',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: fragments }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }), { maxLength: 30 }),
        (parts) => {
          const { claim, problem } = parseReturnBlock(parts.join(''));
          expect(claim === null || problem === null).toBe(true);
        },
      ),
      { numRuns: 5000 },
    );
  });
});
