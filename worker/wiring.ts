import type { CreateActivities } from './main.js';

/** The activities, loaded only by what hosts a worker: they bring documents, schemas and adapters along. */
export async function loadActivities(): Promise<CreateActivities> {
  return (await import('../activities/index.js')).createActivities;
}
