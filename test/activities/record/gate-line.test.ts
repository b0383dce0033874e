import { describe, expect, test } from 'vitest';
import { withGate } from '../../../activities/record/gate-line.js';

const HOLDS = 'Gate: plan holds\n';

describe('the gate of one entry is the one line that is updated in place', () => {
  test.each([
    [
      'replaces its line',
      '# LEDGER: x\n\n## T1 — One  [done]\nGate: replan required\n',
      '# LEDGER: x\n\n## T1 — One  [done]\nGate: plan holds\n',
    ],
    [
      'adds the line at the end',
      '# LEDGER: x\n\n## T1 — One  [done]\nVerification: verified\n',
      '# LEDGER: x\n\n## T1 — One  [done]\nVerification: verified\nGate: plan holds\n',
    ],
    [
      'adds it before the next entry',
      '## T1 — One  [done]\nVerification: verified\n\n## T2 — Two  [done]\nGate: plan holds\n',
      '## T1 — One  [done]\nVerification: verified\nGate: plan holds\n\n## T2 — Two  [done]\nGate: plan holds\n',
    ],
    [
      'leaves other entries alone',
      '## T10 — Ten  [done]\nGate: replan required\n\n## T1 — One  [done]\nGate: replan required\n',
      '## T10 — Ten  [done]\nGate: replan required\n\n## T1 — One  [done]\nGate: plan holds\n',
    ],
    [
      'knows fenced text for content',
      '## T1 — One  [done]\n```\n## T1 — no entry\nGate: none\n```\nGate: replan required\n',
      '## T1 — One  [done]\n```\n## T1 — no entry\nGate: none\n```\nGate: plan holds\n',
    ],
    [
      'keeps the line ends of the file',
      '## T1 — One  [done]\r\nGate: replan required\r\nNote: x\r\n',
      '## T1 — One  [done]\r\nGate: plan holds\r\nNote: x\r\n',
    ],
    [
      'works without a last line end',
      '## T1 - One [done]\nVerification: verified',
      '## T1 - One [done]\nVerification: verified\nGate: plan holds',
    ],
    ['replaces a bold label', '### T1: One [done]\n**Gate:** replan required\n', '### T1: One [done]\nGate: plan holds\n'],
    [
      'replaces the notes that belong to it',
      '## T1 — One  [failed]\nVerification: verified\nGate blocker: x\nGate note: y\nGate: replan exhausted\n',
      '## T1 — One  [failed]\nVerification: verified\nGate: plan holds\n',
    ],
    ['does nothing for an entry that is not there', '## T2 — Two  [done]\nGate: plan holds\n', '## T2 — Two  [done]\nGate: plan holds\n'],
  ])('it %s', (_title, before, after) => {
    expect(withGate(before, 'T1', HOLDS)).toEqual(after);
  });
});

test('a gate that is still open changes nothing', () => {
  expect(withGate('## T1 — One  [done]\nVerification: verified\n', 'T1', '')).toEqual('## T1 — One  [done]\nVerification: verified\n');
});
