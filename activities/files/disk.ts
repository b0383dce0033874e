import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  createReadStream,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What stands at a path, links not followed. */
export interface Standing {
  kind: 'file' | 'folder' | 'link' | 'other';
  bytes: number;
  inode: number;
  mode: number;
  changedAtMs: number;
}

/**
 * The few operations that the record is made of. Each is one step of the world: a crash happens between two of them, and
 * a test can end the world after any one. Absent is null, never an error; every other fault is Node's own.
 */
export interface Disk {
  standing(path: string): Promise<Standing | null>;
  read(path: string): Promise<Buffer | null>;
  /** Of a file of any size, without holding it. */
  sha256(path: string): Promise<string>;
  /** The bytes from `from` on, at most `length`. */
  readPart(path: string, from: number, length: number): Promise<Buffer>;
  /** A new file with its content on the disk. The path must be free. */
  create(path: string, content: Uint8Array, mode?: number): Promise<void>;
  /** A file whose loss would do no harm: it is not waited for until the disk has it. */
  jot(path: string, content: Uint8Array): Promise<void>;
  /** More bytes at the end of an existing file, on the disk before it answers. */
  append(path: string, content: Uint8Array): Promise<void>;
  cut(path: string, bytes: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for what stands at `from`. */
  link(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable. */
  sync(folder: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  names(folder: string): Promise<string[]>;
  /** Where a path really is; null where it leads nowhere. */
  real(path: string): Promise<string | null>;
}

const flushed = promisify(fsync);
/** What the system copies in less time than a thread takes to wake up. */
const AT_ONCE_BYTES_MAX = 256 * 1024;
/** Whoever puts a pipe in the place of a file must not stop the process that opens it. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * The real disk. Steps that the system answers from memory are made on the spot, since to hand them to another thread
 * takes longer than they do; what waits for the disk itself, or may be long, is awaited.
 */
export function createDisk(): Disk {
  return {
    standing: async (path) => standing(path),
    read: (path) => absentAsNull(() => readWhole(path)),
    sha256: hashOf,
    readPart: async (path, from, length) => readPart(path, from, length),
    create: async (path, content, mode) => create(path, content, mode),
    jot: async (path, content) => (content.length > AT_ONCE_BYTES_MAX ? writeFile(path, content) : writeFileSync(path, content)),
    append: async (path, content) => append(path, content),
    cut,
    rename: async (from, to) => renameSync(from, to),
    link: async (from, to) => linkSync(from, to),
    remove: (path) => rm(path, { force: true, recursive: true }),
    sync,
    makeFolder: async (path) => void (await mkdir(path, { recursive: true })),
    names: async (folder) => (await absentAsNull(() => readdir(folder))) ?? [],
    real: (path) => absentAsNull(() => realpathSync.native(path)),
  };
}

async function absentAsNull<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

async function standing(path: string): Promise<Standing | null> {
  const found = await absentAsNull(() => lstatSync(path));
  if (found === null) return null;
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'other';
  return { kind, bytes: found.size, inode: found.ino, mode: found.mode & 0o777, changedAtMs: Math.floor(found.mtimeMs) };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** What is no file has no content; a pipe would be waited for for ever. */
function readWhole(path: string): Buffer | null | Promise<Buffer> {
  const found = statSync(path);
  if (!found.isFile() && !found.isDirectory()) return null;
  return found.size <= AT_ONCE_BYTES_MAX ? readSmall(path) : readFile(path);
}

function readSmall(path: string): Buffer {
  const file = openSync(path, AT_ONCE);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function readPart(path: string, from: number, length: number): Buffer {
  const file = openSync(path, AT_ONCE);
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, from));
  } finally {
    closeSync(file);
  }
}

function create(path: string, content: Uint8Array, mode = 0o644): Promise<void> {
  return written(openSync(path, 'wx', mode), content);
}

/** Never follows a link, and never makes the file: what is not there any more is not ours to grow. */
function append(path: string, content: Uint8Array): Promise<void> {
  return written(openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW), content);
}

async function written(file: number, content: Uint8Array): Promise<void> {
  try {
    writeFileSync(file, content);
    await flushed(file);
  } finally {
    closeSync(file);
  }
}

async function cut(path: string, bytes: number): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    await file.truncate(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function sync(folder: string): Promise<void> {
  const handle = openSync(folder, 'r');
  try {
    await flushed(handle);
  } finally {
    closeSync(handle);
  }
}

/** The code of a fault of the operating system (`ENOSPC`), or null. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
