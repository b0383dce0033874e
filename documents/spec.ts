import { joined, oneLine, type Source, sourceOf } from './lines.js';
import { didYouMean } from './nearest.js';
import { errorAt, orderedProblems, type Problem, warningAt } from './problem.js';
import { DEFINITIONS_MAX, type Definition, definitionsIn, idsIn, type SpecSection, sectionUnder } from './spec-blocks.js';

/** What a run reads of a SPEC.md (docs/interface.md §5). It is the contract, and never written. */
export interface SpecDocument {
  title: string;
  requirements: Requirement[];
  rules: Rule[];
  criteria: AcceptanceCriterion[];
  /** The text under `Constraints`, and under `Out of scope`. */
  constraints: string;
  outOfScope: string;
  /** Every id that the text holds, however it is used. */
  ids: string[];
}

export interface Requirement {
  id: string;
  line: number;
  text: string;
  priority: string;
  isMust: boolean;
}

export interface Rule {
  id: string;
  line: number;
  text: string;
}

export interface AcceptanceCriterion {
  id: string;
  line: number;
  text: string;
  /** The requirements and rules that it names. */
  refs: string[];
}

export interface ParsedSpec {
  spec: SpecDocument;
  problems: Problem[];
}

const CONSTRAINTS = /^(?:constraints?|restrições|restricoes|restricciones|limitações)\b/i;
const OUT_OF_SCOPE = /^(?:out[ -]of[ -]scope|fora d[eo] escopo|fuera de alcance|non-goals?)(?![A-Za-z])/i;

/** Prose may be in any language; ids, tables and bullets carry the contract. */
export function parseSpec(text: string, { file }: { file: string }): ParsedSpec {
  const source = sourceOf(text);
  const outside = sectionUnder(source, OUT_OF_SCOPE);
  const problems: Problem[] = [];
  const defined = new Map<string, Definition>();
  const found = definitionsIn(source, 0, source.lines.length);
  const extra = found[DEFINITIONS_MAX];
  if (extra !== undefined)
    problems.push(errorAt({ file, line: extra.line }, `the contract defines more than ${DEFINITIONS_MAX} ids; split it`));
  for (const definition of found) {
    const index = definition.line - 1;
    if (outside !== null && index >= outside.from && index < outside.to) continue;
    const first = defined.get(definition.id);
    if (first === undefined) defined.set(definition.id, definition);
    else if (oneLine(first.text) !== oneLine(definition.text)) {
      problems.push(warningAt({ file, line: definition.line }, `${definition.id} is there twice; what line ${first.line} says counts`));
    }
  }
  const all = [...defined.values()];
  const of = (prefix: string) => all.filter(({ id }) => id.startsWith(prefix));
  const textOf = (section: SpecSection | null) => (section === null ? '' : joined(source.lines.slice(section.from, section.to)));
  const spec: SpecDocument = {
    title: titleOf(source),
    requirements: of('FR-').map((definition) => requirementOf(definition, file, problems)),
    rules: of('BR-').map(({ id, line, text: words }) => ({ id, line, text: words })),
    criteria: of('AC-').map(({ id, line, text: words, refs }) => ({ id, line, text: words, refs })),
    constraints: textOf(sectionUnder(source, CONSTRAINTS)),
    outOfScope: textOf(outside),
    ids: idsIn(text),
  };
  problems.push(...specProblems(spec, source, file));
  return { spec, problems: orderedProblems(problems) };
}

