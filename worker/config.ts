import type { WardenOptions } from './warden-loop.js';

/**
 * The environment of this process. Nothing else in worker/ reads process.env: what a part needs, it is given.
 * A copy, so that nobody changes what another part sees.
 */
export function readEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env };
}

/** What the warden is told at its start. Throws where the one argument is not what `startWarden` writes. */
export function readWardenSettings(argument: string | undefined): { options: WardenOptions; env: NodeJS.ProcessEnv } {
  const value: unknown = JSON.parse(argument ?? 'null');
  if (typeof value !== 'object' || value === null) throw new Error('usage: warden OPTIONS, as JSON');
  const { home, executable, version, ports } = value as Record<string, unknown>;
  if (typeof home !== 'string' || typeof executable !== 'string' || typeof version !== 'string') {
    throw new Error('the warden needs home, executable and version');
  }
  return { options: { home, executable, version, ports: ports === 'well-known' ? 'well-known' : 'any' }, env: readEnvironment() };
}
