import { basename } from 'node:path';
import type { Entry } from '../core/values.js';
import { coverageProblems } from '../documents/coverage.js';
import type { PlanDocument } from '../documents/plan.js';
import { errorAt, type Problem } from '../documents/problem.js';
import { parseSpec } from '../documents/spec.js';
import { UserError } from './errors.js';
import { readSpec } from './plan-folder.js';

/** SPEC.md as the plan names it, and what the plan leaves open of it. */
export interface Contract {
  /** null: the contract is the plan itself. */
  text: string | null;
  problems: Problem[];
}

export function contractOf(
  folder: string,
  plan: { document: PlanDocument; file: string; text: string },
  recorded: Pick<Entry, 'covers' | 'status' | 'gates'>[],
): Contract {
  const { document, file } = plan;
  if (document.spec === null) return { text: null, problems: [] };
  const place = { file, line: lineOfSpec(plan.text) };
  const named = readNamed(folder, document.spec);
  if (named.text === null) return { text: null, problems: [errorAt(place, named.why)] };
  const { spec, problems } = parseSpec(named.text, { file: basename(document.spec) });
  return {
    text: named.text,
    problems: [...problems, ...coverageProblems(document, spec, { planFile: file, specFile: basename(document.spec), recorded })],
  };
}

function readNamed(folder: string, spec: string): { text: string } | { text: null; why: string } {
  try {
    const text = readSpec(folder, spec);
    if (text !== null) return { text };
    return { text: null, why: `Spec names ${spec}, which does not exist in ${folder}; write none where the plan is the contract` };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { text: null, why: `Spec: ${error.message}` };
  }
}

/** For problems with the named file; the parser keeps no line of it. */
function lineOfSpec(text: string): number {
  const index = text.split(/\r\n?|\n/).findIndex((line) => /^\s*\**Spec\**\s*:/i.test(line));
  return index < 0 ? 1 : index + 1;
}
