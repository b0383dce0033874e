import { expect, test } from 'vitest';
import type { EntryText } from '../../../core/values.js';
import { type BossEvent, bossLogTitle, renderBossEvent } from '../../../documents/pipeline/boss-log.js';

const AT = Date.UTC(2026, 3, 10, 0, 1);
const TEXT: EntryText = {
  stateDelta: [],
  evidence: [],
  words: [],
  discovered: [],
  unresolved: [],
  risk: [],
  userAction: [],
  deviation: [],
};
const GATE = '[ARTIFACT GATE] STEP 1 — missing: docs/srs.md. Re-invoking agent.';
const delivery = { artifacts: [], metrics: [], criticalIssues: ['a', 'b'], nextInputs: [] };

// Seed 003 Boss Parsing Rule 3: the line of the artifact gate, letter for letter.
test('a run of a pipeline, as its log tells it', () => {
  const events: BossEvent[] = [
    { is: 'start', at: AT, slug: 'okr', resumed: true },
    { is: 'begun', at: AT, step: '1', agent: 'okr.srs', askedBy: 'start' },
    {
      is: 'recorded',
      step: '1',
      entry: {
        task: 'S1',
        status: 'failed',
        blocker: 'artifact-srs',
        gates: [],
        endedAt: AT + 999,
        text: { ...TEXT, words: ['the block says SUCCESS', GATE] },
      },
    },
    {
      is: 'recorded',
      step: '5',
      entry: {
        task: 'S5',
        status: 'done',
        verdict: 'REJECTED',
        delivery,
        gates: [
          { is: 'required', at: 0 },
          { is: 'exhausted', blocker: 'gate-S5-exhausted', why: 'rejected after 5 rounds', final: false, at: 0 },
        ],
        endedAt: AT + 60_000,
        text: TEXT,
      },
    },
    { is: 'recorded', step: '6', entry: { task: 'S6', status: 'no_op', gates: [{ is: 'holds', at: 0 }], endedAt: 0, text: null } },
    {
      is: 'recorded',
      step: '7',
      entry: { task: 'S7', status: 'done', gates: [{ is: 'holds', at: 0, debt: 'S7 is not approved' }], endedAt: AT, text: TEXT },
    },
    { is: 'begun', at: AT, step: '13', agent: null, askedBy: 'back-to-plan 2' },
    { is: 'end', at: AT, outcome: 'PARTIAL' },
  ];
  expect(bossLogTitle('okr') + events.map(renderBossEvent).join('')).toBe(`# Boss log: okr

- 2026-04-10T00:01:00Z [START] okr, resumed
- 2026-04-10T00:01:00Z [PROCESSING] STEP 1 — okr.srs, asked by start
- 2026-04-10T00:01:00Z ${GATE}
- 2026-04-10T00:01:00Z [FAILED] STEP 1 — S1, artifact-srs
- 2026-04-10T00:02:00Z [DELIVERED] STEP 5 — S5, verdict REJECTED
- 2026-04-10T00:02:00Z [ISSUE] STEP 5 — S5, 2 critical issues
- 2026-04-10T00:02:00Z [ESCALATION] STEP 5 — gate-S5-exhausted: rejected after 5 rounds
- — [SKIPPED] STEP 6 — S6
- 2026-04-10T00:01:00Z [DELIVERED] STEP 7 — S7
- 2026-04-10T00:01:00Z [DEBT] STEP 7 — S7 is not approved
- 2026-04-10T00:01:00Z [BACK-TO-PLAN] STEP 13 — cycle 2
- 2026-04-10T00:01:00Z [PROCESSING] STEP 13 — command, asked by back-to-plan 2
- 2026-04-10T00:01:00Z [END] PARTIAL
`);
});
