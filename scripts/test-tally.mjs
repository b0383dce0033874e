// Counts what vitest wrote down. What cannot be read, and a run that ended badly without saying why, is a failure (R11).
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

function readResults(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** A file that could not be loaded has no tests; it counts as one failure. */
function brokenFiles(files) {
  return files.filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'));
}

/** @returns {{ passed: number, failures: string[], skipped: string[] }} */
export function readTally({ project, results, status, filtered }) {
  const read = readResults(results);
  if (read === null) return { passed: 0, failures: [`project ${project}: no results (vitest ended with ${status})`], skipped: [] };
  const named = read.testResults.flatMap((file) =>
    file.assertionResults.map((test) => ({ status: test.status, name: `${relative(process.cwd(), file.name)}: ${test.fullName}` })),
  );
  const failures = [
    ...named.filter((test) => test.status === 'failed').map((test) => test.name),
    ...brokenFiles(read.testResults).map((file) => `${relative(process.cwd(), file.name)}: ${file.message.split('\n')[0]}`),
  ];
  const passed = named.filter((test) => test.status === 'passed').length;
  const skipped = named.filter((test) => test.status !== 'passed' && test.status !== 'failed').map((test) => test.name);
  if (status !== 0 && failures.length === 0) failures.push(`project ${project}: vitest ended with ${status}`);
  if (passed === 0 && failures.length === 0 && !filtered) failures.push(`project ${project}: nothing ran`);
  return { passed, failures, skipped };
}
