// A process with a plain worker for the slow floor; the second one joins the run of the first.
import { appendFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { heartbeat } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

const [address, namespace, ledger, id, seconds] = process.argv.slice(2);
const BEAT_MS = 200;
Runtime.install({ logger: new DefaultLogger('ERROR') });
const activities = {
  work: async (task, time) => {
    writeFileSync(`${ledger}.begun-${task}`, '');
    for (const end = Date.now() + time * 1000; Date.now() < end; await pause(BEAT_MS)) heartbeat();
  },
  record: async (task) => appendFileSync(ledger, `## T${task}\n`),
};
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('./slow-workflow.mjs', import.meta.url)),
  logger: new DefaultLogger('ERROR'),
});
const connection = await NativeConnection.connect({ address });
const client = new Client({ connection: await Connection.connect({ address }), namespace });
const worker = await Worker.create({ connection, namespace, taskQueue: id, workflowBundle, activities });
await worker.runUntil(async () => {
  const handle = await client.workflow.start('slowFloor', {
    taskQueue: id,
    workflowId: id,
    args: [3, Number(seconds)],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  await handle.result();
});
await client.connection.close();
await connection.close();
process.disconnect();
