import { condition, currentUpdateInfo, setDefaultSignalHandler, setHandler, type WorkflowInfo } from '@temporalio/workflow';
import type { Answer, Message, Run } from '../core/values.js';
import { MESSAGES, type Reply, readMessage, signalOf, updateOf } from './messages.js';

/** Answers and messages come in by one queue; handlers only fill it, and the loop looks there when it is ready. */
export interface Inbox {
  items: (Answer | Message)[];
  /** Updates that were answered since the loop last looked; continue-as-new keeps its distance from them. */
  answered: number;
}

export function createInbox(info: WorkflowInfo): Inbox & { nextSignalId(): string } {
  let signals = 0;
  return { items: [], answered: 0, nextSignalId: () => `signal-${info.runId.slice(0, 8)}-${++signals}` };
}

/** Registers signals and updates. `run()` is the run as it stands, or null while it is being opened. */
export function receiveMessages(inbox: Inbox & { nextSignalId(): string }, run: () => Run | null): void {
  for (const { name, description } of MESSAGES) {
    setHandler(
      signalOf(name),
      (input: unknown) => {
        inbox.items.push(readMessage(name, input, { id: inbox.nextSignalId(), at: Date.now() }));
      },
      { description },
    );
    setHandler(
      updateOf(name),
      async (input: unknown): Promise<Reply> => {
        const message = readMessage(name, input, { id: `update-${currentUpdateInfo()?.id ?? inbox.nextSignalId()}`, at: Date.now() });
        inbox.items.push(message);
        const reply = () => run()?.handled.findLast((one) => one.id === message.id);
        await condition(() => reply() !== undefined);
        inbox.answered++;
        const { applied, reason } = reply() ?? { applied: false, reason: 'it was not handled' };
        return { applied, reason };
      },
      { description },
    );
  }
  setDefaultSignalHandler((name) => {
    const names = MESSAGES.map((one) => one.name).join(', ');
    inbox.items.push({
      id: inbox.nextSignalId(),
      by: 'unknown',
      at: Date.now(),
      name: 'refused',
      of: name,
      reason: `no signal is called ${name}; there are ${names}`,
    });
  });
}
