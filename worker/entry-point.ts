import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServerFault } from './server-fault.js';

/**
 * The compiled file `name`, as `worker/warden.js`. Child processes run under plain Node, so they need the compiled one
 * also where the sources themselves are run, as the tests do.
 */
export function entryPoint(name: string): string {
  const here = fileURLToPath(import.meta.url);
  const root = dirname(dirname(here));
  const file = here.endsWith('.ts') ? join(root, 'dist', name) : join(root, name);
  if (!existsSync(file)) throw new ServerFault(`${file} is missing: build it with npm run build`);
  return file;
}
