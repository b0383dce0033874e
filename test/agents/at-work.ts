import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { told } from '../support/agent-stage.js';
import { exampleCast } from './example.js';
import { DONE, freely, type Play, saidOf } from './play.js';
import { claims, honest, makes, ONE_TASK, runs, scene, TWO_TASKS } from './scenarios.js';

const REACHES_OUT = runs('touch "$HOME/asked-for"');
const CANARY = 'canary-5f1c-never-to-be-kept';

/** An agent that works, as it should or not. */
export const AT_WORK = {
  'works through a plan, and its session and tokens are recorded': async (open) => {
    const stage = await open({ plan: TWO_TASKS, scenes: (folder) => [honest(folder, 'T1'), honest(folder, 'T2')] });
    const { code, ledger, run } = await stage.carryOut();
    expect({ code, ledger }).toEqual({ code: 0, ledger: [...DONE, 'T2 done verified, attempt 1'] });
    expect(run.cost).toMatchObject({ tokens: expect.any(Number) });
    expect(stage.text('LEDGER.md')).toMatch(/^Attempt: 1, \w+, session \S+$/m);
  },

  'carries out the example plan, with nothing but its name in donewhen.yaml': async (open) => {
    const stage = await open(exampleCast());
    const running = stage.begin('run', '.', '--json');
    await stage.until('a person is asked', async () => (await stage.run('waiting', '--json')).out.includes('T7'));
    const words = ['--happened', 'yes', '--now-true', 'I have read it.', '--by', 'ana'];
    expect(await stage.run('attest', 'invoice-totals', 'T7', ...words)).toMatchObject({ code: 0 });
    const { code, run } = told(await running.ended);
    expect({ code, ledger: run.ledger.map(({ task, status, verification }) => `${task} ${status} ${verification}`).sort() }).toEqual({
      code: 0,
      ledger: [
        'T1 no_op verified',
        'T2 done verified',
        'T3 done verified',
        'T4 done verified',
        'T5 done verified',
        'T6 done verified',
        'T7 done attested',
      ],
    });
  },

  'that lies is not believed': async (open) => {
    const stage = await open({ plan: ONE_TASK, scenes: () => [scene('T1', claims('done', 'out-T1 exists'))] });
    const { code, run } = await stage.carryOut();
    expect({ code, said: saidOf(run) }).toEqual({ code: 12, said: 'T1 failed verified' });
  },

  'that writes into PLAN.md changes no plan': async (open, about) => {
    const scenes = (folder: string) => [honest(folder, 'T1', runs('echo "Status: no-op" >> PLAN.md'))];
    const stage = await open({ plan: ONE_TASK, scenes, ...freely(about) });
    const { ledger, run } = await stage.carryOut();
    expect({ ledger, plan: stage.text('PLAN.md') }).toEqual({ ledger: DONE, plan: ONE_TASK });
    expect(run.ledger[0]?.deviation).toContain('PLAN.md');
  },

  'that may only read changes nothing': async (open, about) => {
    const settings = `agents: { ${about.agent}: { kind: ${about.kind}, permissions: read } }\n`;
    const stage = await open({ plan: ONE_TASK, settings, scenes: (folder) => [honest(folder, 'T1')] });
    const { run } = await stage.carryOut();
    expect({ said: saidOf(run), made: existsSync(join(stage.folder, 'out-T1')) }).toEqual({ said: 'T1 failed verified', made: false });
  },

  'that prints a secret, or writes it into a command, has it kept nowhere (L01, L04)': async (open, about) => {
    const says = [runs(`echo ${CANARY}`), runs(`echo ${CANARY} >&2; exit 3`)];
    const claim = claims('done', `the key is ${CANARY}`);
    const scenes = (folder: string) => [scene('T1', ...says, makes(folder, 'out-T1'), claim)];
    const { settings, env } = freely(about);
    const stage = await open({ plan: ONE_TASK, scenes, settings, env: { ...env, OWN_TOKEN: CANARY } });
    expect((await stage.carryOut()).ledger).toEqual(DONE);
    expect(stage.text('LEDGER.md')).toContain('the key is [secret]');
    expect(stage.kept.flatMap((folder) => filesWith(folder, CANARY))).toEqual([]);
  },

  'that reaches beyond its permissions is held back, and the checks decide': async (open) => {
    const stage = await open({ plan: ONE_TASK, scenes: (folder) => [honest(folder, 'T1', REACHES_OUT)] });
    expect({ ledger: (await stage.carryOut()).ledger, made: existsSync(join(stage.home, 'asked-for')) }).toEqual({
      ledger: DONE,
      made: false,
    });
  },

  'that asks permission is denied it, which is a risk (H09)': async (open) => {
    const stage = await open({ plan: ONE_TASK, scenes: (folder) => [honest(folder, 'T1', REACHES_OUT)] });
    const { run } = await stage.carryOut();
    expect(run.ledger[0]?.risk).toEqual([expect.stringMatching(/^its permissions did not allow .*asked-for/)]);
    expect(stage.text('REPORT.md')).toContain('its permissions did not allow');
  },
} as const satisfies Record<string, Play>;

function filesWith(folder: string, bytes: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true && readFileSync(path).includes(bytes));
}
