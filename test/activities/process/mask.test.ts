import { describe, expect, it } from 'vitest';
import { createMask, maskText, maskTexts } from '../../../activities/process/mask.js';
import { fc } from '../../support/fast-check.js';

/** What comes out of a stream when its bytes come in pieces of these lengths. */
function inPieces(bytes: Buffer, lengths: readonly number[], secrets: readonly string[]): Buffer {
  const mask = createMask(secrets);
  const out: Buffer[] = [];
  let at = 0;
  for (const length of lengths) {
    out.push(mask.push(bytes.subarray(at, at + length)));
    at += length;
  }
  out.push(mask.push(bytes.subarray(at)), mask.end());
  return Buffer.concat(out);
}

describe('in a whole text', () => {
  it('known values and whatever looks like a key are replaced, the words around stay', () => {
    const said = [
      'token=abc-very-own-secret;',
      'sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA',
      `ghp_${'a1'.repeat(18)}`,
      'AKIAABCDEFGHIJKLMNOP',
      'Authorization: Bearer abcdefghijklmnopqrstuvwx',
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nAAAA\n-----END RSA PRIVATE KEY-----',
      'the end',
    ];
    expect(maskText(said.join('\n'), ['abc-very-own-secret'])).toBe(
      ['token=[secret];', '[secret]', '[secret]', '[secret]', 'Authorization: Bearer [secret]', '[secret]', 'the end'].join('\n'),
    );
  });

  it('ordinary words are left alone, also where they look a little like a key', () => {
    const text = 'task-list, desk-based, sk-short, eyJust, Bearer of news, basic training, ghp_no, AKIA, risk-averse-and-otherwise-careful';
    expect(maskText(text, ['abc', ''])).toBe(text);
  });

  it.each([
    ['Anthropic', 'sk-ant-oat01-', 'A1_b-', 12],
    ['Stripe', 'sk_live_', 'a1B2', 6],
    ['xAI', 'xai-', 'a1B2', 20],
    ['Hugging Face', 'hf_', 'aB', 17],
    ['GitLab', 'glpat-', 'a1B2', 5],
    ['Atlassian', 'ATATT3', 'xF1_', 20],
    ['Slack', 'xoxb-', '12345-', 4],
    ['Slack webhook', 'hooks.slack.com/services/', 'T0/B0/', 8],
    ['Bedrock', 'ABSK', 'a1B2', 20],
    ['Google', 'ya29.', 'a0-_', 10],
    ['npm', 'npm_', 'aB1c', 9],
    ['PyPI', 'pypi-AgEI', 'cHlw', 15],
    ['DigitalOcean', 'dop_v1_', '0f', 32],
    ['Vault', 'hvs.', 'CAES', 7],
    ['age', 'AGE-SECRET-KEY-1', 'QZ', 29],
    ['Shopify', 'shpat_', '0aF1', 8],
    ['Linear', 'lin_api_', 'aB1c', 10],
    ['Databricks', 'dapi', '0f', 16],
  ])('a key of %s is known by its shape', (_who, start, piece, times) => {
    expect(maskText(`of "${start}${piece.repeat(times)}" no more`, [])).toBe('of "[secret]" no more');
  });

  it('of an address, an assignment and a header only the secret part goes', () => {
    const said = [
      'git clone https://ana:hunter22@example.org/a.git',
      'postgres://db:pa%24s@127.0.0.1:5432/x?y=1',
      'http://127.0.0.1:8080/ and user@example.org',
      `AWS_SECRET_ACCESS_KEY="${'aB3/'.repeat(10)}"`,
      `DefaultEndpointsProtocol=https;AccountKey=${'aB3/'.repeat(21)}==;x`,
    ];
    expect(maskText(said.join('\n'), []).split('\n')).toEqual([
      'git clone https://[secret]@example.org/a.git',
      'postgres://[secret]@127.0.0.1:5432/x?y=1',
      'http://127.0.0.1:8080/ and user@example.org',
      'AWS_SECRET_ACCESS_KEY="[secret]"',
      'DefaultEndpointsProtocol=https;AccountKey=[secret];x',
    ]);
  });

  it('a known value is found as JSON, an address and a header write it', () => {
    const secret = 'p"w\\ü/+x';
    const forms = [JSON.stringify(secret), encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
    expect(maskText(forms.join(' '), [secret])).toBe('"[secret]" [secret] [secret]');
  });

  it('what was put together from pieces is masked in all its texts', () => {
    const value = { is: 'answered', claim: { delta: ['it is abc-very', 'abc-very-own-secret'], done: true, at: 3, none: null } };
    expect(maskTexts(value, ['abc-very-own-secret'])).toEqual({
      is: 'answered',
      claim: { delta: ['it is abc-very', '[secret]'], done: true, at: 3, none: null },
    });
  });

  it('the longer of two secrets goes first', () => {
    expect(maskText('secret-one-and-two', ['secret-one', 'secret-one-and-two'])).toBe('[secret]');
  });
});

describe('in a stream', () => {
  const secret = 'hunter2-für-immer';

  it('a secret is found wherever its pieces are cut (L01)', () => {
    const bytes = Buffer.from(`before ${secret} between\n${secret}\nafter ghp_${'b2'.repeat(18)}`);
    const lengths = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 });
    fc.assert(
      fc.property(lengths, (pieces) => {
        expect(inPieces(bytes, pieces, [secret]).toString()).toBe('before [secret] between\n[secret]\nafter [secret]');
      }),
    );
  });

  it('bytes without a secret come out as they went in', () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(bytes, fc.array(fc.integer({ min: 0, max: 50 })), (content, pieces) => {
        const buffer = Buffer.from(content);
        expect(inPieces(buffer, pieces, [secret])).toEqual(buffer);
      }),
    );
  });

  it('a line that never ends is let go in pieces, and a secret in it is found nevertheless', () => {
    const long = `${'word '.repeat(40_000)}${secret} ${'word '.repeat(40_000)}`;
    const mask = createMask([secret]);
    const out: Buffer[] = [];
    for (let at = 0; at < long.length; at += 1000) out.push(mask.push(Buffer.from(long.slice(at, at + 1000))));
    const early = Buffer.concat(out).length;
    out.push(mask.end());
    expect(Buffer.concat(out).toString()).toBe(long.replace(secret, '[secret]'));
    expect(early).toBeGreaterThan(long.length / 2);
  });

  it('a key of several lines is held back until its end', () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\nBBBB\n-----END OPENSSH PRIVATE KEY-----';
    const bytes = Buffer.from(`a\n${key}\nb\n`);
    expect(inPieces(bytes, [10, 20, 5, 8, 3], []).toString()).toBe('a\n[secret]\nb\n');
  });

  it('a key of several lines is found where it is one text of a long line of JSON', () => {
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${'aB3/\n'.repeat(200)}-----END RSA PRIVATE KEY-----`;
    const line = JSON.stringify({ before: 'x,'.repeat(34_000), pem, after: 'y,'.repeat(40_000) });
    const masked = inPieces(Buffer.from(`${line}\n`), Array(80).fill(2_000), []).toString();
    expect(masked).toBe(`${line.replace(JSON.stringify(pem).slice(1, -1), '[secret]')}\n`);
  });

  it('of a secret of several lines each long line is masked', () => {
    const lines = ['first-line-of-the-secret', 'second-line-of-the-secret'];
    expect(inPieces(Buffer.from(`x ${lines.join('\n')} y\n`), [9, 30], [lines.join('\n')]).toString()).toBe('x [secret]\n[secret] y\n');
  });
});
