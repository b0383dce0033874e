import { describe, expect, it, test } from 'vitest';
import type { EntryDelivery } from '../../../core/methods/pipeline-values.js';
import type { Entry, GateRecord } from '../../../core/values.js';
import { parseLedger } from '../../../documents/ledger.js';
import { ledgerTitle, renderEntry } from '../../../documents/ledger-render.js';
import { metricValue } from '../../../documents/pipeline/metric.js';
import { renderProblem } from '../../../documents/problem.js';
import { fc } from '../../support/fast-check.js';

const SHA = 'a'.repeat(64);
const REVIEW = `# LEDGER: okr

## S5@2 — okr.reviewspec  [done]
Plan version: 3
Covers: 5
Evidence:
- the block of S5@2 says step 5, agent okr.reviewspec, SUCCESS
Verification: verified
Asked by: review of S3@2
Verdict: REJECTED (opinion)
Artifacts:
- report: \`docs/reports/05-review-spec-report.md\` → sha256 ${SHA}
- "a key: odd": \`docs/a b.md\` → sha256 ${SHA}
Metrics:
- critical-count: 2
- coverage: 85%
Critical issues:
- Missing BR-KR-002 boundary validation in spec §5
- SCR-mod01-02: wireframe missing target field
Next inputs:
- spec: specs/001/spec.md
- modules: {"id":"mod01"}
- modules: mod02
Attempt: 2, codex, session abc
Cost: 0.10 USD, 900 tokens
Gate blocker: gate-S5-exhausted
Gate note: rejected after 5 rounds
Debt: S5 is not approved
Gate: replan exhausted
`;

const ENTRY: Entry = {
  seq: 1,
  task: 'S1',
  title: 'okr.srs',
  status: 'done',
  label: 'verified',
  planVersion: 1,
  attempt: 1,
  performer: 'mine',
  covers: ['1'],
  states: '',
  checks: [],
  observed: 'holds',
  askedBy: 'start',
  asOf: 0,
  gates: [{ is: 'holds', at: 0 }],
  cost: { usd: null, tokens: null },
  startedAt: 0,
  endedAt: 0,
  text: { stateDelta: [], evidence: [], words: ['seen'], discovered: [], unresolved: [], risk: [], userAction: [], deviation: [] },
};

const read = (entry: Entry) => parseLedger(`${ledgerTitle('okr')}\n${renderEntry(entry)}`, { file: 'LEDGER.md' });

