import type { DeliveredArtifact, EntryDelivery, Metric, NextInput } from '../../core/methods/pipeline-values.js';
import type { Entry } from '../../core/values.js';
import { itemText } from '../plain-text.js';
import { codeSpan, codeSpanAt, quoted, quotedAt } from '../quoting.js';
import { metricValue } from './metric.js';

const OPINION = ' (opinion)';
const DECISION = ' (attested)';

/** A model's verdict drives a gate and is never evidence (R8); a person's is a decision. */
export function verdictText({ verdict, label }: Pick<Entry, 'verdict' | 'label'>): string | undefined {
  return verdict === undefined ? undefined : `${verdict}${label === 'attested' ? DECISION : OPINION}`;
}

export function readVerdict(text: string): string {
  const mark = [OPINION, DECISION].find((words) => text.endsWith(words)) ?? '';
  return text.slice(0, text.length - mark.length);
}

/** The lines of an entry that carry a step's delivery, so that LEDGER.md alone resumes (docs/interface.md §10). */
export function renderDelivery(delivery: EntryDelivery | undefined): string[] {
  if (delivery === undefined) return [];
  const { artifacts, metrics, criticalIssues, nextInputs } = delivery;
  return [
    // It always stands, so that a delivery of nothing is one.
    ...(artifacts.length === 0 ? ['Artifacts: none'] : ['Artifacts:', ...artifacts.map(artifactLine)]),
    ...section(
      'Metrics',
      metrics.map(({ key, value }) => `- ${keyText(key)}: ${itemText(String(value))}`.trimEnd()),
    ),
    ...section(
      'Critical issues',
      criticalIssues.map((issue) => `- ${itemText(issue)}`),
    ),
    ...section(
      'Next inputs',
      nextInputs.flatMap(({ key, values }) => values.map((value) => `- ${keyText(key)}: ${itemText(value)}`)),
    ),
  ];
}

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${name}:`, ...lines];
}

function artifactLine({ key, path, sha256 }: DeliveredArtifact): string {
  return `- ${keyText(key)}: ${codeSpan(path)} → sha256 ${sha256}`;
}

const PLAIN_KEY = /^[A-Za-z0-9_.-]+$/;

function keyText(key: string): string {
  return PLAIN_KEY.test(key) ? key : quoted(itemText(key));
}

/** null: no such line, so that nothing is taken for delivered. */
export function readArtifact(item: string): DeliveredArtifact | null {
  const said = keyed(item);
  const span = said === null ? null : codeSpanAt(said.rest);
  const sha256 = /^ → sha256 ([0-9a-f]{64})$/.exec(span?.rest ?? '')?.[1];
  return said === null || span === null || sha256 === undefined ? null : { key: said.key, path: span.value, sha256 };
}

export function readMetric(item: string): Metric | null {
  const said = keyed(item);
  return said === null ? null : { key: said.key, value: metricValue(said.rest) };
}

/** One line a value; those of one key stand together. */
export function readNextInputs(items: readonly string[]): NextInput[] {
  const inputs = new Map<string, string[]>();
  for (const item of items) {
    const said = keyed(item);
    if (said === null) continue;
    const values = inputs.get(said.key);
    if (values === undefined) inputs.set(said.key, [said.rest]);
    else values.push(said.rest);
  }
  return [...inputs].map(([key, values]) => ({ key, values }));
}

function keyed(item: string): { key: string; rest: string } | null {
  const inQuotes = item.startsWith('"') ? quotedAt(item) : null;
  const plain = /^([A-Za-z0-9_.-]+)(:.*)$/.exec(item);
  const key = inQuotes?.value ?? plain?.[1];
  const rest = inQuotes?.rest ?? plain?.[2] ?? '';
  return key === undefined || !rest.startsWith(':') ? null : { key, rest: rest.slice(1).trim() };
}
