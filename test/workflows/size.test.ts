import { describe, expect, it } from 'vitest';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import { advance, nextMoves } from '../../core/run.js';
import type { Answer, Move, Run } from '../../core/values.js';
import { type Carried, FIRST_RECORD, handOn, resume } from '../../workflows/carried.js';
import { dispatchInput, recordInput, replanInput } from '../../workflows/requests.js';
import { claimOf, NOTHING_SEEN, runOf, seen, taskOf } from '../support/run-values.js';

/** R15, at 1,000 tasks: what crosses continue-as-new, and what an activity is given. */
const TASKS = 1_000;
const CARRIED_BYTES_MAX = 400_000;
const PAYLOAD_BYTES_MAX = 100_000;

const sha = (n: number) => n.toString(16).padStart(64, '0');

function answerTo(move: Move, at: number): Answer {
  const head = { move: move.id, at };
  const words = 'The endpoint answers within the limit that the contract names, also under load.';
  switch (move.is) {
    case 'observe':
      return {
        ...head,
        is: 'observed',
        observation:
          move.when === 'before'
            ? seen(move.attempt.task.checks, 'disproved', 'exit 1')
            : seen('attempt' in move ? move.attempt.task.checks : [], 'holds', 'exit 0'),
      };
    case 'dispatch':
      return {
        ...head,
        is: 'ended',
        end: { is: 'answered', claim: claimOf('done', { stateDelta: [words], evidence: [words] }), code: 0 },
        cost: { usd: 0.01, tokens: 900 },
      };
    case 'record':
      return { ...head, is: 'recorded', sha256: sha(at) };
    default:
      return { ...head, is: 'observed', observation: NOTHING_SEEN };
  }
}

function carriedOf(run: Run): Carried {
  const place = {
    slug: 'big',
    workflowId: 'donewhen-big',
    workspace: '/home/ana/work',
    out: '/home/ana/work',
    folder: '/home/ana/work/.donewhen/big',
    configSha256: sha(1),
    specSha256: null,
    pinned: [],
    host: 'h',
  };
  return {
    ...FIRST_RECORD,
    run,
    place,
    noOp: null,
    adopted: 0,
    warnings: [],
    searchAttributes: [],
    plans: [{ version: 1, sha256: sha(0) }],
  };
}

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('a run of 1,000 tasks', () => {
  const tasks = Array.from({ length: TASKS }, (_, index) =>
    taskOf(`T${index + 1}`, {
      title: `Endpoint ${index + 1} answers in time`,
      checks: [`run: npm test -- endpoint-${index + 1}`],
      covers: [`AC-${index + 1}`],
      states: sha(index).slice(-16),
      dependsOn: index > 0 ? [`T${index}`] : [],
    }),
  );

  it('carries at most 400 KB and gives no activity more than 100 KB, at every task', () => {
    let run = runOf(tasks, { limits: { ...LIMITS_DEFAULT, dispatches: 5_000, costUsd: null } });
    let largestCarried = bytes(handOn(carriedOf(run)));
    let largestPayload = 0;
    for (let at = 1; run.outcome === null && at < TASKS * 10; at++) {
      const move = nextMoves(run)[0];
      if (move === undefined) break;
      const carried = carriedOf(run);
      if (move.is === 'dispatch') largestPayload = Math.max(largestPayload, bytes(dispatchInput(move, carried)));
      if (move.is === 'record') largestPayload = Math.max(largestPayload, bytes(recordInput(carried, move.write)));
      if (at % 500 === 0) {
        run = resume(handOn(carried)).run;
        largestCarried = Math.max(largestCarried, bytes(handOn(carried)));
        largestPayload = Math.max(
          largestPayload,
          bytes(replanInput(carried, 'token', { question: 'replan', triggers: [1], move: 'm', refusals: 0, problems: [], reopening: [] })),
        );
      }
      run = advance(run, answerTo(move, at));
    }
    expect(run.ledger).toHaveLength(TASKS);
    expect(
      { carried: largestCarried <= CARRIED_BYTES_MAX, payload: largestPayload <= PAYLOAD_BYTES_MAX },
      `carried ${largestCarried}, payload ${largestPayload}`,
    ).toEqual({ carried: true, payload: true });
  });
});
