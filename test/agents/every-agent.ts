import { afterEach, describe, test } from 'vitest';
import { programsOf } from '../../scripts/agents.mjs';
import { type AgentStage, type Cast, openAgentStage } from '../support/agent-stage.js';
import { AT_WORK } from './at-work.js';
import { ENDED } from './ended.js';
import type { About } from './play.js';
import { TURNED_AWAY } from './turned-away.js';

const SCENARIOS = { ...AT_WORK, ...ENDED, ...TURNED_AWAY };
type Title = keyof typeof SCENARIOS;

/** The scenarios with this agent. `without`: those for which it has nothing, or which take it minutes, and why. */
export function describeAgent(about: About, more: { without: Partial<Record<Title, string>>; home?: Cast['home'] }): void {
  const { agent } = about;
  const opened: AgentStage[] = [];
  const open = async (cast: Cast) => {
    const stage = await openAgentStage(agent, { home: more.home, ...cast });
    opened.push(stage);
    return stage;
  };
  afterEach(async () => {
    for (const stage of opened.splice(0)) await stage.remove();
  });
  describe.skipIf(programsOf(agent) === null)(agent, () => {
    for (const [title, play] of Object.entries(SCENARIOS)) {
      const why = more.without[title as Title];
      if (why === undefined) test(title, () => play(open, about));
      else test.skip(`${title} (${why})`);
    }
  });
}
