import type { Config } from '../documents/config.js';
import type { PerformerEnvironment } from './dispatch-ports.js';
import { knownSecrets } from './secrets.js';

/**
 * What agents and checks get of the worker's environment (docs/interface.md §8): the variables that the configuration
 * passes on and, of an agent, those that are its own (`also`); no other. A secret is masked everywhere (R16), not passed on.
 */
export function performerEnvironment(
  { pass, secrets }: Config['environment'],
  environment: Readonly<Record<string, string | undefined>>,
  also: readonly string[] = [],
): PerformerEnvironment {
  const variables: Record<string, string> = {};
  for (const name of [...pass, ...also]) {
    const value = environment[name];
    if (value !== undefined && !name.startsWith('DONEWHEN_')) variables[name] = value;
  }
  return { variables, secrets: knownSecrets(secrets, environment) };
}
