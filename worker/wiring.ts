import { entryPoint } from './entry-point.js';
import type { CreateActivities } from './main.js';

/** The activities, loaded only by what hosts a worker: they bring documents, schemas and adapters along. */
export async function loadActivities(): Promise<CreateActivities> {
  const module: unknown = await import(entryPoint('activities/index.js'));
  if (hasCreateActivities(module)) return module.createActivities;
  throw new Error('activities/index.js has no createActivities');
}

function hasCreateActivities(module: unknown): module is { createActivities: CreateActivities } {
  return typeof module === 'object' && module !== null && 'createActivities' in module && typeof module.createActivities === 'function';
}
