/** Runs as the workflow answers them (docs/interface.md §7), as small as a test needs. */
export function runDocument(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    run: 'demo',
    workflowId: 'donewhen-demo',
    method: 'executePlan',
    phase: 'dispatching',
    outcome: null,
    plan: { version: 1, goal: 'The files are there.', tasks: [] },
    ledger: [],
    active: [],
    waiting: [],
    criteria: [],
    dispatches: 0,
    cost: { usd: 0, tokens: 0, unknown: false },
    found: [],
    paused: null,
    stopped: null,
    ...more,
  };
}

export function taskDocument(id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { id, title: `Part ${id}`, dependsOn: [], performer: 'mine', ...more };
}

export function entryDocument(seq: number, task: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    seq,
    task,
    title: `Part ${task}`,
    status: 'done',
    planVersion: 1,
    attempt: 1,
    performer: 'mine',
    covers: [],
    stateDelta: [],
    evidence: [{ check: `file: out-${task}`, before: 'absent', after: 'there, 5 bytes', holds: true }],
    verification: 'verified',
    discovered: [],
    unresolved: [],
    risk: [],
    userAction: [],
    deviation: null,
    blocker: null,
    continues: null,
    reopens: null,
    checks: [`file: out-${task}`],
    gates: [{ gate: 'plan holds', at: '2026-12-01T08:59:50.000Z' }],
    cost: { usd: null, tokens: null },
    startedAt: '2026-12-01T08:58:00.000Z',
    endedAt: '2026-12-01T08:59:30.000Z',
    ...more,
  };
}
