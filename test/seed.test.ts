import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/sources.js';

/** docs/seed-002.md is only worth something as long as the tests that it names are there and say what they hold. */
interface Held {
  where: string;
  file: string;
  title: string;
}

const ROWS = readFileSync(join(ROOT, 'docs/seed-002.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| where |'))
  .map((line) => line.slice(2, -2).split(' | '));

const HELD: Held[] = ROWS.flatMap(([where = '', _says, held = '']) =>
  held.split(' · ').map((named) => {
    const [, file = '', title = ''] = /^`(test\/[^`]+)`(?:: (.+))?$/.exec(named) ?? [];
    return { where: where.replace(' †', ''), file, title };
  }),
);

const textOf = (file: string) => (existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '');
const unescaped = (text: string) => text.replace(/\\'/g, "'");

describe('the table of seed 002', () => {
  it('has a row for each of its parts, and each row names a test', () => {
    const parts = [
      '§1',
      '§2',
      '§3',
      '§4',
      '§5',
      '§6',
      '§7',
      '§8',
      'The loop',
      'Execution modes',
      'Escalation',
      'Resuming',
      'Anti-patterns',
    ];
    expect(parts.filter((part) => !HELD.some(({ where }) => where === part))).toEqual([]);
    expect(ROWS.filter((row) => row.length !== 3)).toEqual([]);
    expect(HELD.filter(({ file }) => file === '')).toEqual([]);
  });

  it('names only tests that are there', () => {
    const missing = HELD.filter(
      ({ file, title }) => textOf(file) === '' || (file.endsWith('.ts') && !unescaped(textOf(file)).includes(title)),
    );
    expect(missing).toEqual([]);
  });
});
