import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The first executable file of that name on PATH, or null. Relative folders of PATH are left out, as they depend on where one stands. */
export function onPath(env: Record<string, string | undefined>, name: string): string | null {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (isAbsolute(folder) && isExecutableFile(join(folder, name))) return join(folder, name);
  }
  return null;
}

export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
