import type { Command } from 'commander';
import { type Choose, common, commonOf, EXITS_ANY, texts, valuesOf } from './verb.js';

/** `dev`, `worker`, `init` and `doctor`: what carries runs, and how to get it. */
export function addHostingVerbs(program: Command, choose: Choose): void {
  addDev(program, choose);
  addWorker(program, choose);
  addInit(program, choose);
  addDoctor(program, choose);
}

const EXITS_STANDING = ['130  ended by Ctrl-C', '3  no server answers'];

function addDev(program: Command, choose: Choose): void {
  const dev = program
    .command('dev')
    .description('The embedded server and a standing worker, until Ctrl-C.')
    .action(() => {
      const options = commonOf(valuesOf(dev));
      choose(async (io, world) => {
        world.interrupt.take();
        return (await import('../commands/dev.js')).devCommand(options, io);
      });
    });
  common(dev, { exits: EXITS_STANDING, examples: ['donewhen dev'] });
}

function addWorker(program: Command, choose: Choose): void {
  const worker = program
    .command('worker')
    .description('A standing worker: serves what `start` and the temporal CLI put on task queue donewhen, and runs that lost theirs.')
    .option('--run <run>', 'only that run')
    .option('--until-closed', 'with --run: end when the run is closed')
    .action(() => {
      const values = valuesOf(worker);
      const options = { ...commonOf(values), ...texts(values, ['run']), untilClosed: values.untilClosed === true };
      choose(async (io, world) => {
        world.interrupt.take();
        return (await import('../commands/worker.js')).workerCommand(options, io);
      });
    });
  common(worker, { exits: ['0  the run is closed, with --until-closed', ...EXITS_STANDING], examples: ['donewhen worker'] });
}

function addInit(program: Command, choose: Choose): void {
  const init = program
    .command('init [folder]')
    .description('Register namespace and search attributes; with a folder also write a commented donewhen.yaml there.')
    .option('--pipeline', 'also write a commented pipeline.yaml (without a folder: here)')
    .action((folder: string | undefined) => {
      const values = valuesOf(init);
      const options = { ...commonOf(values), ...(folder === undefined ? {} : { folder }), pipeline: values.pipeline === true };
      choose(async (io) => (await import('../commands/init.js')).initCommand(options, io));
    });
  common(init, { exits: ['0  ready', ...EXITS_ANY], examples: ['donewhen init', 'donewhen init .'] });
}

function addDoctor(program: Command, choose: Choose): void {
  const doctor = program
    .command('doctor')
    .description('Say what is missing, and how to get it.')
    .option('--live', 'also ask each coding agent one question; it costs a little')
    .action(() => {
      const values = valuesOf(doctor);
      const options = { ...commonOf(values), live: values.live === true };
      choose(async (io) => (await import('../commands/doctor.js')).doctorCommand(options, io));
    });
  common(doctor, { exits: ['0  nothing is missing', '2  something is missing', '3  no server answers'], examples: ['donewhen doctor'] });
}
