import { type Config, KNOWN_AGENTS } from '../config.js';
import { didYouMean } from '../nearest.js';
import { errorAt, type Problem } from '../problem.js';
import type { PipelineDocument } from './file.js';

/** Who works where a step names nobody, and every step whose performer nobody is. */
export function performersOf(
  document: PipelineDocument,
  { config, installed, file }: { config: Config; installed: readonly string[]; file: string },
): { roles: { performer: string; reviewer: string }; problems: Problem[] } {
  const agents = Object.keys(config.agents);
  const [only] = installed.length === 1 ? installed : [];
  const known = agents.length > 0 || only === undefined ? agents : [only];
  const performer = config.roles.performer ?? (agents.length === 0 ? (only ?? null) : null);
  const reviewer = config.roles.reviewer ?? performer;
  const problems = document.steps.flatMap(({ step, run, gate, performer: name, line, lines }): Problem[] => {
    if (run) return [];
    if (name !== undefined) {
      if (known.includes(name)) return [];
      const words = `step ${step} is for ${name.slice(0, 60)}, and no agent has that name${didYouMean(name, known)}; known are ${known.join(', ') || 'none'}`;
      return [errorAt({ file, line: lines.performer }, words)];
    }
    const role = gate === 'review' ? 'reviewer' : 'performer';
    if ((gate === 'review' ? reviewer : performer) !== null) return [];
    return [errorAt({ file, line }, `step ${step} needs an agent, and ${wayOut(known, installed, role)}`)];
  });
  return { roles: { performer: performer ?? '', reviewer: reviewer ?? '' }, problems };
}

function wayOut(known: readonly string[], installed: readonly string[], role: string): string {
  if (known.length > 0) return `donewhen.yaml has several (${known.join(', ')}); name one under roles.${role}`;
  if (installed.length > 1) return `several are installed (${installed.join(', ')}); name one under roles.performer in donewhen.yaml`;
  return `none is known: install ${Object.keys(KNOWN_AGENTS).join(', ')}, or name a command under agents in donewhen.yaml`;
}
