import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables whose values are secrets, whatever the configuration says of them. */
const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)$/i;
/** A short word without a digit may be anything (`SORT_KEY=createdAt`). */
const CHARS_MIN = 16;
const CHARS_MIN_WITH_DIGIT = 8;
const FILE_CHARS_MAX = 256 * 1024;

/** Where git, its helpers and the known agents keep what they log in with, relative to HOME, and how a secret stands there. */
const IN_JSON = /"[^"\s]{0,60}(?:token|key|secret|password)[^"\s]{0,60}"\s*:\s*"([^"\\]{16,})"/gi;
const IN_LINES = /^\s*(?:export\s+)?\w*(?:KEY|TOKEN|SECRET)\s*=\s*["']?([^\s"']{16,})/gm;
const IN_ADDRESSES = /^\w+:\/\/[^:@/\s]*:([^@\s]+)@/gm;
const KEPT: readonly { file: string; secret: RegExp }[] = [
  { file: '.git-credentials', secret: IN_ADDRESSES },
  { file: '.config/git/credentials', secret: IN_ADDRESSES },
  { file: '.netrc', secret: /\bpassword\s+(\S+)/g },
  { file: '.config/gh/hosts.yml', secret: /\boauth_token:\s*["']?([^\s"']+)/g },
  { file: '.claude/.credentials.json', secret: IN_JSON },
  { file: '.codex/auth.json', secret: IN_JSON },
  { file: '.gemini/oauth_creds.json', secret: IN_JSON },
  { file: '.gemini/.env', secret: IN_LINES },
  { file: '.local/share/opencode/auth.json', secret: IN_JSON },
];

/** The values that may stand in no record (R16): of the named variables, of those named like a secret, and of what git and the agents keep. */
export function knownSecrets(named: readonly string[], environment: Environment): string[] {
  const given = named.flatMap((name) => environment[name] ?? []);
  const alike = Object.entries(environment).flatMap(([name, value = '']) => (SECRET_NAME.test(name) && isTelling(value) ? [value] : []));
  return [...new Set([...given, ...alike, ...keptSecrets(environment.HOME)])];
}

function isTelling(value: string): boolean {
  return value.length >= CHARS_MIN || (value.length >= CHARS_MIN_WITH_DIGIT && /\d/.test(value));
}

function keptSecrets(home: string | undefined): string[] {
  if (home === undefined || home === '') return [];
  return KEPT.flatMap(({ file, secret }) => [...textOf(join(home, file)).matchAll(secret)].flatMap(([, value]) => plain(value ?? '')));
}

/** An address holds it encoded. */
function plain(value: string): string[] {
  try {
    return [value, decodeURIComponent(value)];
  } catch {
    return [value];
  }
}

function textOf(path: string): string {
  // Most are not there, and this is asked with every look: an error for each would cost more than the rest of it.
  if (!existsSync(path)) return '';
  try {
    return readFileSync(path, 'utf8').slice(0, FILE_CHARS_MAX);
  } catch {
    return '';
  }
}
