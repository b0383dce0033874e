import { UserError } from '../errors.js';
import type { Io } from '../io.js';
import type { World } from '../world.js';
import { type ActOptions, actCommand } from './act.js';

export interface SteerOptions extends ActOptions {
  reason?: string;
}

const SAID = {
  pause: 'paused: what runs now ends and is judged, then nothing is sent',
  resume: 'goes on',
  stop: 'stopping: what runs now is ended, looked at and reported',
};

/** `pause`, `resume` and `stop`. */
export async function steerCommand(name: keyof typeof SAID, run: string, options: SteerOptions, io: Io, world: World): Promise<number> {
  const payload: Record<string, string> = options.reason === undefined ? {} : { reason: options.reason };
  return actCommand(run, { name, payload, said: SAID[name] }, options, io, world);
}

export interface MessageOptions extends ActOptions {
  to?: string;
}

/** Recorded, and shown to that role in its next brief. */
export async function messageCommand(run: string, text: string, options: MessageOptions, io: Io, world: World): Promise<number> {
  const to = options.to?.trim() ?? '';
  if (to === '') throw new UserError('message needs --to ROLE, as performer or planner', 2);
  if (text.trim() === '') throw new UserError('message needs a text', 2);
  return actCommand(run, { name: 'message', payload: { to, text }, said: `message to ${to} recorded` }, options, io, world);
}
