import { type Config, defaultConfig, parseConfig } from '../../documents/config.js';
import { hasErrors, renderProblem } from '../../documents/problem.js';
import { UserError } from '../errors.js';
import { EXIT_OK, EXIT_PARTIAL } from '../exit-code.js';
import type { Io } from '../io.js';
import { CONFIG_FILE, LEDGER_FILE, readConfigOf } from '../plan-folder.js';
import { type Colors, colorsFor } from '../present/colors.js';
import { oneLine } from '../present/text.js';
import { recordText } from '../record-text.js';
import { type RecordedArtifact, recordedArtifacts } from '../recorded-artifacts.js';
import { type RecordedCheck, recordedChecks } from '../recorded-checks.js';
import { readRunState } from '../run-state.js';
import type { RunInfo, Runs } from '../runs.js';
import { printJson, runNamed, stateOf, withService } from '../service.js';
import type { CommonOptions, Looker, World } from '../world.js';

interface Rechecked extends RecordedCheck {
  is: 'holds' | 'disproved' | 'unobservable' | 'human';
  saw: string;
}

/** Runs every recorded check again, here and now, and looks at what was delivered: nobody is believed, and no worker or agent is needed. */
export async function recheckCommand(run: string, options: CommonOptions, io: Io, world: World): Promise<number> {
  return withService(options, io, world, async (service) => {
    const info = await runNamed(service.runs, run);
    const state = readRunState(await stateOf(service, info, world));
    if (state === null) throw new UserError(`what run ${info.slug} answered is no run: its worker is of another release`, 3);
    const place = placeOf(info, world.hostId());
    const looker = await world.looker({ ...place, found: state.found, config: configOf(place.workspace) }, io);
    const looked: Rechecked[] = [];
    try {
      for (const recorded of recordedChecks(state)) looked.push(await lookAgain(recorded, looker));
      for (const delivered of await deliveredBy(service.runs, info, io, world)) looked.push(await lookAtArtifact(delivered, looker));
    } finally {
      looker.close();
    }
    const counted = looked.filter((one) => one.is !== 'human' && !one.replaced);
    // Nothing that could be run again shows nothing (R11).
    const holds = counted.length > 0 && counted.every((one) => one.is === 'holds');
    if (options.json) printJson(io, { run: info.slug, holds, checks: looked });
    else io.out(textOf(info.slug, looked, counted, colorsFor(io)));
    return holds ? EXIT_OK : EXIT_PARTIAL;
  });
}

async function lookAgain(recorded: RecordedCheck, looker: Looker): Promise<Rechecked> {
  const look = await looker.look(recorded.check);
  return look === null
    ? { ...recorded, is: 'human', saw: 'a person said so; not asked again' }
    : { ...recorded, is: look.is, saw: look.saw };
}

/** A run says what it delivered in its record alone. */
async function deliveredBy(runs: Runs, info: RunInfo, io: Io, world: World): Promise<RecordedArtifact[]> {
  if (info.type !== 'runPipeline') return [];
  const record = await recordText(runs, info, { name: 'ledger', file: LEDGER_FILE }, world.hostId());
  if (record === null)
    throw new UserError(`the LEDGER.md of run ${info.slug} is not there: put it back to look again at what was delivered`, 2);
  if (record.note !== null) io.err(record.note);
  return recordedArtifacts(record.text, LEDGER_FILE);
}

async function lookAtArtifact({ path, sha256, task }: RecordedArtifact, looker: Looker): Promise<Rechecked> {
  const { is, sha256: now } = await looker.artifact(path);
  const recorded = { check: `artifact: ${path}`, tasks: [task], held: true, replaced: false };
  if (is === 'unobservable') return { ...recorded, is, saw: 'it could not be read' };
  if (is === 'there') return { ...recorded, ...(now === sha256 ? AS_ACCEPTED : CHANGED) };
  return { ...recorded, is: 'disproved', saw: is === 'missing' ? 'absent' : is };
}

const AS_ACCEPTED = { is: 'holds', saw: 'as it was accepted' } as const;
const CHANGED = { is: 'disproved', saw: 'changed since it was accepted' } as const;

function placeOf(info: RunInfo, hostId: string): { workspace: string; out: string } {
  const { host, workspace, out } = info.memo;
  if (host !== null && host !== hostId) throw new UserError(`run ${info.slug} worked on another host (${host}): run --recheck there`, 2);
  if (workspace === null || out === null)
    throw new UserError(`run ${info.slug} was not started by this command, so its workspace is not known here`, 2);
  return { workspace, out };
}

function configOf(workspace: string): Config {
  const text = readConfigOf(workspace);
  if (text === null) return defaultConfig();
  const { config, problems } = parseConfig(text, { file: CONFIG_FILE });
  if (config === null || hasErrors(problems)) throw new UserError(problems.map(renderProblem).join('\n'), 2);
  return config;
}

function textOf(slug: string, looked: Rechecked[], counted: Rechecked[], colors: Colors): string {
  if (counted.length === 0)
    return [...looked.map((one) => lineOf(one, colors)), `${slug}: no recorded check could be run again`].join('\n');
  const holding = counted.filter((one) => one.is === 'holds').length;
  return [...looked.map((one) => lineOf(one, colors)), `${slug}: ${holdingWords(holding, counted.length)} now`].join('\n');
}

function holdingWords(holding: number, all: number): string {
  if (all === 1) return holding === 1 ? 'its check holds' : 'its check does not hold';
  if (holding === all) return `all ${all} checks hold`;
  return holding === 0 ? `none of ${all} checks holds` : `${holding} of ${all} checks ${holding === 1 ? 'holds' : 'hold'}`;
}

function lineOf(one: Rechecked, colors: Colors): string {
  return `${wordsOf(one, colors)}  ${one.tasks.join(', ')}  ${oneLine(one.check)}  →  ${oneLine(one.saw)}`;
}

function wordsOf(one: Rechecked, colors: Colors): string {
  if (one.is === 'human') return colors.quiet('not run');
  if (one.is === 'holds') return colors.good('holds');
  if (one.replaced) return colors.quiet('replaced');
  const what = one.is === 'unobservable' ? 'cannot be told' : one.held ? 'no longer holds' : 'does not hold';
  return colors.bad(what);
}
