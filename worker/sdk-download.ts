/**
 * A program of its own: lets the Temporal SDK fetch its dev server, and leaves the executable at <folder>/bin/temporal.
 * Own process, because that download can be ended in no other way.
 *   node sdk-download.js VERSION FOLDER
 */
import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const [version, folder] = process.argv.slice(2);
if (version === undefined || folder === undefined) {
  process.stderr.write('usage: sdk-download VERSION FOLDER\n');
  process.exit(2);
}
try {
  const { DefaultLogger, Runtime } = await import('@temporalio/worker');
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });
  const environment = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'cached-download', version: `v${version}`, downloadDir: folder } },
  });
  await environment.teardown();
  mkdirSync(join(folder, 'bin'), { recursive: true });
  // The name under which the SDK keeps what it fetched.
  const file = join(folder, 'bin', 'temporal');
  renameSync(join(folder, `temporal-v${version}`), file);
  chmodSync(file, 0o755);
} catch (error) {
  const words = error instanceof Error ? error.message : String(error);
  // The SDK says the address twice before it says what went wrong.
  const cause = words.replaceAll(/\s+/g, ' ').replace(/^.*error sending request for url \(https:\/\/([^/]+)[^)]*\): /, '$1: ');
  process.stderr.write(`${cause}\n`);
  process.exit(1);
}
