import { UserError } from '../errors.js';
import type { Io } from '../io.js';
import type { World } from '../world.js';
import { type ActOptions, actCommand } from './act.js';

export interface AttestOptions extends ActOptions {
  happened?: string;
  nowTrue?: string;
  unexpected?: string;
}

const ANSWERS = ['yes', 'no', 'partly'];

/** A person's word on a task that was handed over. */
export async function attestCommand(run: string, task: string, options: AttestOptions, io: Io, world: World): Promise<number> {
  const { happened } = options;
  if (happened === undefined || !ANSWERS.includes(happened)) {
    throw new UserError(`attest needs --happened yes, no or partly${happened === undefined ? '' : `, not ${JSON.stringify(happened)}`}`, 2);
  }
  const payload = {
    task,
    happened,
    ...(options.nowTrue === undefined ? {} : { nowTrue: options.nowTrue }),
    ...(options.unexpected === undefined ? {} : { unexpected: options.unexpected }),
  };
  return actCommand(run, { name: 'attest', payload }, options, io, world);
}
