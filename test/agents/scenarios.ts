import { join } from 'node:path';
import { planText, taskText } from '../client/support/folders.js';
import type { Failing, Scene, Turn } from '../model-server/script.js';

/** The claim of an agent at the end of its work, in the form of the return contract. */
export function claims(status: string, ...delta: string[]): Turn {
  return { is: 'says', text: `I am at the end.\n\nstatus: ${status}\nstate_delta:\n${delta.map((one) => `- ${one}\n`).join('')}` };
}

export const makes = (folder: string, name: string): Turn => ({ is: 'writes', path: join(folder, name), content: 'made\n' });
export const runs = (command: string): Turn => ({ is: 'runs', command });
export const fails = (how: Failing): Turn => ({ is: 'fails', how });
export const HANGS: Turn = { is: 'hangs' };

/** What the model plays for a task, whose brief begins like this. */
export const scene = (task: string, ...turns: Turn[]): Scene => ({ when: `${task} — Part`, turns });

/** Makes the file of the task and says so, after what else it does first. */
export const honest = (folder: string, task: string, ...first: Turn[]): Scene =>
  scene(task, ...first, makes(folder, `out-${task}`), claims('done', `out-${task} exists`));

export const ONE_TASK = planText(taskText('T1'));
export const TWO_TASKS = planText(taskText('T1'), taskText('T2', { depends: 'T1' }));

/** Seconds since 1970, as providers count them. */
export const secondsFromNow = (seconds: number): number => Math.ceil(Date.now() / 1000) + seconds;
