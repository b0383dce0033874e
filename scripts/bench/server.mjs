// One embedded server for the whole bench, in a home of its own, found and started as the product does it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '../../dist/client/connection.js';

export async function withServer(use) {
  const home = mkdtempSync(join(tmpdir(), 'donewhen-bench-'));
  const env = { ...process.env, DONEWHEN_HOME: join(home, 'home') };
  for (const name of Object.keys(env)) if (name.startsWith('TEMPORAL_')) delete env[name];
  const session = await openSession({ env });
  try {
    return await use({ session, env, folder: home });
  } finally {
    await session.close();
    rmSync(home, { recursive: true, force: true });
  }
}
