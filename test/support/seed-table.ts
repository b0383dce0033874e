import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './sources.js';

export type Sentence = [where: string, words: string, says: string];

/** A row of the page of a seed is only worth something as long as its tests are there and say what they hold. */
interface Held {
  where: string;
  file: string;
  title: string;
}

/** The tests of docs/seed-<seed>.md: it has a row for each sentence, and each row names tests that are there and cite it. */
export function tableOfSeed({ seed, sentences }: { seed: string; sentences: Sentence[] }): void {
  const rows = rowsOf(readFileSync(join(ROOT, `docs/seed-${seed}.md`), 'utf8'));
  const allHeld = rows.flatMap(heldIn);

  it.each(sentences)('%s (%s): %s', (where, _words, says) => {
    expect(rows.filter((row) => row.where === where && row.says === says)).toHaveLength(1);
  });

  it('has three columns in each row, and each row names a test', () => {
    expect(rows.filter(({ held }) => held === '' || held.includes(' | '))).toEqual([]);
    expect(allHeld.filter(({ file }) => file === '')).toEqual([]);
  });

  it('names only tests that are there', () => {
    expect(allHeld.filter((held) => citingText(held) === null)).toEqual([]);
  });

  it('names only tests that cite the part of the seed that they hold', () => {
    expect(allHeld.filter((held) => !cites(citingText(held) ?? '', { seed, where: held.where }))).toEqual([]);
  });
}

interface Row {
  where: string;
  says: string;
  held: string;
}

function rowsOf(page: string): Row[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| where |'))
    .map((line) => line.slice(2, -2).split(' | '))
    .map(([where = '', says = '', ...held]) => ({ where: where.replace(' †', ''), says, held: held.join(' | ') }));
}

function heldIn({ where, held }: Row): Held[] {
  return held.split(' · ').map((named) => {
    const [, file = '', title = ''] = /^`(test\/[^`]+)`(?:: (.+))?$/.exec(named) ?? [];
    return { where, file, title };
  });
}

const OPENS_A_TEST = /^\s*(it|test|describe)\b/;
const OPENS_A_GROUP = /^\s*describe\b/;

/** Where the test says what it holds: its title, that of its group, and the comments above them; or the head of a transcript. */
function citingText({ file, title }: Held): string | null {
  if (!existsSync(join(ROOT, file))) return null;
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  if (title === '') return lines.slice(0, lines.indexOf('')).join('\n');
  const at = lines.findIndex((line) => line.replaceAll("\\'", "'").includes(title));
  if (at < 0) return null;
  const opened = lines.slice(0, at + 1).findLastIndex((line) => OPENS_A_TEST.test(line));
  const group = lines.slice(0, opened + 1).findLastIndex((line) => OPENS_A_GROUP.test(line));
  return [...withComments(lines, group), ...withComments(lines, opened), lines[at]].join('\n');
}

function withComments(lines: readonly string[], at: number): string[] {
  const from = lines.slice(0, at).findLastIndex((line) => !line.trimStart().startsWith('//')) + 1;
  return lines.slice(from, at + 1);
}

/** The parts of the seed that a text cites, as in `seed 002 §4` and `Seed 002 Resuming, §7.` */
function cites(text: string, { seed, where }: { seed: string; where: string }): boolean {
  return [...text.matchAll(new RegExp(`seed ${seed},?([^)\\n]*)`, 'gi'))].some(([, parts = '']) =>
    parts.split(/[,.:;]/).some((part) => part.trim().toLowerCase() === where.toLowerCase()),
  );
}
