import type { Step } from '../../core/methods/pipeline-values.js';
import type { Colors } from './colors.js';
import { columnsOf, count, cut, fit, oneLine } from './text.js';

const GAP = 2;
const NAME_COLUMNS_MAX = 40;
const PERFORMER_COLUMNS_MAX = 16;

/** The steps in their order: a row each, and below it every way that does not simply lead to the next. */
export function pipelineGraphLines(steps: readonly Step[], screen: { columns: number; colors: Colors }): string[] {
  const names = steps.map(nameOf);
  const widths = {
    name: Math.min(NAME_COLUMNS_MAX, Math.max(0, ...names.map(columnsOf))),
    performer: Math.min(PERFORMER_COLUMNS_MAX, Math.max(0, ...steps.map(({ performer }) => columnsOf(oneLine(performer))))),
  };
  return steps.flatMap((step, index) => {
    const paint = isOnlyClaimed(step) ? screen.colors.waiting : same;
    const row = [fit(names[index] ?? '', widths.name), fit(oneLine(step.performer), widths.performer), paint(observedOf(step))];
    const ways = waysOf(step, steps).map((way) => `${' '.repeat(indentOf(step))}${way}`);
    return [row.join(' '.repeat(GAP)).trimEnd(), ...ways].map((line) => cutQuietly(line, screen));
  });
}

function same(text: string): string {
  return text;
}

/** A line with colours is left alone: escape sequences must not be cut in two. */
function cutQuietly(line: string, screen: { columns: number }): string {
  return line.includes('\u001b') ? line : cut(line, Math.max(screen.columns, 60));
}

/** An optional step stands aside: nothing leads to it but a fix. */
function nameOf(step: Step): string {
  return `${step.optional ? '  ' : ''}${step.step}  ${oneLine(step.title)}`;
}

function indentOf({ step, optional }: Step): number {
  return columnsOf(step) + GAP + (optional ? GAP : 0);
}

/** Nothing of it can be seen but the answer of its agent. */
export function isOnlyClaimed({ run, gate, artifacts, checks, require }: Step): boolean {
  return !run && gate === 'none' && artifacts.length + checks.length + require.length === 0;
}

function observedOf(step: Step): string {
  const { artifacts, checks, require } = step;
  const seen = [
    ...(artifacts.length === 0 ? [] : [artifacts.map(({ key }) => oneLine(key)).join(', ')]),
    ...(checks.length === 0 ? [] : [count(checks.length, 'check')]),
    ...(require.length === 0 ? [] : [count(require.length, 'requirement')]),
  ];
  if (seen.length > 0) return seen.join(' and ');
  if (step.run) return 'its exit status';
  return isOnlyClaimed(step) ? 'its answer alone' : 'its answer';
}

/** What is so of most steps is not repeated. */
const ATTEMPTS_USUAL = 5;

function waysOf(step: Step, steps: readonly Step[]): string[] {
  const { when, gate, optional, attempts, onExhausted } = step;
  const mended = steps.filter(({ fix }) => fix === step.step).map((one) => one.step);
  const isUsual = attempts === ATTEMPTS_USUAL && onExhausted === 'ask';
  const ways = [
    ...(when === null ? [] : [`only if ${when.step} says ${oneLine(when.verdict)}`]),
    ...(optional ? [`only as a fix of ${mended.length === 0 ? 'no step' : mended.join(', ')}`] : []),
    ...(gate === 'none' ? [] : gateWays(step)),
    ...(isUsual ? [] : [`${count(attempts, 'attempt')}, ${EXHAUSTED[onExhausted]}`]),
  ];
  return ways.map((way, index) => `${index === ways.length - 1 ? '└' : '├'} ${way}`);
}

const EXHAUSTED: Record<Step['onExhausted'], string> = {
  ask: 'then a person is asked',
  stop: 'then the run ends',
  'continue-with-debt': 'then on, as debt',
};

function gateWays({ gate, fix, rounds, backToPlan, conditions }: Step): string[] {
  const who = gate === 'human' ? 'a person' : 'it';
  const mends = fix === null || rounds === 0 ? [] : [`${fix} mends, ${count(rounds, 'round')}`];
  const back = backToPlan === null ? [] : [`${mends.length === 0 ? '' : 'then '}again from ${backToPlan}, 3 times at most`];
  const ways = [...mends, ...back];
  return [
    `if ${who} rejects: ${ways.length === 0 ? 'exhausted' : ways.join(', ')}`,
    ...(gate === 'review' ? [`with conditions: ${conditions === 'fix' ? `${fix} mends` : 'on, as debt'}`] : []),
  ];
}