// docs/interface.md §10: LEDGER.md alone resumes.
describe('the entry of a step', () => {
  it('says what its block listed, who asked for it and what its verdict is', () => {
    const { ledger, problems } = parseLedger(REVIEW, { file: 'LEDGER.md' });
    expect(problems.map(renderProblem)).toEqual([]);
    const [entry] = ledger.entries;
    expect(entry).toMatchObject({
      task: 'S5@2',
      askedBy: 'review of S3@2',
      verdict: 'REJECTED',
      session: 'abc',
      delivery: {
        artifacts: [
          { key: 'report', path: 'docs/reports/05-review-spec-report.md', sha256: SHA },
          { key: 'a key: odd', path: 'docs/a b.md', sha256: SHA },
        ],
        metrics: [
          { key: 'critical-count', value: 2 },
          { key: 'coverage', value: '85%' },
        ],
        criticalIssues: ['Missing BR-KR-002 boundary validation in spec §5', 'SCR-mod01-02: wireframe missing target field'],
        nextInputs: [
          { key: 'spec', values: ['specs/001/spec.md'] },
          { key: 'modules', values: ['{"id":"mod01"}', 'mod02'] },
        ],
      },
      gates: [
        { is: 'required', at: 0 },
        { is: 'exhausted', blocker: 'gate-S5-exhausted', why: 'rejected after 5 rounds', final: false, at: 0 },
      ],
    });
  });

  it('that delivered nothing is told from one whose answer could not be read', () => {
    const delivery: EntryDelivery = { artifacts: [], metrics: [], criticalIssues: [], nextInputs: [] };
    expect(read({ ...ENTRY, delivery }).ledger.entries[0]?.delivery).toEqual(delivery);
    expect(read(ENTRY).ledger.entries[0]).not.toHaveProperty('delivery');
  });

  test.each<GateRecord>([
    { is: 'holds', at: 0, note: 'approved', debt: 'conditions of S5' },
    { is: 'done', version: 2, at: 0, debt: 'S5 is not approved' },
    { is: 'reopened', version: 3, at: 0, by: 'ana', label: 'attested', words: 'go on', debt: 'S5 is not approved' },
  ])('keeps the debt of a gate that $is', (gate) => {
    const exhausted: GateRecord = { is: 'exhausted', blocker: 'gate-S5-exhausted', why: '', final: false, at: 0 };
    const before: GateRecord[] = gate.is === 'holds' ? [] : [{ is: 'required', at: 0 }, ...(gate.is === 'reopened' ? [exhausted] : [])];
    const gates = [...before, gate];
    expect(read({ ...ENTRY, gates }).ledger.entries[0]?.gates).toEqual(gates);
  });

  it('with an artifact that nobody hashed delivers none, and says so', () => {
    const { ledger, problems } = parseLedger(REVIEW.replace(` → sha256 ${SHA}`, ''), { file: 'LEDGER.md' });
    expect(ledger.entries[0]?.delivery?.artifacts.map(({ key }) => key)).toEqual(['a key: odd']);
    expect(problems.map(renderProblem)).toEqual([
      'LEDGER.md:11: warning: the artifact "report: `docs/reports/05-review-spec-report.md`" of S5@2 is not understood, so that it counts as not delivered; write key: `path` → sha256 and its hash',
    ]);
  });

  it('that lost its status is an error: its step would be sent again (R2)', () => {
    const { problems } = parseLedger(REVIEW.replace('  [done]', ''), { file: 'LEDGER.md' });
    expect(problems.map(({ severity, line }) => ({ severity, line }))).toEqual([{ severity: 'error', line: 3 }]);
  });

  it.each([
    ['verified', 'REJECTED (opinion)'],
    ['attested', 'REJECTED (attested)'],
  ] as const)('that is %s has the verdict %s', (label, words) => {
    const entry = { ...ENTRY, label, verdict: 'REJECTED' };
    expect(renderEntry(entry)).toContain(`\nVerdict: ${words}\n`);
    expect(read(entry).ledger.entries).toEqual([entry]);
  });

  const line = fc
    .string({
      unit: fc.constantFrom('a', 'B', '1', ' ', ':', '`', '"', '→', '-', '#', '漢', '%', '.', '{', ']', '\\'),
      minLength: 1,
      maxLength: 20,
    })
    .map((text) => `x${text.replace(/\s+/g, ' ').trim()}`);
  const key = line.map((text) => text.replaceAll('\\', '/'));

  it('is read back as it was written, whatever an agent said', () => {
    const delivery = fc.record<EntryDelivery>({
      artifacts: fc.array(fc.record({ key, path: line, sha256: fc.constant(SHA) }), { maxLength: 3 }),
      metrics: fc.uniqueArray(
        fc.record({
          key,
          value: fc
            .oneof(fc.integer(), line, fc.constantFrom('85%', '', 0.1, 1e-7))
            .map((value) => (typeof value === 'string' ? metricValue(value) : value)),
        }),
        {
          selector: (one) => one.key,
          maxLength: 3,
        },
      ),
      criticalIssues: fc.array(line, { maxLength: 3 }),
      nextInputs: fc.uniqueArray(fc.record({ key, values: fc.array(line, { minLength: 1, maxLength: 2 }) }), {
        selector: (one) => one.key,
        maxLength: 3,
      }),
    });
    fc.assert(
      fc.property(delivery, (given) => {
        const { ledger, problems } = read({ ...ENTRY, delivery: given, verdict: 'REJECTED' });
        expect(problems).toEqual([]);
        expect(ledger.entries[0]).toEqual({ ...ENTRY, delivery: given, verdict: 'REJECTED' });
      }),
      { numRuns: 500 },
    );
  });
});
