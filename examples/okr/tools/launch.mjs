// The launch: uses the feature once as a caller would, and writes down what it saw.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { progressOf } from '../src/progress.mjs';

const [feature = 'unknown'] = process.argv.slice(2);
const report = `docs/output/output_logs/${feature}/reports/13-launch-report.md`;
mkdirSync(dirname(report), { recursive: true });
const nothing = progressOf([]);
writeFileSync(report, `# Launch of ${feature}\n\nAn objective without key results is at ${nothing} %.\n`);
process.exitCode = nothing === 0 ? 0 : 1;
