import { stepNameOf } from '../../core/methods/run-pipeline-about.js';
import { advance, nextMoves } from '../../core/run.js';
import { gateWords } from '../../core/run-json.js';
import type { Answer, Attempt, End, Message, Move, Observation, Run, SweepLook } from '../../core/values.js';
import { violations } from '../../core/violations.js';
import { delivered, read } from './pipeline-values.js';
import { NOTHING_SEEN } from './run-values.js';

/** What an attempt at a step comes to: how it ends, and what code sees then. */
export interface Ends {
  end?: End;
  seen: Observation;
}

export type Script = { [task: string]: Ends | Observation | (Ends | Observation)[] };

interface Looks {
  /** Of each look before closing: the checks that no longer hold. */
  broken?: string[][];
  /** What every look before the work brings back. */
  before?: Observation;
}

const STEPS_MAX = 500;

/** Carries a pipeline out, the invariants held at every step; who is not in the script delivers. Ends when only people are left. */
export class PipelinePlay {
  readonly sent: string[] = [];

  constructor(
    public run: Run,
    private readonly script: Script = {},
    private readonly looks: Looks = {},
  ) {}

  carryOn(): this {
    for (let step = 0; step < STEPS_MAX; step++) if (!this.step()) return this;
    throw new Error('the pipeline goes on for ever');
  }

  /** false: only people can go on. */
  step(): boolean {
    const move = nextMoves(this.run).find((one) => one.is !== 'person' && one.is !== 'wait');
    if (move !== undefined) this.take(this.answerTo(move));
    return move !== undefined;
  }

  take(input: Answer | Message): this {
    this.run = advance(this.run, input);
    const broken = violations(this.run);
    if (broken.length > 0) throw new Error(broken.join('; '));
    return this;
  }

  says(message: DistributedOmit<Message, 'id' | 'at' | 'by'>): this {
    return this.take({ id: `act-${this.run.next}`, by: 'ana', at: this.run.clock + 1000, ...message }).carryOn();
  }

  /** `S1 failed artifact-missing-srs · replan done (plan version 2)`. */
  get entries(): string[] {
    return this.run.ledger.map(({ task, status, blocker, verdict, gates }) => {
      const last = gates.at(-1);
      const words = [task, status, blocker, verdict].filter((word) => word !== undefined).join(' ');
      return `${words} · ${last === undefined ? 'open' : gateWords(last)}`;
    });
  }

  get askedBy(): string[] {
    return this.run.ledger.map(({ task, askedBy }) => `${task}: ${askedBy}`);
  }

  private answerTo(move: Move): Answer {
    const head = { move: move.id, at: this.run.clock + 1000 };
    switch (move.is) {
      case 'observe':
        if (move.when === 'after') return { ...head, is: 'observed', observation: this.comes(move.attempt).seen };
        return {
          ...head,
          is: 'observed',
          observation: move.when === 'sweep' ? this.sweep(move.looks) : (this.looks.before ?? NOTHING_SEEN),
        };
      case 'dispatch':
        this.sent.push(move.attempt.task.id);
        return {
          ...head,
          is: 'ended',
          end: this.comes(move.attempt).end ?? { is: 'exited', code: 0 },
          session: `session of ${move.token}`,
        };
      case 'record':
        return { ...head, is: 'recorded' };
      default:
        throw new Error(`a pipeline asks for no ${move.is}`);
    }
  }

  private sweep(looks: SweepLook[]): Observation {
    const broken = this.looks.broken?.shift() ?? [];
    const seen = looks.map(({ check }) => {
      const is = broken.includes(check) ? 'disproved' : 'holds';
      return { check, is, saw: is } as const;
    });
    return { ...NOTHING_SEEN, looks: seen };
  }

  private comes({ task, number, leg }: Attempt): Ends {
    const scripted = this.script[task.id];
    const one = Array.isArray(scripted) ? (scripted[number * leg - 1] ?? scripted.at(-1)) : scripted;
    if (one === undefined) return { seen: delivered(read(stepNameOf(task.id), { verdict: 'APPROVED' })) };
    return 'seen' in one ? one : { seen: one };
  }
}

type DistributedOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
