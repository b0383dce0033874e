// The floor: a bare workflow that makes the same four ordinary activities for each task, one after the other.
import { proxyActivities } from '@temporalio/workflow';

const { check, dispatch, verify, record } = proxyActivities({ startToCloseTimeout: '1 minute' });

export async function floor(tasks) {
  const began = Date.now();
  for (let task = 1; task <= tasks; task++) {
    await check(task);
    await dispatch(task);
    await verify(task);
    await record(task);
  }
  return Date.now() - began;
}
