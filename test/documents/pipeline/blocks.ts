/** The block of seed 003, Format, filled in. */
export interface BlockParts {
  step?: string;
  agent?: string;
  status?: string;
  artifacts?: Record<string, string>;
  metrics?: Record<string, string>;
  verdict?: string;
  issues?: string[];
  next?: Record<string, string>;
}

export function blockText({
  step = '1',
  agent = 'okr.srs',
  status = 'SUCCESS',
  artifacts = {},
  metrics = {},
  verdict = 'N/A',
  issues = [],
  next = {},
}: BlockParts = {}): string {
  const map = (values: Record<string, string>) =>
    Object.keys(values).length === 0
      ? ' {}'
      : `\n${Object.entries(values)
          .map(([key, value]) => `  ${key}: ${value}`)
          .join('\n')}`;
  return [
    '<!-- STEP-RESULT',
    `step: ${step}`,
    `agent: ${agent}`,
    `status: ${status}`,
    'feature-id: 001-xxx',
    'module-id: mod01',
    `artifacts:${map(artifacts)}`,
    `metrics:${map(metrics)}`,
    `verdict: ${verdict}`,
    `critical-issues:${issues.length === 0 ? ' []' : `\n${issues.map((issue) => `  - "${issue}"`).join('\n')}`}`,
    `next-inputs:${map(next)}`,
    '/STEP-RESULT -->',
  ].join('\n');
}

export function fenced(block: string, info = 'yaml'): string {
  return `\`\`\`${info}\n${block}\n\`\`\``;
}
