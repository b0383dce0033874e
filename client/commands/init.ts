import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CONFIG_TEMPLATE } from '../config-template.js';
import { openSession, type Session } from '../connection.js';
import { UserError } from '../errors.js';
import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { PIPELINE_TEMPLATE } from '../pipeline-template.js';
import { lookAtServer, problemsOf } from '../server-facts.js';
import { type Prepared, prepareServer } from '../server-preparation.js';
import type { CommonOptions } from '../world.js';

export interface InitOptions extends CommonOptions {
  /** Where to write a commented donewhen.yaml, and a pipeline. */
  folder?: string;
  pipeline?: boolean;
}

const CONFIG_FILE = 'donewhen.yaml';
const PIPELINE_FILE = 'pipeline.yaml';

/** Makes a server ready for runs, and with a folder writes a commented donewhen.yaml. Twice is safe. */
export async function initCommand(options: InitOptions, io: Io): Promise<number> {
  const isPipeline = options.pipeline === true;
  const folder = options.folder === undefined && !isPipeline ? null : folderOf(options.folder ?? '.', io.cwd);
  const session = await openSession({ ...options, env: io.env, needWorkerless: true });
  try {
    const prepared = await prepareServer(session);
    const problem = problemsOf(await lookAtServer(session.connection, session.namespace), session)[0];
    if (problem !== undefined) throw new UserError(problem, 3);
    const file = folder === null ? null : writeFile(folder, CONFIG_FILE, CONFIG_TEMPLATE);
    const pipeline = folder === null || !isPipeline ? null : writeFile(folder, PIPELINE_FILE, PIPELINE_TEMPLATE);
    tell(session, prepared, { file, pipeline }, options, io);
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
function writeFile(folder: string, name: string, text: string): { path: string; is: 'written' | 'kept' } {
  const path = join(folder, name);
  if (existsSync(path)) return { path, is: 'kept' };
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`, 2, { cause: error });
  }
  return { path, is: 'written' };
}

type Written = ReturnType<typeof writeFile> | null;

interface Files {
  file: Written;
  pipeline: Written;
}

function tell(session: Session, prepared: Prepared, { file, pipeline }: Files, options: CommonOptions, io: Io): void {
  const { address, namespace, embedded } = session;
  if (options.json) {
    io.out(JSON.stringify({ address, namespace, embedded, ...prepared, file, ...(pipeline === null ? {} : { pipeline }) }, null, 2));
    return;
  }
  io.out(`server     ${address}${embedded ? ` (embedded, ${session.home.path})` : ''}`);
  io.out(`namespace  ${namespace}${prepared.namespaceMade ? ', made' : ''}`);
  io.out(`attributes ${prepared.registered.length === 0 ? 'all there' : `registered ${prepared.registered.join(', ')}`}`);
  if (file !== null)
    io.out(
      `${CONFIG_FILE}  ${file.path} ${file.is === 'written' ? 'written: every line is a comment, so nothing changes until you edit it' : 'is there already, left as it is'}`,
    );
  if (pipeline !== null)
    io.out(
      `${PIPELINE_FILE}  ${pipeline.path} ${pipeline.is === 'written' ? 'written: `donewhen check` says what it would do' : 'is there already, left as it is'}`,
    );
}
