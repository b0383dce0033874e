// a7: our own processor time while an agent prints ten lines a second. a8: from the end of an agent to the beginning of the look
// at what it did. a9: what the largest output adds to the memory of the process that hosts a run.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { donewhen } from './command.mjs';
import { figure, median, round } from './figures.mjs';

const STREAM_SECONDS = 75;
const SETTLE_MS = 10_000;
const WATCHED_MS = 60_000;
/** Of /proc/<pid>/stat, on every Linux that we know. */
const TICKS_A_SECOND = 100;
const TASKS = 20;
const MANY_MB = 200;

function workspaceWith(folder, title, { tasks, agent }) {
  const workspace = join(folder, title);
  mkdirSync(workspace, { recursive: true });
  const blocks = Array.from({ length: tasks }, (_, index) => {
    const id = `T${index + 1}`;
    return `## ${id} — Part ${id}\nTask: Make out-${id}.\nDone when: out-${id} exists.\nVerify by: the check\nChecks:\n- run: test -e out-${id}\nDepends on: —\n`;
  });
  writeFileSync(join(workspace, 'PLAN.md'), `# PLAN: ${title}\n\nSpec: none\nGoal: Files.\nPlan version: 1\n\n${blocks.join('\n')}`);
  writeFileSync(join(workspace, 'agent.mjs'), agent);
  writeFileSync(
    join(workspace, 'donewhen.yaml'),
    `agents: { it: { kind: command, command: [${process.execPath}, agent.mjs] } }\nroles: { performer: it }\n`,
  );
  return workspace;
}

const ENDS = `import { writeFileSync } from 'node:fs';
writeFileSync('out-' + process.env.DONEWHEN_TASK, 'made');
console.log('status: done');
`;

async function run(bench, workspace, options) {
  const ended = await donewhen(['run', workspace, '--json'], bench.env, options);
  if (ended.code !== 0) throw new Error(`${workspace} ended with ${ended.code}: ${ended.stderr.slice(0, 400)}`);
  return ended;
}

/** Seconds of processor time that these processes have had. */
function cpuSeconds(pids) {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  }, 0);
}

/** The processes of ours that work for this command: itself, and the supervisor that it started. */
function oursOf(pid) {
  const supervisors = readdirSync('/proc').filter((name) => {
    try {
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ');
      return Number(parent) === pid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('supervisor.js');
    } catch {
      return false;
    }
  });
  return [pid, ...supervisors.map(Number)];
}

export async function a7(bench) {
  const says = JSON.stringify({ type: 'assistant', text: 'x'.repeat(400) });
  const agent = `const say = setInterval(() => console.log(${JSON.stringify(says)}), 100);
setTimeout(() => { clearInterval(say); end(); }, ${STREAM_SECONDS * 1000});
async function end() { await import('./ends.mjs'); }
`;
  const runs = [];
  for (let n = 1; n <= bench.runs; n++) {
    const workspace = workspaceWith(bench.folder, `stream-${n}`, { tasks: 1, agent });
    writeFileSync(join(workspace, 'ends.mjs'), ENDS);
    let pid = 0;
    const running = run(bench, workspace, { started: (child) => (pid = child.pid) });
    await pause(SETTLE_MS);
    const pids = oursOf(pid);
    if (pids.length < 2) throw new Error('the supervisor of the run was not found');
    const before = cpuSeconds(pids);
    await pause(WATCHED_MS);
    const percent = ((cpuSeconds(pids) - before) / (WATCHED_MS / 1000)) * 100;
    bench.log(`a7 ${n}: ${percent.toFixed(2)} % of a core`);
    runs.push(percent);
    await running;
  }
  return figure({ goal: 1, unit: '% of a core', runs });
}

/** Milliseconds from the outcome of each attempt to the start of the look at it, as supervisor and server wrote them down. */
async function gaps({ session }, workspace, title) {
  const { events } = await session.client.workflow.getHandle(`donewhen-${title}`).fetchHistory();
  const verifies = new Map();
  const times = [];
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled?.activityType?.name === 'verify') verifies.set(String(event.eventId), times.push(null) - 1);
    const started = event.activityTaskStartedEventAttributes;
    const at = started && verifies.get(String(started.scheduledEventId));
    if (at !== undefined) times[at] = Number(event.eventTime.seconds) * 1000 + event.eventTime.nanos / 1e6;
  }
  const attempts = join(workspace, '.donewhen', title, 'attempts');
  const ends = readdirSync(attempts).map((name) => JSON.parse(readFileSync(join(attempts, name, 'outcome.json'), 'utf8')).endedAt);
  ends.sort((a, b) => a - b);
  if (ends.length !== TASKS || times.length < TASKS) throw new Error(`${ends.length} ends, ${times.length} looks`);
  return ends.map((end, n) => times[n] - end);
}

export async function a8(bench) {
  const runs = [];
  for (let n = 1; n <= bench.runs; n++) {
    const title = `gap-${n}`;
    const workspace = workspaceWith(bench.folder, title, { tasks: TASKS, agent: ENDS });
    await run(bench, workspace);
    runs.push(median(await gaps(bench, workspace, title)));
    bench.log(`a8 ${n}: ${runs.at(-1).toFixed(1)} ms`);
  }
  return figure({ goal: 150, unit: 'ms', runs });
}

export async function a9(bench) {
  const printing = (mb) => `const line = 'x'.repeat(999) + '\\n';
for (let n = 0; n < ${mb * 1000}; n++) if (!process.stdout.write(line)) await new Promise((go) => process.stdout.once('drain', go));
await import('./ends.mjs');
`;
  const pairs = [];
  for (let n = 1; n <= bench.runs; n++) {
    const memoryOf = async (title, mb) => {
      const workspace = workspaceWith(bench.folder, title, { tasks: 1, agent: printing(mb) });
      writeFileSync(join(workspace, 'ends.mjs'), ENDS);
      return (await run(bench, workspace)).memoryMb;
    };
    pairs.push({ little: await memoryOf(`little-${n}`, 1), much: await memoryOf(`much-${n}`, MANY_MB) });
    bench.log(`a9 ${n}: ${pairs.at(-1).little.toFixed(0)} MB → ${pairs.at(-1).much.toFixed(0)} MB`);
  }
  const detail = { muchMb: round(median(pairs.map((pair) => pair.much))), littleMb: round(median(pairs.map((pair) => pair.little))) };
  return figure({ goal: 1.3, runs: pairs.map((pair) => pair.much / pair.little), detail });
}
