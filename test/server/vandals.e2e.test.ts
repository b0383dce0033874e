import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunJson } from '../../core/run-json.js';
import { planText, taskText } from '../client/support/folders.js';
import { createDesk, type Desk } from '../support/command.js';
import { createTestHome, type TestHome, until } from '../support/homes.js';

const TEST_MS = 240_000;

let home: TestHome;
let desk: Desk | null = null;
/** Where a link leads. */
let elsewhere: string;
beforeEach(() => {
  home = createTestHome();
  elsewhere = mkdtempSync(join(tmpdir(), 'donewhen-elsewhere-'));
});
afterEach(async () => {
  await desk?.remove();
  desk = null;
  await home.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

/** A run of one task a script; each agent does what its script says, makes its file and claims done. */
function setUp(...scripts: string[]): Desk {
  const cases = scripts.map((script, at) => `T${at + 1}) ${script} ;;`).join('\n');
  const agent = `cat > /dev/null
case "$DONEWHEN_TASK" in
${cases}
esac
echo made > "out-$DONEWHEN_TASK"
printf 'status: done\\nstate_delta:\\n- it is there\\n'
`;
  const tasks = scripts.map((_, at) => taskText(`T${at + 1}`));
  desk = createDesk({ ...home.env, ELSEWHERE: elsewhere }, { 'PLAN.md': planText(...tasks), 'agent.sh': agent, 'donewhen.yaml': CONFIG });
  return desk;
}

const CONFIG = `agents: { mine: { kind: command, command: [sh, agent.sh] } }
roles: { performer: mine }
environment: { pass: [PATH, HOME, ELSEWHERE] }
`;
const LINKS = 'rm -rf .donewhen; ln -s "$ELSEWHERE" .donewhen';
const PUT_BACK = '.donewhen, where the run keeps its record, was taken away or replaced; it is put back';

describe('a run goes on, and tells it as a deviation,', () => {
  test('whose agents remove the repository or its folder, or put a link or a file in its place (F05)', { timeout: TEST_MS }, async () => {
    const { folder, run } = setUp('rm -rf .git', 'rm -rf .donewhen', LINKS, 'rm -rf .donewhen; echo mine > .donewhen');
    const { code, out } = await run('run', '.', '--json');
    const { ledger } = JSON.parse(out) as RunJson;
    expect([code, ledger.map(({ task, status, deviation }) => [task, status, deviation])]).toEqual([
      0,
      [
        ['T1', 'done', expect.stringContaining('the repository is gone: .git was there before it worked')],
        ['T2', 'done', PUT_BACK],
        ['T3', 'done', PUT_BACK],
        ['T4', 'done', PUT_BACK],
      ],
    ]);
    expect([lstatSync(join(folder, '.donewhen')).isDirectory(), readdirSync(elsewhere)]).toEqual([true, []]);
    const [saved] = readdirSync(folder).filter((name) => name.startsWith('.donewhen.found-'));
    expect(readFileSync(join(folder, saved ?? ''), 'utf8')).toEqual('mine\n');
    expect(readFileSync(join(folder, 'REPORT.md'), 'utf8')).toContain('removed .git');
  });

  test('and is closed by a stop where a link stands in place of its folder', { timeout: TEST_MS }, async () => {
    const { folder, begin, run } = setUp(`${LINKS}; touch linked; sleep 1000`);
    const running = begin('run', '.', '--json');
    await until('the link stands there', () => readdirSync(folder).includes('linked'), TEST_MS);
    expect((await run('stop', 'demo', '--by', 'ana')).code).toEqual(0);
    const { code, out } = await running.ended;
    const { ledger, stopped } = JSON.parse(out) as RunJson;
    expect([code, stopped?.by, ledger.map(({ task, status }) => [task, status])]).toEqual([13, 'ana', [['T1', 'partial']]]);
    expect([lstatSync(join(folder, '.donewhen')).isDirectory(), readdirSync(elsewhere)]).toEqual([true, []]);
  });
});
