import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMask, maskText } from '../../../activities/process/mask.js';

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

  it('of a secret of several lines each long line is masked', () => {
    const lines = ['first-line-of-the-secret', 'second-line-of-the-secret'];
    expect(inPieces(Buffer.from(`x ${lines.join('\n')} y\n`), [9, 30], [lines.join('\n')]).toString()).toBe('x [secret]\n[secret] y\n');
  });
});
