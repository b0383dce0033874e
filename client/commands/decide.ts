import { UserError } from '../errors.js';
import type { Io } from '../io.js';
import type { World } from '../world.js';
import { type ActOptions, actCommand } from './act.js';

export interface DecideOptions extends ActOptions {
  reason?: string;
}

/** An approval or a rejection. Only the two words count: free text is never read as consent (G01 of the case list). */
export async function decideCommand(
  gate: { run: string; gate: string; decision: string },
  options: DecideOptions,
  io: Io,
  world: World,
): Promise<number> {
  const { decision } = gate;
  if (decision !== 'approve' && decision !== 'reject')
    throw new UserError(`decide takes approve or reject, not ${JSON.stringify(decision)}`, 2);
  const payload = { gate: gate.gate, decision, ...(options.reason === undefined ? {} : { reason: options.reason }) };
  return actCommand(gate.run, { name: 'decide', payload }, options, io, world);
}
