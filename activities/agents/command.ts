import { unreachable } from '../../core/assert.js';
import { addCost } from '../../core/limits.js';
import type { Cost } from '../../core/values.js';
import { parseReturnBlock } from '../../documents/return-block.js';
import { isSideChannel, parseSideChannels, type SideChannel } from '../../documents/side-channel.js';
import type { AgentAdapter, AgentReading } from './adapter.js';
import { doubtsAbout, plausibleCost } from './plausible.js';
import { fieldsOf, jsonIn } from './stream.js';

/**
 * Any command as an agent (docs/interface.md §9): the brief on its standard input, free text on its standard output,
 * whose last complete block is the answer, and lines of JSON with the key `donewhen` as a side channel.
 */
export function createCommandAdapter(command: readonly string[]): AgentAdapter {
  return {
    passes: [],
    start: ({ prompt, session }) => {
      const env: Record<string, string> = session === null ? {} : { DONEWHEN_SESSION: session };
      return { argv: [...command], env, stdin: prompt };
    },
    glance: (lines) => {
      const { session, progress } = heardIn(lines);
      return { session, progress };
    },
    read: ({ stdout }) => readOutput(stdout),
  };
}

interface Said {
  session: string | null;
  progress: string | null;
  cost: Cost;
  limited: AgentReading['limited'];
}

const NOTHING_SAID: Said = { session: null, progress: null, cost: { usd: null, tokens: null }, limited: null };

function readOutput(stdout: string): AgentReading {
  const lines = stdout.split(/\r?\n/);
  const { session, cost, limited } = heardIn(lines);
  // What it told us by the side is no part of its answer.
  const output = lines.filter((line) => !isSideChannel(line)).join('\n');
  const { claim, problem } = parseReturnBlock(output);
  const doubts = doubtsIn(lines);
  return { output, claim, problem, session, cost, limited, ...(doubts.length === 0 ? {} : { doubts }) };
}

function doubtsIn(lines: readonly string[]): string[] {
  const costs = lines.filter(isSideChannel).map((line) => fieldsOf(fieldsOf(fieldsOf(jsonIn(line)).donewhen).cost));
  return costs.flatMap(({ usd, estimatedUsd, tokens }) => [...doubtsAbout('USD', [usd, estimatedUsd]), ...doubtsAbout('tokens', [tokens])]);
}

function heardIn(lines: readonly string[]): Said {
  return lines.flatMap(parseSideChannels).reduce(heard, NOTHING_SAID);
}

/** The newest session, progress and limit stand; a cost is what was spent since the last such line, and they add up. */
function heard(said: Said, message: SideChannel): Said {
  switch (message.is) {
    case 'session':
      return { ...said, session: message.session };
    case 'progress':
      return { ...said, progress: message.text };
    case 'cost':
      return { ...said, cost: addCost(said.cost, plausibleCost(message.cost)) };
    case 'limited':
      return { ...said, limited: { until: message.until, why: 'the agent reported a usage limit' } };
    default:
      return unreachable(message);
  }
}
