import { gateWords } from '../core/run-json.js';
import type { Entry, GateRecord, Label } from '../core/values.js';
import { itemText } from './plain-text.js';

/** The lines of a gate: its `Gate:` line last, before it what a reader must know of it. Empty while no gate has run. */
export function renderGate(entry: Pick<Entry, 'gates' | 'blocker'>): string {
  const gate = entry.gates.at(-1);
  if (gate === undefined) return '';
  const lines = [...notesOf(entry), `Gate: ${gateWords(gate)}`];
  return `${lines.join('\n')}\n`;
}

function notesOf({ gates, blocker }: Pick<Entry, 'gates' | 'blocker'>): string[] {
  const debt = gates.flatMap((gate) => ('debt' in gate && gate.debt !== undefined ? [gate.debt] : [])).at(-1);
  return [...gates.flatMap((gate) => noteLines(gate, blocker)), ...(debt === undefined ? [] : [`Debt: ${itemText(debt)}`])];
}

function noteLines(gate: GateRecord, blocker: string | undefined): string[] {
  switch (gate.is) {
    case 'holds':
      return gate.note === undefined ? [] : [`Gate note: ${itemText(gate.note)}`];
    case 'exhausted': {
      const why = itemText(gate.why);
      const note = gate.final ? `${FINAL}${why}`.trimEnd() : why;
      return [
        ...(gate.blocker === blocker || gate.blocker === '' ? [] : [`Gate blocker: ${itemText(gate.blocker)}`]),
        ...(note === '' ? [] : [`Gate note: ${note}`]),
      ];
    }
    case 'reopened': {
      const words = gate.words === undefined ? '' : `: ${itemText(gate.words)}`;
      return gate.by === undefined ? [] : [`Resolution: ${itemText(gate.by)}, ${gate.label ?? 'unverified'}${words}`];
    }
    case 'required':
    case 'done':
      return [];
  }
}

const FINAL = 'final; ';

export interface GateLines {
  /** What follows `Gate:`. */
  gate: string;
  gateBlocker: string | undefined;
  note: string | undefined;
  debt: string | undefined;
  resolution: string | undefined;
  /** The entry's own. */
  blocker: string | undefined;
}

/** The gates that one line stands for, as R9 lets them follow each other. null: not understood, so the gate is still to come (R11). */
export function parseGate(lines: GateLines): GateRecord[] | null {
  const words = lines.gate.replace(/[`*]/g, '').trim().toLowerCase();
  const at = 0;
  const debt = lines.debt === undefined ? {} : { debt: lines.debt };
  const version = Number(/^.{0,40}?version\s?(\d{1,9})/.exec(words)?.[1] ?? 0);
  if (words.startsWith('plan holds')) return [{ is: 'holds', at, ...(lines.note === undefined ? {} : { note: lines.note }), ...debt }];
  if (words.startsWith('replan required')) return [{ is: 'required', at }];
  if (words.startsWith('replan done'))
    return version > 0
      ? [
          { is: 'required', at },
          { is: 'done', version, at, ...debt },
        ]
      : null;
  if (words.startsWith('replan exhausted')) return [{ is: 'required', at }, exhaustedOf(lines)];
  if (words.startsWith('replan reopened')) {
    return version > 0
      ? [{ is: 'required', at }, exhaustedOf(lines), { is: 'reopened', version, at, ...resolutionOf(lines.resolution), ...debt }]
      : null;
  }
  return null;
}

function exhaustedOf(lines: GateLines): GateRecord {
  const note = lines.note ?? '';
  const final = note === FINAL.trimEnd() || note.startsWith(FINAL);
  const blocker = lines.gateBlocker ?? lines.blocker ?? '';
  return { is: 'exhausted', blocker, why: final ? note.slice(FINAL.length) : note, final, at: 0 };
}

const LABELS: readonly Label[] = ['verified', 'attested', 'unverified'];

function resolutionOf(text: string | undefined): { by?: string; label?: Label; words?: string } {
  if (text === undefined) return {};
  for (const label of LABELS) {
    const at = text.indexOf(`, ${label}`);
    const rest = text.slice(at + label.length + 2);
    if (at > 0 && (rest === '' || rest.startsWith(': ')))
      return { by: text.slice(0, at), label, ...(rest === '' ? {} : { words: rest.slice(2) }) };
  }
  return { by: text, label: 'unverified' };
}
