import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Config, defaultConfig } from '../documents/config.js';
import { performerEnvironment } from './environment.js';
import type { Disk } from './files/disk.js';
import { writeWhole } from './files/whole.js';
import type { NotifyInput } from './interface.js';
import { pinnedConfig } from './load/pinned-config.js';
import { maskText, maskTexts } from './process/mask.js';
import { textsOf } from './texts.js';

export const NOTIFY_TIMEOUT_MS = 10_000;
const TEXT_CHARS_MAX = 2_000;
const REASON_CHARS_MAX = 200;

export interface NotifyPorts {
  disk: Disk;
  environment: Readonly<Record<string, string | undefined>>;
  now(): number;
  timeoutMs?: number;
}

/** `null`: not configured. */
interface Told {
  command: string | null;
  webhook: string | null;
}

/**
 * Tells somebody, once for each id: the command and the webhook of donewhen.yaml. It promises to end in bounded time and
 * never throws: a notifier that fails is written down in the run's folder, and the run goes on.
 */
export function createNotify(ports: NotifyPorts): (input: NotifyInput) => Promise<void> {
  return async (given) => {
    const marker = join(given.place.folder, 'notified', `${fileNameOf(given)}.json`);
    try {
      if (await isTold(ports.disk, marker)) return;
      const config = await configFor(ports, given);
      const input = masked(given, config, ports.environment);
      const noted = { id: input.id, kind: input.kind, text: input.text.slice(0, TEXT_CHARS_MAX) };
      const told = await tell(ports, input, config);
      await ports.disk.makeFolder(dirname(marker));
      await writeWhole(ports.disk, marker, `${JSON.stringify({ ...noted, at: new Date(ports.now()).toISOString(), ...told }, null, 2)}\n`);
    } catch {
      // The folder does not take a note. The next write of the record says so loudly; a notification is no reason to fail.
    }
  };
}

/** Or why it cannot be read. */
async function configFor({ disk }: NotifyPorts, { place }: NotifyInput): Promise<Config | string> {
  try {
    return await pinnedConfig(textsOf(disk, place), place);
  } catch (error) {
    return failed(error);
  }
}

/** R16: what a person wrote to the run is told on, and may hold what only they should know. */
function masked(input: NotifyInput, config: Config | string, environment: NotifyPorts['environment']): NotifyInput {
  const { secrets } = performerEnvironment((typeof config === 'string' ? defaultConfig() : config).environment, environment);
  return { ...input, text: maskText(input.text, secrets), json: maskTexts(input.json, secrets) };
}

/** The marker is written when everybody was told: a crash in between tells them again rather than never. */
async function isTold(disk: Disk, marker: string): Promise<boolean> {
  return (await disk.standing(marker)) !== null;
}

async function tell(ports: NotifyPorts, input: NotifyInput, config: Config | string): Promise<Told> {
  if (typeof config === 'string') return { command: config, webhook: null };
  const { notify } = config;
  const text = input.text.replaceAll('\0', '').slice(0, TEXT_CHARS_MAX);
  const body = `${JSON.stringify(input.json)}\n`;
  const timeoutMs = ports.timeoutMs ?? NOTIFY_TIMEOUT_MS;
  const [command, webhook] = await Promise.all([
    notify.command === null ? null : runCommand({ argv: [...notify.command, text], body, timeoutMs, environment: ports.environment }),
    notify.webhook === null ? null : post({ url: notify.webhook, body, timeoutMs }),
  ]);
  return { command, webhook };
}

function runCommand(call: { argv: string[]; body: string; timeoutMs: number; environment: NotifyPorts['environment'] }): Promise<string> {
  return new Promise((done) => {
    const [program = '', ...args] = call.argv;
    const child = spawn(program, args, {
      env: { ...call.environment },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL'); // What it started is ours to end as well (R14).
      } catch {
        // Nobody is left.
      }
    };
    const timer = setTimeout(() => {
      end();
      done(`failed: no end within ${call.timeoutMs} ms`);
    }, call.timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      done(failed(error));
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      end();
      done(code === 0 ? 'told' : `failed: ${signal === null ? `exit ${code}` : signal}`);
    });
    child.stdin.on('error', () => undefined); // It need not read.
    child.stdin.end(call.body);
  });
}

async function post(call: { url: string; body: string; timeoutMs: number }): Promise<string> {
  try {
    const answer = await fetch(call.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: call.body,
      signal: AbortSignal.timeout(call.timeoutMs),
    });
    await answer.body?.cancel();
    return answer.ok ? 'told' : `failed: status ${answer.status}`;
  } catch (error) {
    return failed(error);
  }
}

/** R16: an address may carry a token, so only the kind of the fault is kept, never the address. */
function failed(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : cause instanceof Error ? cause.name : 'unknown';
  return `failed: ${code}`.slice(0, REASON_CHARS_MAX);
}

/**
 * Ids are counted anew by every run of a folder, so when it started belongs to the name. A file name is never made of what
 * we did not look at.
 */
function fileNameOf({ id, place }: NotifyInput): string {
  const safe = id.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
  return `${safe}-${createHash('sha256')
    .update(`${place.startedAt ?? 0} ${id}`)
    .digest('hex')
    .slice(0, 8)}`;
}
