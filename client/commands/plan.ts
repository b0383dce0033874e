import { UserError } from '../errors.js';
import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { PLAN_FILE } from '../plan-folder.js';
import { harmless } from '../present/text.js';
import { type RecordText, recordText, sha256Of } from '../record-text.js';
import { keptPipelinePath, keptPlanPath, keptVersions } from '../run-folder.js';
import { readRunState } from '../run-state.js';
import type { RunInfo } from '../runs.js';
import { noWorker, printJson, QUERY_DEADLINE_MS, runNamed, stateOf, withService } from '../service.js';
import { readTextFile } from '../text-file.js';
import type { CommonOptions, Service, World } from '../world.js';

export interface PlanOptions extends CommonOptions {
  version?: string;
}

/** The plan of a run: the one it carries out now, or any version that it ever had. */
export async function planCommand(run: string, options: PlanOptions, io: Io, world: World): Promise<number> {
  const wanted = options.version === undefined ? null : versionOf(options.version);
  return withService(options, io, world, async (service) => {
    const info = await runNamed(service.runs, run);
    const found = await planOf(service, info, wanted, world);
    if (found.note !== null) io.err(found.note);
    if (options.json)
      printJson(io, { run: info.slug, version: wanted, path: found.path, sha256: found.sha256, text: found.text, note: found.note });
    else io.out(harmless(found.text));
    return EXIT_OK;
  });
}

function versionOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UserError(`--version takes a plan version, as 2, not ${JSON.stringify(text)}`, 2);
  return Number(text);
}

function planOf(service: Service, info: RunInfo, wanted: number | null, world: World): Promise<RecordText> | RecordText {
  if (info.type === 'runPipeline') return keptPipeline(info, wanted, world.hostId());
  return wanted === null ? presentPlan(service, info, world) : keptPlan(info, wanted, world.hostId());
}

/** It stays as it is; what its gates made of it stands in the ledger. */
function keptPipeline(info: RunInfo, wanted: number | null, hostId: string): RecordText {
  if (wanted !== null)
    throw new UserError(
      `run ${info.slug} carries out a pipeline, which has no versions: \`donewhen ledger ${info.slug}\` says what its gates asked for`,
      2,
    );
  const workspace = workspaceHere(info, hostId);
  const path = workspace === null ? null : keptPipelinePath(workspace, info.slug);
  const text = path === null ? null : readTextFile(path);
  if (text === null) throw new UserError(`the pipeline of run ${info.slug} is not on this host any more`, 2);
  return { path, sha256: sha256Of(text), text, note: null };
}

async function presentPlan(service: Service, info: RunInfo, world: World): Promise<RecordText> {
  const hostId = world.hostId();
  if (info.status !== 'running') {
    const version = readRunState(await stateOf(service, info, world))?.plan.version;
    const workspace = workspaceHere(info, hostId);
    if (version !== undefined && workspace !== null && keptVersions(workspace, info.slug).includes(version))
      return keptPlan(info, version, hostId);
  }
  const found = await recordText(service.runs, info, { name: 'plan', file: PLAN_FILE }, hostId);
  if (found !== null) return found;
  if (info.status === 'running') throw noWorker(info.slug, QUERY_DEADLINE_MS);
  throw new UserError(`the plan of run ${info.slug} is not on this host any more`, 2);
}

/** Each version stays in the run's folder. */
function keptPlan(info: RunInfo, version: number, hostId: string): RecordText {
  const workspace = workspaceHere(info, hostId);
  const path = workspace === null ? null : keptPlanPath(workspace, info.slug, version);
  const text = path === null ? null : readTextFile(path);
  if (text !== null) return { path, sha256: sha256Of(text), text, note: null };
  const kept = workspace === null ? [] : keptVersions(workspace, info.slug);
  const way = kept.length === 0 ? 'none is kept on this host' : `there are ${kept.join(', ')}`;
  throw new UserError(`run ${info.slug} has no plan version ${version}: ${way}`, 2);
}

function workspaceHere(info: RunInfo, hostId: string): string | null {
  const { host, workspace } = info.memo;
  return host !== null && host !== hostId ? null : workspace;
}
