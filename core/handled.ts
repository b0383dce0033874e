import { HANDLED_MAX } from './limits.js';
import type { MessageName, Run } from './values.js';

/** Answers to human acts; the newest ids are remembered, so that the same id twice is applied once (R12). */
export interface Identity {
  id: string;
  name: MessageName | 'refused';
  of?: string;
  by: string;
  at: number;
}

function handled(run: Run, message: Identity, answer: { applied: boolean; reason: string }): Run {
  const { id, by, at } = message;
  const record = { id, name: nameOf(message.name === 'refused' ? (message.of ?? '') : message.name), by, ...answer, at };
  return { ...run, handled: [...run.handled, record].slice(-HANDLED_MAX) };
}

function nameOf(text: string): MessageName {
  switch (text) {
    case 'attest':
    case 'decide':
    case 'resolve':
    case 'replan':
    case 'pause':
    case 'resume':
    case 'stop':
      return text;
    default:
      return 'message';
  }
}

export function applied(run: Run, message: Identity, reason: string): Run {
  return handled(run, message, { applied: true, reason });
}

export function refuse(run: Run, message: Identity, reason: string): Run {
  return handled(run, message, { applied: false, reason });
}
