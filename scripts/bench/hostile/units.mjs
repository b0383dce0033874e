// What hostile texts are made of.
export const CHARS = 1_000_000;

/** One thing again and again, within what stands before and after it. */
export function filled(part, before = '', after = '', chars = CHARS) {
  return before + part.repeat(Math.ceil(chars / part.length)) + after;
}

/** The same with a number in each, so that no two are alike. */
export function counted(part, before = '', after = '', chars = CHARS) {
  const parts = [];
  for (let length = 0, index = 0; length < chars; index++) {
    const one = part(index);
    parts.push(one);
    length += one.length;
  }
  return before + parts.join('') + after;
}

export const many = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join('');
/** Texts by what they repeat. */
export const named = (prefix, units, before = '', chars = CHARS) =>
  Object.fromEntries(units.map((unit) => [`${prefix} ${JSON.stringify(unit)}`, () => filled(unit, before, '', chars)]));

export const UNITS = [
  ...[
    '\n',
    '\r',
    '\r\n',
    ' ',
    '\t',
    ' \n',
    '\n\n',
    'a',
    'a\n',
    'a\n\n',
    '.',
    '"',
    '\0',
    '\\',
    '$',
    `\${a}`,
    '\u001b[',
    '\u001b]',
    '\u009b',
  ],
  ...[
    '#',
    '#\n',
    '#1\n',
    '##\n',
    '## T1 \u2028',
    '`',
    '```\n',
    '~~~\n',
    '```a\n',
    '- ',
    '- \n',
    '- a\n',
    '- - ',
    '|',
    '|\n',
    '<',
    '<a b>',
    '[',
  ],
  ...[
    'a: ',
    'a:\n',
    'a: b\n',
    'Aa: b\n',
    '?\n',
    '{',
    '&a ',
    '*a ',
    '!! ',
    '{"donewhen":',
    '{"donewhen":{}}\n',
    '\u200d',
    '\u200d\n',
    '\u202e',
  ],
  ...['😀', '\ud800', '日', 'é', '\u0301', '- [verified] a\n', '- `a` → before: x; after: y\n', 'a, ', 'T2, ', ': \n'],
];
/** What a field may hold much of. */
export const VALUES = [
  '\n',
  ' \n',
  'a\n',
  '- a\n',
  '- \n',
  'a, ',
  '../a, ',
  '`a`, ',
  'Aa: b\n',
  ': \n',
  '\u200d\n',
  '- `a` → after: y\n',
  '- a: b\n',
];
