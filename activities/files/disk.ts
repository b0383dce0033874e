import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { link, lstat, mkdir, open, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';

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

/** The real disk. */
export function createDisk(): Disk {
  return {
    standing,
    read: (path) => absentAsNull(readFile(path)),
    sha256: hashOf,
    readPart,
    create,
    jot: (path, content) => writeFile(path, content),
    append,
    cut,
    rename,
    link,
    remove: (path) => rm(path, { force: true, recursive: true }),
    sync,
    makeFolder: async (path) => void (await mkdir(path, { recursive: true })),
    names: async (folder) => (await absentAsNull(readdir(folder))) ?? [],
    real: (path) => absentAsNull(realpath(path)),
  };
}

async function absentAsNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

async function standing(path: string): Promise<Standing | null> {
  const found = await absentAsNull(lstat(path));
  if (found === null) return null;
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'other';
  return { kind, bytes: found.size, inode: found.ino, mode: found.mode & 0o777, changedAtMs: Math.floor(found.mtimeMs) };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

async function readPart(path: string, from: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function create(path: string, content: Uint8Array, mode = 0o644): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Never follows a link, and never makes the file: what is not there any more is not ours to grow. */
async function append(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
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
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The code of a fault of the operating system (`ENOSPC`), or null. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