function titleOf(source: Source): string {
  const heading = source.lines.find((line, index) => source.fenced[index] === 0 && /^#\s/.test(line)) ?? '';
  return oneLine(heading.replace(/^#\s{1,8}(?:SPEC\s{0,8}:)?/i, ''));
}

const MUST = /^(?:must|mandatory|required|obrigat[óo]ri[oa]|deve|obligatori[oa])\b/i;
const LESS = /^(?:should|could|may|won'?t|nice|optional|low|medium|deveria|pode(?:ria)?|desej[áa]vel|opcional|m[ée]dia|baixa)\b/i;

/** R11: a priority that is not known is a Must, so that nothing required is dropped by a word. */
function requirementOf({ id, line, text, priority }: Definition, file: string, problems: Problem[]): Requirement {
  const word = oneLine((priority ?? '').replace(/[*_`]/g, ''));
  if (!MUST.test(word) && !LESS.test(word)) {
    problems.push(
      warningAt(
        { file, line },
        `${id} has ${word === '' ? 'no priority' : `the priority "${word.slice(0, 30)}"`}, and is taken as a Must; write Must, Should or Could`,
      ),
    );
  }
  return { id, line, text, priority: word, isMust: !LESS.test(word) };
}

/** A suggestion compares with every id; so many are made at most. */
const SUGGESTIONS_MAX = 20;

function specProblems(spec: SpecDocument, source: Source, file: string): Problem[] {
  const problems: Problem[] = [];
  if (source.openFence !== null)
    problems.push(
      errorAt(
        { file, line: source.openFence + 1 },
        'this fence is never closed, so that the criteria after it cannot be told from its content; close it',
      ),
    );
  if (spec.criteria.length === 0 && spec.requirements.length === 0) {
    problems.push(
      warningAt({ file, line: 1 }, 'there is no criterion; write - AC-001 (FR-001): and what can be observed, or Spec: none in the plan'),
    );
  }
  const ids = [...spec.requirements, ...spec.rules, ...spec.criteria].map(({ id }) => id);
  const known = new Set(ids);
  for (const { id, line, refs } of spec.criteria) {
    const missing = refs.find((ref) => !known.has(ref));
    if (missing === undefined) continue;
    const hint = problems.length < SUGGESTIONS_MAX ? didYouMean(missing, ids) : '';
    problems.push(warningAt({ file, line }, `${id} names ${missing}, which nothing here defines${hint}`));
  }
  return problems;
}

/** Every AC, and every Must FR: through the ACs that name it, or by itself where none does. */
export function requiredCriteria(spec: SpecDocument): { id: string; through: string[] | null }[] {
  const naming = new Map<string, string[]>();
  for (const { id, refs } of spec.criteria) {
    for (const ref of refs) {
      const ids = naming.get(ref);
      if (ids === undefined) naming.set(ref, [id]);
      else ids.push(id);
    }
  }
  return [
    ...spec.criteria.map(({ id }) => ({ id, through: null })),
    ...spec.requirements.filter(({ isMust }) => isMust).map(({ id }) => ({ id, through: naming.get(id) ?? null })),
  ];
}

/** What of the contract bears on a task that covers these ids: nothing else belongs into its brief. */
export function sliceFor(spec: SpecDocument, covers: readonly string[]): string {
  const wanted = new Set(covers);
  const criteria = spec.criteria.filter(({ id }) => wanted.has(id));
  for (const { refs } of criteria) for (const ref of refs) wanted.add(ref);
  const parts = [
    listed(
      'Acceptance criteria',
      criteria.map(({ id, refs, text }) => `${id}${refs.length === 0 ? '' : ` (${refs.join(', ')})`}: ${text}`),
    ),
    listed(
      'Requirements',
      spec.requirements
        .filter(({ id }) => wanted.has(id))
        .map(({ id, priority, text }) => `${id}${priority === '' ? '' : ` (${priority})`}: ${text}`),
    ),
    listed(
      'Business rules',
      spec.rules.filter(({ id }) => wanted.has(id)).map(({ id, text }) => `${id}: ${text}`),
    ),
    spec.constraints === '' ? '' : `Constraints:\n${spec.constraints}`,
    spec.outOfScope === '' ? '' : `Out of scope:\n${spec.outOfScope}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function listed(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `- ${line}`).join('\n')}`;
}
