import type { Config } from '../documents/config.js';
import type { PerformerEnvironment } from './dispatch-ports.js';
import { knownSecrets } from './secrets.js';

/**
 * What agents and checks get of the worker's environment (docs/interface.md §8): the variables that the configuration
 * passes on, its secrets among them, and no other. Whatever is known to be a secret is masked everywhere (R16).
 */
export function performerEnvironment(
  { pass, secrets }: Config['environment'],
  environment: Readonly<Record<string, string | undefined>>,
): PerformerEnvironment {
  const variables: Record<string, string> = {};
  for (const name of [...pass, ...secrets]) {
    const value = environment[name];
    if (value !== undefined && !name.startsWith('DONEWHEN_')) variables[name] = value;
  }
  return { variables, secrets: knownSecrets(secrets, environment) };
}
