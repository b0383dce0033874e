import type { Cost, End } from '../../core/values.js';
import { parseReturnBlock } from '../../documents/return-block.js';

/**
 * What performers and people do in a transcript, in words: one line is one dispatch, its parts are divided by `;`. What
 * is said goes through the parser of real answers.
 */
export interface Act {
  makes: { path: string; text: string }[];
  removes: string[];
  /** Nobody can look at these any more. */
  hides: string[];
  end: 'said' | Exclude<End['is'], 'answered' | 'attested' | 'refused'>;
  /** The return block, if there is one. */
  block: string;
  code: number;
  limitedMs: number | null;
  cost: Cost;
  /** As written. */
  words: string;
}

export interface PersonAct {
  when: string;
  by: string;
  does: string;
}

const MINUTE_MS = 60_000;
const NOTHING: Omit<Act, 'words'> = {
  makes: [],
  removes: [],
  hides: [],
  end: 'exited',
  block: '',
  code: 0,
  limitedMs: null,
  cost: { usd: null, tokens: null },
};

/** `T1: makes out-T1; says done` and so on, each task's lines in order. */
export function parsePerformers(lines: string[]): Map<string, Act[]> {
  const acts = new Map<string, Act[]>();
  for (const line of lines) {
    const match = /^(\w+):\s*(.+)$/.exec(line);
    if (match === null) throw new Error(`not a performer: ${line}`);
    const [, task = '', words = ''] = match;
    acts.set(task, [...(acts.get(task) ?? []), parseAct(words)]);
  }
  return acts;
}

export function parseAct(words: string): Act {
  const act: Act = { ...NOTHING, makes: [], removes: [], hides: [], words };
  const said: string[] = [];
  for (const part of words.split(/\s*;\s*/)) readPart(act, said, part);
  return said.length === 0 ? act : { ...act, end: 'said', block: said.join('\n') };
}

function readPart(act: Act, said: string[], part: string): void {
  const rules: [RegExp, (found: RegExpExecArray) => void][] = [
    [/^makes (\S+)(?: with "(.*)")?$/, (found) => act.makes.push({ path: found[1] ?? '', text: found[2] ?? 'x' })],
    [/^removes (\S+)$/, (found) => act.removes.push(found[1] ?? '')],
    [/^hides (\S+)$/, (found) => act.hides.push(found[1] ?? '')],
    [/^does nothing$/, () => {}],
    [/^says (\w+)$/, (found) => said.push(`status: ${found[1]}`)],
    [/^exits (\d+)$/, (found) => Object.assign(act, { end: 'exited', code: Number(found[1]) })],
    [/^dies$/, () => Object.assign(act, { end: 'signalled' })],
    [/^gets lost$/, () => Object.assign(act, { end: 'lost' })],
    [/^runs out of time$/, () => Object.assign(act, { end: 'timeout' })],
    [/^is limited for (\d+) minutes$/, (found) => Object.assign(act, { end: 'limited', limitedMs: Number(found[1]) * MINUTE_MS })],
    [/^is limited, nobody knows for how long$/, () => Object.assign(act, { end: 'limited' })],
    [/^costs ([\d.]+) USD, (\d+) tokens$/, (found) => Object.assign(act, { cost: { usd: Number(found[1]), tokens: Number(found[2]) } })],
    [/^(state_delta|unresolved|risk|discovered|user_action): (.+)$/, (found) => said.push(`${found[1]}:\n- ${found[2]}`)],
    [/^(deviation|blocker): (.+)$/, (found) => said.push(`${found[1]}: ${found[2]}`)],
  ];
  for (const [rule, take] of rules) {
    const found = rule.exec(part);
    if (found === null) continue;
    take(found);
    return;
  }
  throw new Error(`nobody knows how to: ${part}`);
}

/** How the act ends, once its effects are made. */
export function endOf(act: Act, at: number): End {
  switch (act.end) {
    case 'said': {
      const { claim, problem } = parseReturnBlock(act.block);
      return claim === null ? { is: 'exited', code: act.code, note: problem ?? 'no claim' } : { is: 'answered', claim, code: act.code };
    }
    case 'exited':
      return { is: 'exited', code: act.code };
    case 'signalled':
      return { is: 'signalled', signal: 'SIGKILL' };
    case 'limited':
      return { is: 'limited', until: act.limitedMs === null ? null : at + act.limitedMs, why: 'usage limit' };
    case 'lost':
    case 'timeout':
    case 'cut':
      return { is: act.end };
  }
}

/** `when T1 is asked: ana attests T1 yes` */
export function parsePeople(lines: string[]): PersonAct[] {
  return lines.map((line) => {
    const match = /^when ([^:]+): (\w+) (.+)$/.exec(line);
    if (match === null) throw new Error(`nobody knows when or who: ${line}`);
    return { when: match[1] ?? '', by: match[2] ?? '', does: match[3] ?? '' };
  });
}
