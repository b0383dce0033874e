import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

/**
 * A log that never grows beyond its limit and never stands in memory: the beginning goes to the file itself, what comes
 * after it to two pieces in turn, and at the end the newer pieces follow the beginning. Writing is synchronous: a
 * performer that prints faster than the disk writes then waits in its pipe instead of in our memory.
 */
export interface BoundedLog {
  write(chunk: Buffer): void;
  /** Puts the pieces together. Why something is missing that the limit does not explain, or null. */
  close(): string | null;
}

const COPY_BYTES = 256 * 1024;

export function createBoundedLog({ file, bytesMax }: { file: string; bytesMax: number }): BoundedLog {
  const headMax = Math.ceil(bytesMax / 4);
  const pieceMax = Math.max(1, Math.floor((bytesMax - headMax) / 2));
  const head = openPiece(file);
  const pieces = [`${file}.a`, `${file}.b`] as const;
  let current = { index: 0, piece: null as Piece | null };
  let previous: Piece | null = null;
  let skipped = 0;
  let fault: string | null = null;

  const turn = (): Piece => {
    if (previous !== null) {
      skipped += previous.bytes;
      closeSync(previous.fd);
    }
    previous = current.piece;
    const index = current.piece === null ? 0 : 1 - current.index;
    const piece = openPiece(pieces[index === 0 ? 0 : 1]);
    current = { index, piece };
    return piece;
  };
  const writeTail = (chunk: Buffer) => {
    for (let rest = chunk; rest.length > 0; ) {
      const piece = current.piece === null || current.piece.bytes >= pieceMax ? turn() : current.piece;
      rest = rest.subarray(append(piece, rest, pieceMax));
    }
  };
  const guarded = (work: () => void) => {
    try {
      work();
    } catch (error) {
      // A full disk must not stop the performer, whose pipe we go on emptying.
      fault ??= error instanceof Error ? error.message : String(error);
    }
  };
  return {
    write: (chunk) =>
      guarded(() => {
        const taken = head.bytes < headMax ? append(head, chunk, headMax) : 0;
        if (taken < chunk.length) writeTail(chunk.subarray(taken));
      }),
    close: () => {
      guarded(() => {
        if (skipped > 0) writeSync(head.fd, `\n[${skipped} bytes are left out here]\n`);
        for (const piece of [previous, current.piece]) if (piece !== null) copyInto(head.fd, piece);
      });
      closeSync(head.fd);
      // The performer may have put a file in the place of their folder.
      guarded(() => {
        for (const piece of pieces) rmSync(piece, { force: true });
      });
      return fault;
    },
  };
}

interface Piece {
  fd: number;
  bytes: number;
}

/** Nothing that stands there already is written through: a link leads elsewhere, and a pipe takes no more than it holds. */
function openPiece(file: string): Piece {
  rmSync(file, { recursive: true, force: true });
  return { fd: openSync(file, 'w+', 0o600), bytes: 0 };
}

/** How many bytes of the chunk fitted. */
function append(piece: Piece, chunk: Buffer, bytesMax: number): number {
  const part = chunk.subarray(0, bytesMax - piece.bytes);
  let written = 0;
  while (written < part.length) written += writeSync(piece.fd, part, written);
  piece.bytes += part.length;
  return part.length;
}

function copyInto(fd: number, piece: Piece): void {
  const buffer = Buffer.alloc(COPY_BYTES);
  for (let at = 0; at < piece.bytes; ) {
    const read = readSync(piece.fd, buffer, 0, buffer.length, at);
    if (read === 0) break;
    writeSync(fd, buffer, 0, read);
    at += read;
  }
  closeSync(piece.fd);
}
