import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readClaim } from '../../activities/process/attempt-files.js';
import type { RunJson } from '../../core/run-json.js';
import { planText, taskText } from '../client/support/folders.js';
import { processesWith, uniqueSeconds } from '../support/attempts.js';
import { createDesk, type Desk } from '../support/command.js';
import { createTestHome, type TestHome, until } from '../support/homes.js';

const TEST_MS = 240_000;

let home: TestHome;
let desk: Desk | null = null;
beforeEach(() => {
  home = createTestHome();
});
afterEach(async () => {
  await desk?.remove();
  desk = null;
  await home.remove();
});

/** Its agent says that it came, and waits for the file `<attempt>.go` beside a child; for T2 it does its work before that. */
function setUp(seconds: string, plan: string): Desk {
  const agent = `cat > /dev/null
echo "$DONEWHEN_ATTEMPT" >> came
[ "$DONEWHEN_TASK" = T2 ] && echo made > out-T2
sleep ${seconds} &
while [ ! -e "$DONEWHEN_ATTEMPT.go" ]; do sleep 0.1; done
echo made > "out-$DONEWHEN_TASK"
printf 'status: done\\nstate_delta:\\n- it is there\\n'
`;
  desk = createDesk(home.env, { 'PLAN.md': plan, 'agent.sh': agent });
  return desk;
}

function came({ folder }: Desk): string[] {
  try {
    return readFileSync(join(folder, 'came'), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

/** As a crash would, once the attempt is at work; and how many processes of its tree are left a moment after. */
async function killSupervisor(of: Desk, token: string, seconds: string): Promise<void> {
  await until(`${token} is at work`, () => came(of).includes(token) && processesWith(`sleep ${seconds}`).length > 0, TEST_MS);
  const claim = readClaim(join(of.folder, '.donewhen', 'demo', 'attempts', token.replace('#', '.')));
  if (claim === null || claim === 'unreadable') throw new Error(`${token} is not claimed`);
  process.kill(claim.supervisor.pid, 'SIGKILL');
  await until('its tree has ended', () => processesWith(`sleep ${seconds}`).length === 0, TEST_MS);
}

const seen = (json: string) => (JSON.parse(json) as RunJson).ledger.map(({ task, status, verification }) => [task, status, verification]);

test('an attempt whose supervisor is killed ends with it, is looked at, and is tried once more where nothing is there', {
  timeout: TEST_MS,
}, async () => {
  const seconds = uniqueSeconds();
  const crew = setUp(seconds, planText(taskText('T1'), taskText('T2'), taskText('T3', { lines: 'Repeatable: no\n' })));
  const run = crew.begin('run', '.', '--json');
  await killSupervisor(crew, 'T1#1.1', seconds);
  crew.write('T1#2.1.go', '');
  await killSupervisor(crew, 'T2#1.1', seconds);
  await killSupervisor(crew, 'T3#1.1', seconds);
  const { code, out } = await run.ended;
  const brief = readFileSync(join(crew.folder, '.donewhen', 'demo', 'attempts', 'T1.2.1', 'brief.md'), 'utf8');
  expect([code, seen(out), came(crew), /earlier (attempt|try)/i.test(brief)]).toEqual([
    12,
    [
      ['T1', 'done', 'verified'],
      ['T2', 'done', 'verified'],
      ['T3', 'partial', 'verified'],
    ],
    ['T1#1.1', 'T1#2.1', 'T2#1.1', 'T3#1.1'],
    true,
  ]);
});

test('a second loss is the last: the task is partial', { timeout: TEST_MS }, async () => {
  const seconds = uniqueSeconds();
  const crew = setUp(seconds, planText(taskText('T1')));
  const run = crew.begin('run', '.', '--json');
  await killSupervisor(crew, 'T1#1.1', seconds);
  await killSupervisor(crew, 'T1#2.1', seconds);
  const { code, out } = await run.ended;
  expect([code, seen(out), came(crew)]).toEqual([12, [['T1', 'partial', 'verified']], ['T1#1.1', 'T1#2.1']]);
});
