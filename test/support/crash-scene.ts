import { planText, taskText } from '../client/support/folders.js';
import type { Running } from './command.js';
import { createTestHome, type TestHome } from './homes.js';
import { type Onlooker, onlookerAt, serverOf, untilGone } from './onlooker.js';
import { createStage, looksFor, normalised, SLOW_MS, type Stage } from './stage.js';

/** One honest task, one lie that is planned anew, one task for a person: every step of the loop, in one run. */
const BY_HAND = { checks: ['human: may it go out?'], lines: 'Performer: human\n' };
const PLAN = planText(
  taskText('T1', { checks: [looksFor('T1')] }),
  taskText('T2', { checks: [looksFor('T2')], lines: 'Performer: lies\n' }),
  taskText('T4', { ...BY_HAND, depends: 'T2' }),
);
const NEXT_PLAN = planText(
  taskText('T3', { checks: [looksFor('T2')], lines: 'Continues: T2\n' }).replaceAll('out-T3', 'out-T2'),
  taskText('T4', { ...BY_HAND, depends: 'T3' }),
).replace('Plan version: 1', 'Plan version: 2\nReplanned because: T2 was not done.');

/** What was done outside of the run, each as often as it stands here. */
export const EFFECTS = [
  'T1#1.1 begins',
  'T1#1.1 made out-T1',
  'T2#1.1 lies',
  'planner T2',
  'T3#1.1 begins',
  'T3#1.1 made out-T2',
  'told: may it go out?',
];

export interface Scene {
  home: TestHome;
  stage: Stage;
  onlooker: Onlooker | null;
  isAttested: boolean;
}

export function openScene(): Scene {
  const home = createTestHome();
  return { home, stage: createStage(home, { plan: PLAN, nextPlan: NEXT_PLAN }), onlooker: null, isAttested: false };
}

export async function closeScene(scene: Scene): Promise<void> {
  await scene.onlooker?.close();
  await scene.stage.remove();
  await scene.home.remove();
}

export const begin = ({ stage }: Scene): Running => stage.begin('run', '.', '--out', stage.out);

export function look(scene: Scene): Onlooker {
  scene.onlooker ??= onlookerAt(scene.home);
  return scene.onlooker;
}

async function attest(scene: Scene): Promise<void> {
  if (scene.isAttested) return;
  await scene.stage.asked();
  await look(scene).update('attest', { task: 'T4', happened: 'yes', by: 'ana' });
  scene.isAttested = true;
}

/** What must be the same whatever was killed. */
export function recordOf({ stage }: Scene) {
  return { ledger: normalised(stage.text('LEDGER.md')), report: normalised(stage.text('REPORT.md')), effects: stage.effects() };
}

/** To the end of the run. */
export async function finish(scene: Scene, run: Running) {
  await attest(scene);
  const { code, err } = await run.ended;
  return { code, err, ...recordOf(scene) };
}

export type End = Awaited<ReturnType<typeof finish>>;

/** What a run comes to that nobody disturbs. */
export async function endUndisturbed(): Promise<End> {
  const scene = openScene();
  try {
    return await finish(scene, begin(scene));
  } finally {
    await closeScene(scene);
  }
}

/** A step of the loop: how a run is brought there, and what lets it go on. */
export interface Point {
  step: string;
  reach(scene: Scene): Promise<void>;
  goOn?(scene: Scene): void;
  /** What a worker had begun when it is killed here, by its summary; nothing where no activity is under way. */
  begun?: string;
  /** It goes on only once somebody attends it again; else it ends on its own, while nobody is there. */
  isAttended?: true;
}

function atGate(step: string, gate: string, more: Pick<Point, 'begun' | 'isAttended'>): Point {
  return {
    step,
    ...more,
    reach: ({ stage }) => {
      stage.shut(gate);
      return stage.reached(gate);
    },
    goOn: ({ stage }) => stage.open(gate),
  };
}

/** From a check that holds on to a record that cannot be written. */
async function refuseRecord(scene: Scene): Promise<void> {
  await scene.stage.reached('verify-T1');
  scene.stage.takeOut();
  scene.stage.open('verify-T1');
  await look(scene).untilRetried('record');
}

async function untilSwept(scene: Scene): Promise<void> {
  await scene.stage.asked();
  scene.stage.shut('verify-T1');
  await attest(scene);
}

/** Without a pause: it is to hit between the write and its answer. */
async function untilWritten({ stage }: Scene, words: string): Promise<void> {
  for (const end = Date.now() + SLOW_MS; !stage.text('LEDGER.md').includes(words); await new Promise(setImmediate))
    if (Date.now() > end) throw new Error(`LEDGER.md does not say ${words}`);
}

export const POINTS: Point[] = [
  atGate('load', 'load', { begun: 'load' }),
  atGate('check', 'check-T1', { begun: 'T1 · check' }),
  atGate('dispatch, before the effect', 'T1-before', { begun: 'T1 · dispatch', isAttended: true }),
  atGate('dispatch, in the middle of the effect', 'T1-during', { begun: 'T1 · dispatch' }),
  atGate('dispatch, just after the effect', 'T1-after', { begun: 'T1 · dispatch' }),
  atGate('verify', 'verify-T1', { begun: 'T1 · verify' }),
  {
    step: 'record, which the disk does not take',
    reach: (scene) => {
      scene.stage.shut('verify-T1');
      return refuseRecord(scene);
    },
    goOn: ({ stage }) => stage.putBack(),
  },
  { step: 'record, which is on the disk', reach: (scene) => untilWritten(scene, '## T1') },
  atGate('replan, before the planner has answered', 'plans-before', { begun: 'T2 · replan', isAttended: true }),
  atGate('replan, when it has answered', 'plans-after', { begun: 'T2 · replan' }),
  { step: 'waiting for a person', reach: ({ stage }) => stage.asked() },
  {
    step: 'final sweep',
    begun: 'final sweep · verify',
    reach: async (scene) => {
      await untilSwept(scene);
      await scene.stage.reached('verify-T1');
    },
    goOn: ({ stage }) => stage.open('verify-T1'),
  },
  {
    step: 'report',
    reach: async (scene) => {
      await untilSwept(scene);
      await refuseRecord(scene);
    },
    goOn: ({ stage }) => stage.putBack(),
  },
];

export async function killRun(run: Running): Promise<void> {
  run.child.kill('SIGKILL');
  await run.ended;
}

export async function killServer({ home }: Scene, more: 'alone' | 'with its warden'): Promise<void> {
  const { pid, wardenPid } = serverOf(home);
  const victims = more === 'alone' ? [pid] : [wardenPid, pid];
  for (const victim of victims) process.kill(victim ?? 0, 'SIGKILL');
  await untilGone(...victims);
}

export async function untilServes({ home, stage }: Scene): Promise<void> {
  await stage.until('the server is back', () => serverOf(home).phase === 'ready');
}
