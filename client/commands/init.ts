import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFIG_TEMPLATE } from '../config-template.js';
import { openSession, type Session } from '../connection.js';
import { UserError } from '../errors.js';
import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { lookAtServer, problemsOf } from '../server-facts.js';
import { type Prepared, prepareServer } from '../server-preparation.js';
import type { CommonOptions } from '../world.js';

export interface InitOptions extends CommonOptions {
  /** Where to write a commented donewhen.yaml. */
  folder?: string;
  pipeline?: boolean;
}

const CONFIG_FILE = 'donewhen.yaml';

/** Makes a server ready for runs, and with a folder writes a commented donewhen.yaml. Twice is safe. */
export async function initCommand(options: InitOptions, io: Io): Promise<number> {
  if (options.pipeline === true) throw new UserError('pipelines are not in this version: leave --pipeline out', 2);
  const folder = options.folder === undefined ? null : folderOf(options.folder, io.cwd);
  const session = await openSession({ ...options, env: io.env, needWorkerless: true });
  try {
    const prepared = await prepareServer(session);
    const problem = problemsOf(await lookAtServer(session.connection, session.namespace), session)[0];
    if (problem !== undefined) throw new UserError(problem, 3);
    const file = folder === null ? null : writeConfig(folder);
    tell(session, prepared, file, options, io);
    return EXIT_OK;
  } finally {
    await session.close();
  }
}

function folderOf(folder: string, cwd: string): string {
  const path = resolve(cwd, folder);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`${folder} is no folder: make it first, or name another one`, 2);
  return path;
}

/** Never over a file that is there: it is somebody's work. */
function writeConfig(folder: string): { path: string; is: 'written' | 'kept' } {
  const path = join(folder, CONFIG_FILE);
  if (existsSync(path)) return { path, is: 'kept' };
  try {
    writeFileSync(path, CONFIG_TEMPLATE, { flag: 'wx' });
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`, 2, { cause: error });
  }
  return { path, is: 'written' };
}

type Written = ReturnType<typeof writeConfig> | null;

function tell(session: Session, prepared: Prepared, file: Written, options: CommonOptions, io: Io): void {
  const { address, namespace, embedded } = session;
  if (options.json) {
    io.out(JSON.stringify({ address, namespace, embedded, ...prepared, file }, null, 2));
    return;
  }
  io.out(`server     ${address}${embedded ? ` (embedded, ${session.home.path})` : ''}`);
  io.out(`namespace  ${namespace}${prepared.namespaceMade ? ', made' : ''}`);
  io.out(`attributes ${prepared.registered.length === 0 ? 'all there' : `registered ${prepared.registered.join(', ')}`}`);
  if (file !== null)
    io.out(
      `${CONFIG_FILE}  ${file.path} ${file.is === 'written' ? 'written: every line is a comment, so nothing changes until you edit it' : 'is there already, left as it is'}`,
    );
}
