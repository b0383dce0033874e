import type { Cost } from '../../core/values.js';
import { oneLine } from '../../documents/lines.js';
import { parseFactChecks } from '../../documents/verifier-answer.js';
import type { CheckInput } from '../interface.js';
import type { AskAgent } from '../ports.js';
import { sha256Of } from '../texts.js';

/** More than these are left as they were reported. */
const FACTS_ASKED_MAX = 10;

export interface ConfirmPorts {
  ask: AskAgent;
  /** The agent that fills the verifier role; null: nobody does. */
  verifier(input: CheckInput): Promise<string | null>;
  timeoutMs: number;
}

/** For each fact a check that would confirm it, or null. It only proposes; we look (R8, R10). */
export type Confirm = (
  input: CheckInput,
  facts: readonly string[],
) => Promise<{ checks: (string | null)[]; cost?: Cost; deviation?: string }>;

/** Asks the verifier role how facts could be seen that a performer reported without a check of its own. */
export function createConfirm(ports: ConfirmPorts): Confirm {
  return async (input, facts) => {
    const nothing = { checks: facts.map(() => null) };
    const asked = facts.slice(0, FACTS_ASKED_MAX);
    const agent = asked.length === 0 || input.task === null || input.token === null ? null : await ports.verifier(input);
    if (agent === null || input.task === null) return nothing;
    const { place, task, token, planSha256 } = input;
    const prompt = factsPrompt(asked);
    const mark = sha256Of(`${place.startedAt ?? 0} ${prompt}`).slice(0, 8);
    const { timeoutMs } = ports;
    const ask = { place, token: `facts-${mark}-${token}`, role: 'verifier', agent, task, planSha256, prompt, timeoutMs } as const;
    const { output, cost, deviation } = await ports.ask(ask);
    const found = parseFactChecks(output, asked.length);
    return { checks: facts.map((_fact, index) => found.get(index + 1) ?? null), cost, ...(deviation === undefined ? {} : { deviation }) };
  };
}

function factsPrompt(facts: readonly string[]): string {
  return `Somebody reported the facts below and nobody has confirmed them. You propose how each could be seen; code looks, and believes
nothing else.

${facts.map((fact, index) => `${index + 1}. ${oneLine(fact)}`).join('\n')}

Look at the workspace you are in, read what you need, and change nothing. For each fact that a check can confirm write one line, with the
number of the fact and a check that holds if the fact is true and would not hold if it were false. A check has one of these forms:

- 1: file: <path> contains "text"
- 1: file: <path> matches /regex/
- 1: file: <path or glob>
- 1: http: GET <url> => 200 contains "text"
- 1: git: commit <rev>
- 1: git: tracked <path>

Paths are relative to the workspace. Commands are not allowed here. Leave out every fact that none of these forms can show, and every fact
that you can see to be wrong. End with exactly this block and nothing after it:

Checks:
- <number>: <check>

If none of them can be shown, end instead with one line:

CANNOT TELL: <reason>
`;
}
