import { existsSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from '@temporalio/client';
import { UserError } from './errors.js';

/** How to reach a server, for the command's own client and for a worker alike. */
export type ConnectionSettings = Pick<ConnectionOptions, 'address' | 'tls' | 'metadata'> & { address: string; apiKey?: string };

/** What the user said about which server to use. */
export interface TargetOptions {
  address?: string;
  namespace?: string;
  profile?: string;
}

export interface Target {
  /** null: nobody named a server. */
  settings: ConnectionSettings | null;
  namespace: string;
}

const NAMESPACE = 'default';

/**
 * What --address, the TEMPORAL_… variables and temporal.toml say, in that order, as the `temporal` CLI reads them. The
 * reader of that file is loaded only when there is something to read: most commands meet a laptop without either.
 */
export async function namedTarget(options: TargetOptions, env: NodeJS.ProcessEnv): Promise<Target> {
  if (!isConfigured(options, env)) {
    return { settings: options.address === undefined ? null : { address: options.address }, namespace: options.namespace ?? NAMESPACE };
  }
  const { loadClientConnectConfig } = await import('@temporalio/envconfig');
  const profile = options.profile ?? env.TEMPORAL_PROFILE;
  try {
    const config = loadClientConnectConfig({ ...(profile ? { profile } : {}), overrideEnvVars: definedIn(env) });
    const address = options.address ?? config.connectionOptions.address;
    const { tls, metadata, apiKey } = config.connectionOptions;
    const namespace = options.namespace ?? config.namespace ?? NAMESPACE;
    if (!address) return { settings: null, namespace };
    return {
      settings: {
        address,
        ...(tls === undefined ? {} : { tls }),
        ...(metadata === undefined ? {} : { metadata: textOf(metadata) }),
        ...(apiKey ? { apiKey } : {}),
      },
      namespace,
    };
  } catch (error) {
    throw new UserError(
      `the Temporal profile${profile ? ` ${profile}` : ''} cannot be read: ${error instanceof Error ? error.message : String(error)} (temporal.toml, or TEMPORAL_CONFIG_FILE)`,
      2,
    );
  }
}

function isConfigured(options: TargetOptions, env: NodeJS.ProcessEnv): boolean {
  if (options.profile !== undefined || Object.keys(env).some((name) => name.startsWith('TEMPORAL_') && env[name])) return true;
  const user = env.HOME || homedir();
  const folder = platform() === 'darwin' ? join(user, 'Library', 'Application Support') : env.XDG_CONFIG_HOME || join(user, '.config');
  return existsSync(join(folder, 'temporalio', 'temporal.toml'));
}

function definedIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));
}

// Header values in a profile are text; the worker's type also allows bytes, which no profile can hold.
function textOf(metadata: object): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
