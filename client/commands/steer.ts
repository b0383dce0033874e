import { UserError } from '../errors.js';
import type { Io } from '../io.js';
import type { World } from '../world.js';
import { type ActOptions, actCommand } from './act.js';

export interface SteerOptions extends ActOptions {
  reason?: string;
}

/** `pause`, `resume` and `stop`. */
export async function steerCommand(
  name: 'pause' | 'resume' | 'stop',
  run: string,
  options: SteerOptions,
  io: Io,
  world: World,
): Promise<number> {
  const payload: Record<string, string> = options.reason === undefined ? {} : { reason: options.reason };
  return actCommand(run, { name, payload }, options, io, world);
}

export interface MessageOptions extends ActOptions {
  to?: string;
}

/** Recorded, and shown to that role in its next brief. */
export async function messageCommand(run: string, text: string, options: MessageOptions, io: Io, world: World): Promise<number> {
  const to = options.to?.trim() ?? '';
  if (to === '') throw new UserError('message needs --to ROLE, as performer or planner', 2);
  if (text.trim() === '') throw new UserError('message needs a text', 2);
  return actCommand(run, { name: 'message', payload: { to, text } }, options, io, world);
}
