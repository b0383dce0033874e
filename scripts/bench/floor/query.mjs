// The floor of `donewhen status`: connect, ask one question, print the answer.
import { Client, Connection } from '@temporalio/client';

const [address, namespace, workflowId] = process.argv.slice(2);
const connection = await Connection.connect({ address });
const client = new Client({ connection, namespace });
const handle = client.workflow.getHandle(workflowId);
const run = await handle.describe();
console.log(run.status.name === 'RUNNING' ? await handle.query('state') : await handle.result());
await connection.close();
