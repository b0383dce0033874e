import { type AgentFacts, factsOf, programOf } from '../../activities/agents/facts.js';
import { askLive } from '../../activities/agents/live.js';
import { type Agent, type Config, defaultConfig, KNOWN_AGENTS, parseConfig } from '../../documents/config.js';
import { onPath } from '../../worker/on-path.js';
import { CONFIG_FILE, gitTop, readConfigOf } from '../plan-folder.js';
import { type Finding, missing, note, ok } from './finding.js';

const ANSWER_MS_MAX = 120_000;

interface Here {
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/** The coding agents of the donewhen.yaml here, else the known ones that are installed: what they are and who pays. */
export async function lookAtAgents(here: Here): Promise<Finding[]> {
  const { config, agents } = agentsHere(here);
  return Promise.all(
    agents.map(async ([name, agent]) => {
      const facts = await factsOf(name, agent, { environment: here.env, names: config.environment });
      return factsFinding(name, agent, facts);
    }),
  );
}

/** Asks each of them one question, one after the other. */
export async function askAgents(here: Here): Promise<Finding[]> {
  const { config, agents, workspace } = agentsHere(here);
  const findings: Finding[] = [];
  for (const [name, agent] of agents) {
    const given = { environment: here.env, names: config.environment, workspace, timeoutMs: ANSWER_MS_MAX };
    const { answers, says, fix } = await askLive(name, agent, given);
    const what = `${name}, live`;
    findings.push(answers ? ok(what, says) : missing(what, says, fix ?? 'start it by hand and see what it says'));
  }
  return findings;
}

function agentsHere({ env, cwd }: Here): { config: Config; agents: [string, Agent][]; workspace: string } {
  const workspace = gitTop(cwd) ?? cwd;
  const text = readConfigOf(workspace);
  const config = (text === null ? null : parseConfig(text, { file: CONFIG_FILE }).config) ?? defaultConfig();
  const named = Object.entries(config.agents);
  const agents = named.length > 0 ? named : Object.entries(KNOWN_AGENTS).filter(([name]) => onPath(env, name) !== null);
  // A command of one's own says nothing of itself.
  return { config, agents: agents.filter(([, { kind }]) => kind !== 'command'), workspace };
}

function factsFinding(name: string, agent: Agent, { version, tried, credentials, missing: absent }: AgentFacts): Finding {
  const seen = tried === null ? '' : version === tried ? ', as tried' : `, tried with ${tried}`;
  const says = `${version ?? 'version unknown'}${seen}; credentials: ${credentials}`;
  if (absent.includes(programOf(agent))) return note(name, 'its program is not there', `install ${programOf(agent)}`);
  if (absent.length > 0)
    return note(
      name,
      `${says}; without ${absent.join(' and ')} it runs only the commands of the checks`,
      `install ${absent.join(' and ')}`,
    );
  return ok(name, says);
}
