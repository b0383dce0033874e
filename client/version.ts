import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version of this package, from the nearest package.json above: beside the sources, or one folder up from dist. */
export function ownVersion(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const found = versionIn(join(folder, 'package.json'));
    if (found !== null) return found;
  }
  return 'unknown';
}

function versionIn(path: string): string | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null) return null;
    return 'name' in value && value.name === 'donewhen' && 'version' in value && typeof value.version === 'string' ? value.version : null;
  } catch {
    return null;
  }
}
