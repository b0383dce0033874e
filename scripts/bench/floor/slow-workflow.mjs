// A bare workflow of slow activities, with the timers that Temporal's own examples give a long activity.
import { proxyActivities } from '@temporalio/workflow';

const { work, record } = proxyActivities({ startToCloseTimeout: '10 minutes', heartbeatTimeout: '30 seconds' });

export async function slowFloor(tasks, seconds) {
  for (let task = 1; task <= tasks; task++) {
    await work(task, seconds);
    await record(task);
  }
}
