import { describe, expect, it } from 'vitest';
import { type AgentName, programsOf } from '../../scripts/agents.mjs';
import { startModelServer } from '../model-server/server.js';
import { createAgentHome } from '../support/agent-homes.js';
import { PATH, performer } from '../support/attempts.js';
import { Dice } from '../support/dice.js';
import { ENDINGS, type Ending, type Killed, kill, TOLD, type Victim } from '../support/victims.js';

const KILLS = 240;
const KILLS_AN_AGENT = 12;
const AT_ONCE = 4;
const SEED = 8;
const TREE_UP_MS = 3_000;
const AGENT_UP_MS = 30_000;

/** One program, and up to four more that leave its group, its session or its family, or do not hear signals. */
function tree(dice: Dice): Victim {
  const forms = Array.from({ length: dice.roll(5) }, () => dice.pick('plain', 'session', 'orphan', 'stubborn'));
  // A stubborn one is a shell with the word in its script, and the sleep that it waits for.
  const processes = 1 + forms.reduce((sum, form) => sum + (form === 'stubborn' ? 2 : 1), 0);
  return { argv: (word) => performer('tree.sh', word, ...forms), spec: {}, timeoutMs: TREE_UP_MS, processes };
}

async function campaign(kills: number, victimOf: (n: number) => { victim: Victim; word?: string }): Promise<[Ending, Killed][]> {
  const results: [Ending, Killed][] = [];
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < kills; n = next++) {
      const ending = ENDINGS[n % ENDINGS.length] ?? 'cancel';
      const { victim, word } = victimOf(n);
      results.push([ending, await kill(victim, ending, word)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

const expected = (results: [Ending, Killed][]) => results.map(([ending]) => [ending, { end: TOLD[ending], alive: [] }]);

it(`${KILLS} ends from outside leave no process of any tree alive (R14, seed ${SEED})`, async () => {
  const dice = new Dice(SEED, Number.POSITIVE_INFINITY);
  const results = await campaign(KILLS, () => ({ victim: tree(dice) }));
  expect(results).toHaveLength(KILLS);
  expect(results).toEqual(expected(results));
});

/** The command line of each agent in which nobody is asked. */
const ALONE: Record<AgentName, string[]> = {
  claude: ['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
  codex: ['exec', '--json', '--skip-git-repo-check', '--sandbox', 'workspace-write', '-'],
  gemini: ['-o', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
  opencode: ['run', '--format', 'json'],
};

describe.each(Object.keys(ALONE) as AgentName[])('%s', (agent) => {
  it.skipIf(programsOf(agent) === null)(`${KILLS_AN_AGENT} ends from outside leave nothing of it or its tools alive (R14)`, async () => {
    const words = Array.from({ length: KILLS_AN_AGENT }, (_, n) => `${8_000 + n}.${SEED}${n}${process.pid}`);
    const command = (word: string) => `setsid nohup sleep ${word} >/dev/null 2>&1 & sleep ${word} & sleep ${word}`;
    const model = await startModelServer(words.map((word) => ({ when: `WORD ${word};`, turns: [{ is: 'runs', command: command(word) }] })));
    const home = createAgentHome(model.url);
    try {
      const results = await campaign(KILLS_AN_AGENT, (n) => {
        const word = words[n] ?? '';
        const env = { HOME: home.path, PATH: `${programsOf(agent)}:${PATH}` };
        const argv = () => [agent, ...ALONE[agent]];
        return { word, victim: { argv, spec: { env }, stdin: `WORD ${word};`, timeoutMs: AGENT_UP_MS, processes: 2 } };
      });
      expect(results).toEqual(expected(results));
    } finally {
      await model.close();
      home.remove();
    }
  });
});
