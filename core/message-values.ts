/** What a run asks of people, and what they answer. Plain JSON, as all values of a run. */
export interface Question {
  id: string;
  kind: 'attest' | 'decide' | 'resolve';
  task?: string;
  gate?: string;
  ask: string;
  since: number;
  until: number;
}

export interface Handled {
  id: string;
  name: MessageName;
  by: string;
  applied: boolean;
  reason: string;
  at: number;
}

export type MessageName = 'attest' | 'decide' | 'resolve' | 'replan' | 'message' | 'pause' | 'resume' | 'stop';

/** A human act, parsed from a signal or an update. `shown` is what the person looked at: a plan version. */
export type Message = { id: string; by: string; at: number; shown?: number | string } & (
  | { name: 'attest'; task: string; happened: 'yes' | 'no' | 'partly'; nowTrue?: string; unexpected?: string }
  | { name: 'decide'; gate: string; decision: 'approve' | 'reject'; reason?: string }
  | { name: 'resolve'; blocker: string; resolution: string; check?: string }
  | { name: 'replan'; plan: string }
  | { name: 'message'; to: string; text: string }
  | { name: 'pause'; reason?: string }
  | { name: 'resume'; reason?: string }
  | { name: 'stop'; reason?: string }
  | { name: 'refused'; of: string; reason: string }
);
