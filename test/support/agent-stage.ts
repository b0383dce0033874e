import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readClaim } from '../../activities/process/attempt-files.js';
import type { RunJson } from '../../core/run-json.js';
import { type AgentName, programsOf } from '../../scripts/agents.mjs';
import type { Scene } from '../model-server/script.js';
import { type ModelServer, startModelServer } from '../model-server/server.js';
import { type AgentHome, createAgentHome, type HomeWords } from './agent-homes.js';
import { attemptsIn, createDesk, type Desk, type Ran } from './command.js';
import { createTestHome, until } from './homes.js';

/** A desk whose performer is a real coding agent, with a HOME of its own and a scripted model behind it. */
export interface AgentStage extends Desk {
  model: ModelServer;
  /** `donewhen run . --json` to its end. */
  carryOut(): Promise<Told>;
  /** Processes of this stage that carry the variables of an attempt, as seen in the process table. */
  attempts(): { pid: number; line: string }[];
  /** Kills what carries the attempts out, and everything in them with it. */
  endSupervisors(): void;
  text(name: string): string;
  /** Its HOME, outside of the workspace and of the temporary folder. */
  home: string;
  until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void>;
  /** The folders in which all that a run keeps would be: workspace, DONEWHEN_HOME with the server's database. */
  kept: string[];
}

export interface Cast {
  plan: string;
  /** Written when the folder is known. */
  scenes(folder: string): Scene[];
  /** Lines of donewhen.yaml beside the role. */
  settings?: string;
  files?: Record<string, string>;
  /** What the home says beside the usual. */
  home?: HomeWords;
  env?: NodeJS.ProcessEnv;
}

/** What a run came to, as `--json` says it. */
export interface Told {
  code: Ran['code'];
  run: RunJson;
  /** One line an entry. */
  ledger: string[];
  err: string;
}

const SLOW_MS = 90_000;

export async function openAgentStage(agent: AgentName, cast: Cast): Promise<AgentStage> {
  const programs = programsOf(agent);
  if (programs === null) throw new Error(`${agent} is not installed: npm run agents:install ${agent}`);
  const scenes: Scene[] = [];
  const model = await startModelServer(scenes);
  const own = createAgentHome(model.url, cast.home);
  const home = createTestHome();
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const env = { ...home.env, ...cast.env, HOME: own.path, XDG_CACHE_HOME: cache, PATH: `${programs}:${home.env.PATH ?? ''}` };
  const config = `roles: { performer: ${agent} }\n${cast.settings ?? ''}`;
  const desk = createDesk(env, { 'PLAN.md': cast.plan, 'donewhen.yaml': config, ...cast.files });
  scenes.push(...cast.scenes(desk.folder));
  return {
    ...desk,
    model,
    home: own.path,
    carryOut: async () => told(await desk.run('run', '.', '--json')),
    attempts: () => attemptsOf(own),
    endSupervisors: () => {
      const claims = attemptsIn(desk.folder).map(readClaim);
      for (const claim of claims) if (claim !== null && claim !== 'unreadable') process.kill(claim.supervisor.pid, 'SIGKILL');
    },
    text: (name) => textOf(join(desk.folder, name)),
    until: (what, isSo) => until(what, isSo, SLOW_MS),
    kept: [desk.folder, home.path],
    remove: async () => {
      try {
        await desk.remove();
      } finally {
        await home.remove();
        await model.close();
        own.remove();
      }
    },
  };
}

export function told({ code, out, err }: Ran): Told {
  let run: RunJson;
  try {
    run = JSON.parse(out) as RunJson;
  } catch {
    throw new Error(`the command ended with ${code} and said no run: ${out}${err}`);
  }
  return { code, run, ledger: linesOf(run), err };
}

export function linesOf({ ledger }: RunJson): string[] {
  return ledger.map(({ task, status, verification, attempt, blocker }) => {
    const why = blocker === null ? '' : `, ${blocker}`;
    return `${task} ${status} ${verification}, attempt ${attempt}${why}`;
  });
}

/** Whatever an agent starts inherits its HOME and the attempt that it belongs to. */
function attemptsOf(home: AgentHome): { pid: number; line: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const environment = textOf(`/proc/${pid}/environ`);
      return environment.includes(`HOME=${home.path}\0`) && environment.includes('DONEWHEN_ATTEMPT=');
    })
    .map((pid) => ({ pid: Number(pid), line: textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }))
    .filter(({ line }) => line !== '');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
