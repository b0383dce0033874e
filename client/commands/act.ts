import { UserError } from '../errors.js';
import { EXIT_BAD_INPUT, EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import type { Act, Acted, RunInfo } from '../runs.js';
import { printJson, refuseDeserted, runNamed, withService } from '../service.js';
import type { CommonOptions, World } from '../world.js';

/** What every act of a person carries: who says it, and an id under which it is applied once (R12). */
export interface ActOptions extends CommonOptions {
  by?: string;
  id?: string;
  /** What the person looked at, a plan version or a hash; a stale act is refused. */
  shown?: string;
}

/** Answers with yes or no at once where nothing has to be looked at first. */
const ANSWER_MS = 30_000;
/** As `ACT_ACCEPTED_DEADLINE_MS` of client/temporal/runs.ts; only for the words. */
const TAKEN_DEADLINE_MS = 15_000;

/** Sends one act to a running run and says what came of it. Refused is exit 2, no worker exit 3. */
export async function actCommand(
  run: string,
  act: { name: Act['name']; payload: Act['payload']; answerMs?: number },
  options: ActOptions,
  io: Io,
  world: World,
): Promise<number> {
  const payload = { ...act.payload, ...actor(act.name, options) };
  return withService(options, io, world, async (service) => {
    const info = await runNamed(service.runs, run);
    if (info.status !== 'running') throw closedRun(info, act.name);
    refuseDeserted(service, info, world);
    const id = options.id ?? world.newId();
    const acted = await service.runs.act(
      { slug: info.slug },
      { name: act.name, id, payload: { ...payload, id }, answerMs: act.answerMs ?? ANSWER_MS },
    );
    if (acted === null) throw untaken(info.slug, id);
    return sayActed({ run: info.slug, name: act.name, id, acted }, options, io);
  });
}

/** An act without a name is nobody's word, and is never recorded as somebody's. */
export function actor(name: string, options: ActOptions): Record<string, string> {
  const by = options.by?.trim() ?? '';
  if (by === '') throw new UserError(`${name} needs --by NAME: who says so is part of the record`, 2);
  return { by, ...(options.shown === undefined ? {} : { shown: options.shown }) };
}

export function sayActed(did: { run: string; name: string; id: string; acted: Acted }, options: CommonOptions, io: Io): number {
  const { run, name, id, acted } = did;
  if (options.json) printJson(io, { run, act: name, id, applied: acted.applied, reason: acted.reason });
  if (!acted.applied) {
    io.err(`${run}: ${name} was refused: ${acted.reason}`);
    return EXIT_BAD_INPUT;
  }
  if (!options.json) io.out(`${run}: ${name} was applied${acted.reason === '' ? '' : `: ${acted.reason}`}`);
  return EXIT_OK;
}

/** The server keeps what nobody took for a while: it may still be applied, and must not be twice. */
function untaken(slug: string, id: string): UserError {
  const words = `no worker took it for run ${slug} in ${TAKEN_DEADLINE_MS / 1000} s`;
  return new UserError(`${words}: \`donewhen watch ${slug}\` hosts one; say it again with --id ${id}, so that it is applied once`, 3);
}

function closedRun(info: RunInfo, name: string): UserError {
  const outcome = info.status === 'completed' ? (info.seen.outcome ?? 'closed') : info.status;
  return new UserError(
    `run ${info.slug} is closed (${outcome}), ${name} comes too late: \`donewhen resolve ${info.slug} …\` or \`donewhen run\` goes on with one`,
    2,
  );
}
