import type { PackedReport, ReportInput } from '../interface.js';

export function unpackReport({ run, criteria, entries, ...rest }: PackedReport): ReportInput {
  const { plan, ...others } = run;
  return {
    ...rest,
    run: { ...others, plan: { ...plan, tasks: plan.tasks.map(([id, title]) => ({ id, title })) } },
    criteria: criteria.map(([id, state, label, by]) => ({ id, state, label, by })),
    entries: entries.map(([task, status, sha256]) => ({ task, status, sha256 })),
  };
}
