import type { LookContext, Sight } from './context.js';
import { disproved, holds, unobservable } from './context.js';
import { findInside, readFound } from './inside.js';

const SCHEMA_BYTES_MAX = 4 * 1024 * 1024;

/** Whether a text is JSON, and fits its schema where there is one. A schema that cannot be read proves nothing (R11). */
export async function jsonSight(content: Buffer, schema: string | null, context: LookContext): Promise<Sight> {
  const value = parsed(content);
  if (value === undefined) return disproved('not json', { output: content.toString('utf8') });
  if (schema === null) return holds('json');
  const found = await findInside(context.workspace, schema);
  const text = found.is === 'file' ? await readFound(found, SCHEMA_BYTES_MAX) : null;
  if (text === null) return unobservable(`the schema ${schema} is not there`);
  const rules = parsed(text);
  if (rules === undefined) return unobservable(`the schema ${schema} is not json`);
  try {
    const misfits = await misfitsOf(rules, value);
    if (misfits.length === 0) return holds(`json, fits ${schema}`);
    return disproved(`json, does not fit ${schema}: ${misfits.join('; ')}`, { output: misfits.join('\n') });
  } catch (error) {
    return unobservable(`the schema ${schema} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** undefined: no JSON. */
function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Named as such, or using what older drafts do not know and would pass over in silence. */
const DRAFT_2020 =
  /\/draft\/(2020-12|2019-09)\/|"(prefixItems|dependentRequired|dependentSchemas|unevaluated\w+|\$dynamicRef|m(in|ax)Contains)"\s*:/;

/** Loaded when it is needed: few checks have a schema. A schema that names another file, or an unknown draft, throws. */
async function misfitsOf(rules: unknown, value: unknown): Promise<string[]> {
  const [{ Ajv }, { Ajv2020 }, formats] = await Promise.all([import('ajv'), import('ajv/dist/2020.js'), import('ajv-formats')]);
  // Keywords that no draft has are ignored, as JSON Schema says; a format that nobody knows is an error.
  const options = { strict: false } as const;
  const ajv = DRAFT_2020.test(JSON.stringify(rules)) ? new Ajv2020(options) : new Ajv(options);
  formats.default.default(ajv);
  const fits = ajv.compile(rules as object | boolean);
  if (fits(value)) return [];
  return (fits.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath === '' ? 'it' : instancePath} ${message ?? 'does not fit'}`,
  );
}
