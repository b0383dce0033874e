import { describe, expect, it } from 'vitest';
import { type Config, defaultConfig, parseConfig, parseConfigValue, policyOf } from '../../documents/config.js';
import { configJsonSchema } from '../../documents/config-schema.js';
import { renderProblem } from '../../documents/problem.js';
import { fc } from '../support/fast-check.js';

const parse = (text: string) => parseConfig(text, { file: 'donewhen.yaml' });
const said = (text: string) => parse(text).problems.map(renderProblem);

const DEFAULTS: Config = {
  agents: {},
  roles: { performer: null, planner: null, verifier: null, reviewer: null },
  limits: { parallel: 1, taskMinutes: 60, runHours: 24, dispatches: 200, costUsd: 25, tokens: null, checkMinutes: 10, waitDays: 30 },
  workspace: { isolation: 'in-place' },
  people: { onBlocked: 'report' },
  gate: { askPlanner: 'on-news', finalSweep: 'on' },
  notify: { command: null, webhook: null },
  environment: { pass: ['PATH', 'HOME', 'LANG'], secrets: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'] },
};

describe('a configuration', () => {
  it.each(['', '# only a comment\n', '{}', 'limits:\n  parallel: 1\n'])('%j has every default', (text) => {
    expect(parse(text)).toEqual({ config: DEFAULTS, problems: [] });
  });

  it('has the defaults also without a file', () => {
    expect(defaultConfig()).toEqual(DEFAULTS);
  });

  it('is read with every key', () => {
    const text = `\ufeffagents:
  claude: { kind: claude-code, model: sonnet, permissions: edit }
  codex: { kind: codex, network: false }
  mine: { kind: command, command: [node, tools/agent.mjs] }
  other: { kind: acp, command: [other, --acp] }
roles: { performer: mine, planner: claude, verifier: claude, reviewer: codex }
limits: { parallel: 3, taskMinutes: 0.5, runHours: 2, dispatches: 7, costUsd: null, tokens: 9000, checkMinutes: 1, waitDays: 2 }
workspace: { isolation: worktree }
people: { onBlocked: wait }
gate: { askPlanner: always, finalSweep: off }
notify: { command: [notify-send, donewhen], webhook: "https://a.test/hook" }
environment: { pass: [PATH], secrets: [MY_KEY] }
`.replaceAll('\n', '\r\n');
    const { config, problems } = parse(text);
    expect({ config, problems: problems.map(renderProblem) }).toEqual({
      problems: [
        'donewhen.yaml:8: warning: workspace.isolation is worktree, which this version does not have: attempts work in the workspace itself',
      ],
      config: {
        agents: {
          claude: { kind: 'claude-code', model: 'sonnet', permissions: 'edit' },
          codex: { kind: 'codex', network: false },
          mine: { kind: 'command', command: ['node', 'tools/agent.mjs'] },
          other: { kind: 'acp', command: ['other', '--acp'] },
        },
        roles: { performer: 'mine', planner: 'claude', verifier: 'claude', reviewer: 'codex' },
        limits: { parallel: 3, taskMinutes: 0.5, runHours: 2, dispatches: 7, costUsd: null, tokens: 9000, checkMinutes: 1, waitDays: 2 },
        workspace: { isolation: 'worktree' },
        people: { onBlocked: 'wait' },
        gate: { askPlanner: 'always', finalSweep: 'off' },
        notify: { command: ['notify-send', 'donewhen'], webhook: 'https://a.test/hook' },
        environment: { pass: ['PATH'], secrets: ['MY_KEY'] },
      },
    });
    expect(config === null ? null : policyOf(config)).toEqual({
      planner: true,
      onBlocked: 'wait',
      askPlanner: 'always',
      finalSweep: false,
    });
  });

  it('that is a value already is read the same way', () => {
    expect(parseConfigValue({ limits: { parallel: 2 } }, { file: 'config' }).config?.limits.parallel).toBe(2);
    expect(parseConfigValue({ limits: { paralel: 2 } }, { file: 'config' }).problems.map(renderProblem)).toEqual([
      'config:1: limits.paralel is no known key; did you mean parallel?',
    ]);
  });

  it('gives the role of the performer to the only agent, and no other role', () => {
    expect(parse('agents: { mine: { kind: command, command: [a] } }').config?.roles).toEqual({
      performer: 'mine',
      planner: null,
      verifier: null,
      reviewer: null,
    });
  });

  it('may name a known agent in a role without saying more of it', () => {
    expect(parse('roles: { performer: claude, planner: codex }').config?.agents).toEqual({
      claude: { kind: 'claude-code' },
      codex: { kind: 'codex' },
    });
  });

  it('reads claude as another name of its kind', () => {
    expect(parse('agents: { a: { kind: claude } }').config?.agents).toEqual({ a: { kind: 'claude-code' } });
  });
});

describe('what is wrong with a configuration', () => {
  it.each<[string, string[]]>([
    ['limits: { paralel: 2 }\n', ['donewhen.yaml:1: limits.paralel is no known key; did you mean parallel?']],
    [
      'limits:\n  parallel: 1\n  colour: red\n',
      [
        'donewhen.yaml:3: limits.colour is no known key; known keys: parallel, taskMinutes, runHours, dispatches, costUsd, tokens, checkMinutes, waitDays',
      ],
    ],
    ['agent: {}\n', ['donewhen.yaml:1: agent is no known key; did you mean agents?']],
    [
      'limits:\n\n  parallel: many\n  dispatches: 0\n  costUsd: -1\n  runHours: 1e9\n',
      [
        'donewhen.yaml:3: limits.parallel must be a number, not "many"',
        'donewhen.yaml:4: limits.dispatches must be at least 1, not 0',
        'donewhen.yaml:5: limits.costUsd must be more than 0, not -1',
        'donewhen.yaml:6: limits.runHours must be at most 8760, not 1000000000',
      ],
    ],
    ['limits: []\n', ['donewhen.yaml:1: limits must be keys with values, not a list']],
    ['- a\n', ['donewhen.yaml:1: the file must be keys with values, not a list']],
    [
      'gate: { askPlanner: on_news }\n',
      ['donewhen.yaml:1: gate.askPlanner must be mechanical, on-news or always, not "on_news"; did you mean on-news?'],
    ],
    ['gate: { finalSweep: true }\n', ['donewhen.yaml:1: gate.finalSweep must be on or off, not true']],
    [
      'agents:\n  a: { kind: comand, command: [x] }\n',
      [
        'donewhen.yaml:2: agents.a.kind must be command, acp, claude-code, claude, codex, gemini, agy or opencode, not "comand"; did you mean command?',
      ],
    ],
    [
      'agents:\n  a: { command: [x] }\n',
      ['donewhen.yaml:2: agents.a.kind is missing; it is command, acp, claude-code, claude, codex, gemini, agy or opencode'],
    ],
    ['agents:\n  a: { kind: command }\n', ['donewhen.yaml:2: agents.a.command is missing; write a list, like [a, b]']],
    ['agents:\n  a: { kind: command, command: node x }\n', ['donewhen.yaml:2: agents.a.command must be a list, like [a, b], not "node x"']],
    ['agents:\n  a: { kind: command, command: [] }\n', ['donewhen.yaml:2: agents.a.command is empty']],
    ['agents:\n  a: { kind: codex, netwrk: true }\n', ['donewhen.yaml:2: agents.a.netwrk is no known key; did you mean network?']],
    [
      'agents:\n  "a b": { kind: codex }\n',
      ['donewhen.yaml:2: agents.a b is no name; a name begins with a letter and holds letters, digits, ".", "_" and "-"'],
    ],
    [
      'agents:\n  human: { kind: codex }\n',
      ['donewhen.yaml:2: agents.human has a name that Performer: human uses already; give the agent another'],
    ],
    [
      'agents: { mine: { kind: codex } }\nroles: { performer: mien }\n',
      ['donewhen.yaml:2: roles.performer names mien, which agents does not have; did you mean mine?'],
    ],
    ['roles: { performer: zzz }\n', ['donewhen.yaml:1: roles.performer names zzz, which agents does not have; name an agent under agents']],
    ['notify: { webhook: ftp://a.test }\n', ['donewhen.yaml:1: notify.webhook must be an http or https URL, not "ftp://a.test"']],
    [
      'environment:\n  pass:\n    - PATH\n    - "A B"\n',
      ['donewhen.yaml:4: environment.pass.1 must be a name of letters, digits, "_" and the like, not "A B"'],
    ],
    ['limits: { parallel: 1 }\nlimits: { parallel: 2 }\n', ['donewhen.yaml:2: the file is no YAML: Map keys must be unique']],
  ])('%j is said with key, line and what may stand there', (text, expected) => {
    expect({ config: parse(text).config, said: said(text) }).toEqual({ config: null, said: expected });
  });

  it('an unquoted text that YAML cannot read names file and line (E01)', () => {
    expect(said('agents:\n  a:\n    kind: codex\n    model: one: two\n').map((line) => line.split(': ').slice(0, 2))).toEqual([
      ['donewhen.yaml:4', 'the file is no YAML'],
    ]);
  });

  it('a text of a hostile kind is refused, not expanded', () => {
    const bomb = `a: &a [x, x]\nb: &b [*a, *a]\n${'cdefghijklmno'
      .split('')
      .map((name, index) => `${name}: &${name} [${`*${'bcdefghijklmno'.charAt(index)}, `.repeat(9)}]`)
      .join('\n')}\n`;
    expect([said(bomb).length, said('['.repeat(20_000)).length, said(`x: ${'y'.repeat(70_000)}`)]).toEqual([
      1,
      1,
      ['donewhen.yaml:1: the file is larger than 32 KiB, which no configuration is'],
    ]);
  });

  it('of any text is said without an exception', () => {
    const fragments = fc.constantFrom(
      'limits:',
      '\n  parallel: 2',
      '\nagents:',
      '\n  a: {kind: codex}',
      '\n',
      ' - x',
      '{',
      '}',
      '&a ',
      '*a',
      '!!js/function x',
      '"',
      ': ',
      '? ',
      '---\n',
      '__proto__: {x: 1}\n',
      '<<: *a\n',
      '|\n',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fragments, fc.string()), { maxLength: 15 }), (parts) => {
        const { config, problems } = parse(parts.join(''));
        expect(config === null).toBe(problems.length > 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('of any value is said without an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ limits: fc.jsonValue(), agents: fc.dictionary(fc.string(), fc.jsonValue()), roles: fc.jsonValue() }),
        ),
        (value) => {
          const { config, problems } = parseConfigValue(value, { file: 'config' });
          expect(config === null).toBe(problems.length > 0);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('the JSON Schema that the package ships', () => {
  it('is the one that the configuration is read by', async () => {
    await expect(`${JSON.stringify(configJsonSchema(), null, 2)}\n`).toMatchFileSnapshot('../../schemas/donewhen.schema.json');
  });
});
