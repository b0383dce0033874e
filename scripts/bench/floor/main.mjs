// A process with a plain worker and one run of the floor; sends the run's milliseconds to its parent.
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { floorActivities } from './activities.mjs';

const [address, namespace, ledger, tasks] = process.argv.slice(2);
Runtime.install({ logger: new DefaultLogger('ERROR') });
const workflowBundle = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('./workflow.mjs', import.meta.url)),
  logger: new DefaultLogger('ERROR'),
});
const connection = await NativeConnection.connect({ address });
const client = new Client({ connection: await Connection.connect({ address }), namespace });
const taskQueue = `floor-${process.pid}`;
const worker = await Worker.create({ connection, namespace, taskQueue, workflowBundle, activities: floorActivities(ledger) });
const ms = await worker.runUntil(client.workflow.execute('floor', { taskQueue, workflowId: taskQueue, args: [Number(tasks)] }));
process.send(ms);
await client.connection.close();
await connection.close();
process.disconnect();
