import { type Command, Option } from 'commander';
import { UserError } from '../errors.js';
import type { Subject } from '../subject.js';
import { untilOption } from './look.js';
import { type Choose, common, commonOf, EXITS_RUN, texts, valuesOf } from './verb.js';

/** `run`, `start` and `check`: what begins with a plan on disk. */
export function addPlanVerbs(program: Command, choose: Choose): void {
  addRun(program, choose);
  addStart(program, choose);
  addCheck(program, choose);
}

const PLACES = ['slug', 'workspace', 'out'] as const;

function starting(verb: Command): Command {
  const known = verb
    .option('--slug <name>', 'name of the run (default: from the title after # PLAN:)')
    .option('--pipeline <file>', 'carry out this pipeline in place of a plan; its folder is workspace and run folder')
    .option('--from <step>', 'of a pipeline: only from this step on; what earlier ones leave must be there')
    .option('--only <step>', 'of a pipeline: only this step')
    .option('--workspace <dir>', 'where checks and agents work (default: the git top level of PLAN.md, else its folder)')
    .option('--out <dir>', 'where LEDGER.md and REPORT.md go (default: beside PLAN.md)')
    .option('--again', 'move LEDGER.md and REPORT.md away and start a fresh record')
    .option('--allow-dirty', 'start although tracked files have uncommitted changes');
  return OTHER_METHODS.reduce((program, name) => program.addOption(new Option(`--${name} <value>`).hideHelp()), known);
}

/** Of methods that are still to come: understood, so that the refusal can say so, and not offered. */
const OTHER_METHODS = ['swarm', 'goal'];

function refuseOtherMethods(values: Record<string, unknown>): void {
  const given = OTHER_METHODS.find((name) => values[name] !== undefined);
  if (given !== undefined)
    throw new UserError(`--${given} is not in this version: swarms are still to come; a PLAN.md or a pipeline is carried out`, 2);
}

/** The plan, or the pipeline where one is named. */
function subjectOf(path: string | undefined, values: Record<string, unknown>, verb: string): Subject {
  const { pipeline, from, only } = texts(values, ['pipeline', 'from', 'only']);
  if (pipeline !== undefined) {
    if (path !== undefined) throw new UserError(`${verb} carries out one thing: a plan, or the file after --pipeline`, 2);
    if (from !== undefined && only !== undefined) throw new UserError('--from and --only exclude each other: give one of them', 2);
    return { is: 'pipeline', path: pipeline };
  }
  const range = from === undefined ? only && '--only' : '--from';
  if (range !== undefined) throw new UserError(`${range} is for a pipeline: name its file with --pipeline FILE`, 2);
  if (isPipelineFile(path)) throw new UserError(`${path} is no PLAN.md: \`donewhen ${verb} --pipeline ${path}\` carries out a pipeline`, 2);
  if (path === undefined || path === '')
    throw new UserError(`${verb} needs a folder with a PLAN.md, or the file: \`donewhen ${verb} .\` takes this folder`, 2);
  return { is: 'plan', path };
}

function startOptions(values: Record<string, unknown>) {
  const given = texts(values, [...PLACES, 'from', 'only']);
  return { ...commonOf(values), ...given, again: values.again === true, allowDirty: values.allowDirty === true };
}

function addRun(program: Command, choose: Choose): void {
  const run = starting(
    program
      .command('run [plan]')
      .description('Carry out a PLAN.md, or a pipeline: start the run, or rejoin or resume it, and watch it to its end.'),
  )
    .addOption(untilOption())
    .action((path: string | undefined) => {
      const values = valuesOf(run);
      choose(async (io, world) => {
        refuseOtherMethods(values);
        const options = { ...startOptions(values), ...texts(values, ['until']) };
        const subject = subjectOf(path, values, 'run');
        return (await import('../commands/run.js')).runCommand(subject, options, io, world);
      });
    });
  common(run, {
    exits: EXITS_RUN,
    notes: [
      'Says what it found and what it does: a new run, the running one, or a record to go on from.',
      'Hosts the worker of its run, with the environment of this terminal. Ctrl-C leaves the run as it is.',
    ],
    examples: [
      'donewhen run .',
      'donewhen run docs/plans/timeouts --slug timeouts',
      'donewhen run --pipeline pipeline.yaml',
      'donewhen run . --json > run.json',
    ],
  });
}

function addStart(program: Command, choose: Choose): void {
  const start = starting(
    program
      .command('start [plan]')
      .description('As run, but detached: prints run, workflow id and Web UI address, and leaves a worker behind until the run is closed.'),
  ).action((path: string | undefined) => {
    const values = valuesOf(start);
    choose(async (io, world) => {
      refuseOtherMethods(values);
      const subject = subjectOf(path, values, 'start');
      return (await import('../commands/start.js')).startCommand(subject, startOptions(values), io, world);
    });
  });
  common(start, {
    exits: ['0  started, or running already', '2  bad input, nothing was started', '3  no server or no worker answered in time'],
    examples: ['donewhen start .', 'donewhen start . --json | jq -r .url'],
  });
}

/** A pipeline is YAML, and a plan is not. */
function isPipelineFile(path: string | undefined): path is string {
  return path !== undefined && /\.ya?ml$/i.test(path);
}

function addCheck(program: Command, choose: Choose): void {
  const check = program
    .command('check [plan]')
    .description(
      'Read a PLAN.md, or a pipeline, and everything it names, say every problem with its place, and draw its graph. Sends nobody and needs no server.',
    )
    .option('--dry-run', 'also run every check, now, as it would be run before a task')
    .option('--strict', 'warnings are errors')
    .option('--slug <name>', 'name of the run')
    .option('--workspace <dir>', 'where checks are run (default: the git top level of PLAN.md, else its folder)')
    .option('--out <dir>', 'where LEDGER.md is (default: beside PLAN.md)')
    .action((path: string | undefined) => {
      const values = valuesOf(check);
      const options = { ...commonOf(values), ...texts(values, PLACES), dryRun: values.dryRun === true, strict: values.strict === true };
      choose(async (io, world) => {
        if (isPipelineFile(path)) return (await import('../commands/check-pipeline.js')).checkPipelineCommand(path, options, io, world);
        return (await import('../commands/check.js')).checkCommand(path ?? '.', options, io, world);
      });
    });
  common(check, {
    exits: [
      '0  sound; with --dry-run: every check holds already',
      '2  a problem; with --strict also a warning',
      '10  with --dry-run: some check does not hold yet',
    ],
    notes: ['Also says what `donewhen run` would find in the files that are there.'],
    examples: ['donewhen check .', 'donewhen check docs/plans/timeouts --dry-run', 'donewhen check pipeline.yaml'],
  });
}
