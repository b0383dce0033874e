import type { PackedReport, ReportInput } from '../activities/interface.js';

/** The inverse stands in activities/record/unpack-report.ts. */
export function packReport({ run, criteria, entries, ...rest }: ReportInput): PackedReport {
  const { plan, ...others } = run;
  return {
    ...rest,
    run: { ...others, plan: { ...plan, tasks: plan.tasks.map(({ id, title }) => [id, title]) } },
    criteria: criteria.map(({ id, state, label, by }) => [id, state, label, by]),
    entries: entries.map(({ task, status, sha256 }) => [task, status, sha256]),
  };
}
