import { expect, it } from 'vitest';
import { colorsFor } from '../../../client/present/colors.js';
import { type GraphTask, graphLines } from '../../../client/present/graph.js';
import { columnsOf } from '../../../client/present/text.js';

const screen = { columns: 80, colors: colorsFor({ env: { NO_COLOR: '1' }, isTTY: false }) };
const task = (id: string, dependsOn: string[] = [], more: Partial<GraphTask> = {}): GraphTask => ({
  id,
  title: `Part ${id}`,
  performer: 'mine',
  dependsOn,
  checks: { machine: 1, human: 0 },
  recorded: false,
  ...more,
});

it('each task stands below the last of its dependencies, the others are named', () => {
  const tasks = [
    task('T1', [], { recorded: true }),
    task('T2', ['T1'], { checks: { machine: 2, human: 0 } }),
    task('T3', ['T1'], { performer: 'human', checks: { machine: 0, human: 1 } }),
    task('T4', ['T2', 'T3'], { checks: { machine: 0, human: 0 } }),
    task('T5', [], { performer: 'inline', checks: { machine: 1, human: 1 } }),
  ];
  expect(graphLines(tasks, screen)).toEqual([
    'T1      Part T1     mine    1 check  (recorded)',
    '├ T2    Part T2     mine    2 checks',
    "└ T3    Part T3     human   a person's word",
    '  └ T4  Part T4     mine    no usable check  (also after T2)',
    "T5      Part T5     inline  1 check and a person's word",
  ]);
});

it('a chain of a hundred tasks stays on the terminal', () => {
  const chain = Array.from({ length: 100 }, (_, n) => task(`T${n + 1}`, n === 0 ? [] : [`T${n}`]));
  const lines = graphLines(chain, screen);
  expect({ lines: lines.length, fits: Math.max(...lines.map(columnsOf)) <= 80, last: lines.at(-1)?.trim() }).toEqual({
    lines: 100,
    fits: true,
    last: 'T100  Part T100   mine  1 check  (also after T99)',
  });
});

it('a plan with a cycle and a dangling dependency is drawn, too', () => {
  expect(graphLines([task('T1', ['T2']), task('T2', ['T1', 'T9'])], screen).map((line) => line.trim())).toEqual([
    'T1    Part T1     mine  1 check  (also after T2)',
    '└ T2  Part T2     mine  1 check  (also after T9)',
  ]);
});
