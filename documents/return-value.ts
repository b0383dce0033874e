import * as z from 'zod';
import { claimOf, type FieldName, RETURN_FIELDS, type ReturnBlock, STATUSES } from './return-block.js';

const items = z.array(z.string());

/** The return contract as a value, for agents that can be held to a schema. Every key is required: some of them take no other. */
const ReturnValue = z.strictObject({
  status: z.enum(STATUSES),
  state_delta: items.describe('what somebody can now observe that was not so before'),
  evidence: items.describe('what you checked, and what it showed'),
  discovered: items.describe('facts that later tasks need, and where you saw them'),
  unresolved: items.describe('what is still to be done'),
  risk: items.describe('what may go wrong because of this work'),
  user_action: items.describe('what a person has to do'),
  deviation: z.string().describe('where the work differs from the task as written, and why; empty: nowhere'),
  blocker: z.string().describe('short-kebab-case-name-of-the-obstacle, with blocked or failed; else empty'),
});
const Tolerant = z.object(ReturnValue.shape).partial().required({ status: true });

export function returnJsonSchema(): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(ReturnValue);
  return schema;
}

/** What a performer claims, given as a value. Nothing in it is evidence (R8). */
export function parseReturnValue(value: unknown): ReturnBlock {
  const parsed = Tolerant.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { claim: null, problem: `the answer does not have the form of the return contract: ${issue?.path.join('.')} ${issue?.message}` };
  }
  const { data } = parsed;
  const fields = new Map<FieldName, string[][]>();
  for (const name of RETURN_FIELDS) {
    const said = data[name] ?? [];
    fields.set(
      name,
      (typeof said === 'string' ? [said] : said).map((item) => [item]),
    );
  }
  return { claim: claimOf(data.status, { fields }), problem: null };
}
