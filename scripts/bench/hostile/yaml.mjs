// Texts that cost the reader of a donewhen.yaml, a pipeline file or its context most.
import { counted, filled, many, named } from './units.mjs';

/** What these files may be at most (docs/interface.md §4), and a little less. */
export const CONFIG_CHARS = 31_000;
export const PIPELINE_CHARS = 255_000;

const yamlTexts = (chars) => ({
  'keys that differ': () => counted((index) => `k${index}: 1\n`, '', '', chars),
  'keys in braces': () => counted((index) => `a${index},`, '{', '}', chars),
  'a list in brackets': () => filled('a,', '[', ']', chars),
  'a text in quotes': () => filled('a', 'a: "', '"', chars),
  'a text of escapes': () => filled('\\n', 'a: "', '"', chars),
  'a block of text': () => filled(' a\n', 'a: |\n', '', chars),
  'a folded text': () => filled(' a\n', 'a:\n', '', chars),
  anchors: () => counted((index) => `k${index}: &a${index} 1\n`, '', '', chars),
  tags: () => counted((index) => `k${index}: !t${index} 1\n`, '', '', chars),
  'keys within keys': () => many(Math.floor(Math.sqrt(chars * 2)) - 4, (index) => `${' '.repeat(index)}a:\n`),
  ...named('yaml', ['---\n', '%a\n', '? ', '- ', '[', '{a: ', '#a\n', '- - a\n', 'a:\n', '"a": 1\n'], '', chars),
});

export const config = {
  ...yamlTexts(CONFIG_CHARS),
  'agents that differ': () => counted((index) => `  k${index}: { kind: codex }\n`, 'agents:\n', '', CONFIG_CHARS),
  'agents of no kind': () => counted((index) => `  k${index}: { kind: x }\n`, 'agents:\n', '', CONFIG_CHARS),
  'agents that are none': () => counted((index) => `  k${index}: 1\n`, 'agents:\n', '', CONFIG_CHARS),
  'keys of an agent': () => counted((index) => `k${index}: 1, `, 'agents:\n a: { kind: codex, ', '}', CONFIG_CHARS),
  variables: () => counted((index) => `A${index}, `, 'environment: { pass: [', ']}', CONFIG_CHARS),
  aliases: () => filled('*a, ', `a: &a [${'1, '.repeat(300)}]\nb: [`, ']', CONFIG_CHARS - 1000),
};

const HEAD = 'pipeline: a\ngoal: g\nsteps:\n';
const STEP = '  - { step: 1, agent: a, prompt: "';
const step = (id, rest) => `  - { step: ${id}, agent: a, prompt: x, ${rest} }\n`;
export const pipeline = {
  ...yamlTexts(PIPELINE_CHARS),
  ...named(
    'steps',
    ['  - { step: 1, agent: a, prompt: x }\n', '  - { step: 1, agnt: a }\n', '  - 1\n', '  - {}\n'],
    HEAD,
    PIPELINE_CHARS - 100,
  ),
  'steps that name later ones': () => HEAD + many(499, (index) => step(index, `gate: review, fix: ${index + 1}`)),
  'steps that name what is not there': () =>
    HEAD + many(500, (index) => step(`s${index}`, `when: { step: x${index}, verdict: APPROVE }, fix: y${index}`)),
  'steps with inputs': () => HEAD + many(500, (index) => step(index, `inputs: { ${many(20, (other) => `k${other}: ${index - 1}.a, `)} }`)),
  'steps with keys that are none': () =>
    HEAD +
    many(400, (index) =>
      step(
        index,
        many(20, (other) => `k${index}x${other}: 1, `),
      ),
    ),
  'steps with checks': () =>
    HEAD + many(400, (index) => step(index, `checks: [${many(30, () => '"run: true", ')}], require: [${many(10, () => 'x, ')}]`)),
  'inputs of one step': () => `${HEAD}${step(1, `inputs: { ${many(10_000, (index) => `k${index}: 2.a, `)} }`)}`,
  'values that differ': () => `pipeline: a\ngoal: g\nvalues:\n${many(15_000, (index) => `  k${index}: v\n`)}steps:\n${step(1, '')}`,
  'places that no value fills': () => HEAD + counted((index) => `\${x${index}}`, STEP, '" }\n', PIPELINE_CHARS - 100),
  'places of one name': () => filled(`\${a}`, HEAD + STEP, '" }\n', PIPELINE_CHARS - 100),
  dollars: () => filled('$', HEAD + STEP, '{a}" }\n', PIPELINE_CHARS - 100),
};

export const context = {
  ...named('steps', ['  - { step: 1 }\n', '  - 1\n'], 'steps:\n', PIPELINE_CHARS),
  'keys that differ': () => counted((index) => `k${index}: 1\n`, '', '', PIPELINE_CHARS),
};
