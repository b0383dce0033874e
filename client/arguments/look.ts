import { type Command, Option } from 'commander';
import { type Choose, common, commonOf, EXITS_ANY, EXITS_RUN, texts, valuesOf } from './verb.js';

/** `watch`, `status`, `list`, `ledger`, `report`, `waiting` and `plan`. */
export function addLookingVerbs(program: Command, choose: Choose): void {
  addWatch(program, choose);
  addStatus(program, choose);
  addRecords(program, choose);
  addWaiting(program, choose);
}

function addWatch(program: Command, choose: Choose): void {
  const watch = program
    .command('watch <run>')
    .description('Watch a run to its end. Where no worker serves it, this command hosts one until the run is closed.')
    .addOption(untilOption())
    .action((run: string) => {
      const values = valuesOf(watch);
      choose(async (io, world) =>
        (await import('../commands/watch.js')).watchCommand(run, { ...commonOf(values), ...texts(values, ['until']) }, io, world),
      );
    });
  common(watch, { exits: EXITS_RUN, examples: ['donewhen watch demo', 'donewhen watch demo --json | jq .outcome'] });
}

export function untilOption(): Option {
  return new Option('--until <state>', 'return 11 as soon as nothing but a person can move the run on').choices(['waiting']);
}

function addStatus(program: Command, choose: Choose): void {
  const status = program
    .command('status <run>')
    .description('One screen about a run: tasks, criteria, cost, what is open and what waits for a person.')
    .action((run: string) => {
      const options = commonOf(valuesOf(status));
      choose(async (io, world) => (await import('../commands/status.js')).statusCommand(run, options, io, world));
    });
  common(status, {
    exits: ['0  shown', ...EXITS_ANY],
    notes: [
      'A closed run is read from its result; a running one is asked through its worker.',
      '--json prints the run as docs/interface.md §7 defines it.',
    ],
    examples: ['donewhen status demo', 'donewhen status demo --json'],
  });
  const list = program
    .command('list')
    .description('All runs of the server, newest first. No worker is needed.')
    .action(() => {
      const options = commonOf(valuesOf(list));
      choose(async (io, world) => (await import('../commands/list.js')).listCommand(options, io, world));
    });
  common(list, { exits: ['0  shown', ...EXITS_ANY], examples: ['donewhen list', "donewhen list --json | jq '.[].run'"] });
}

function addRecords(program: Command, choose: Choose): void {
  const ledger = program
    .command('ledger <run>')
    .description('The ledger of a run: one entry a task, with evidence.')
    .action((run: string) => {
      const options = commonOf(valuesOf(ledger));
      choose(async (io, world) => (await import('../commands/ledger.js')).ledgerCommand(run, options, io, world));
    });
  common(ledger, { exits: ['0  shown', ...EXITS_ANY], examples: ['donewhen ledger demo'] });
  const report = program
    .command('report <run>')
    .description('The report of a closed run.')
    .option('--recheck', 'run every recorded check again, now, and say what still holds')
    .addOption(new Option('--format <format>', 'as Markdown or as JSON').choices(['md', 'json']))
    .action((run: string) => {
      const values = valuesOf(report);
      const options = { ...commonOf(values), json: values.json || values.format === 'json' };
      choose(async (io, world) =>
        values.recheck === true
          ? (await import('../commands/recheck.js')).recheckCommand(run, options, io, world)
          : (await import('../commands/report.js')).reportCommand(run, options, io, world),
      );
    });
  common(report, {
    exits: [
      '0  shown; with --recheck: everything holds',
      '10  with --recheck: something does not hold, or nothing could be run again',
      ...EXITS_ANY,
    ],
    notes: ['--recheck runs the checks in this terminal, on this host; no worker and no agent is involved.'],
    examples: ['donewhen report demo', 'donewhen report demo --recheck'],
  });
  const plan = program
    .command('plan <run>')
    .description('The plan of a run: the present one, or any version.')
    .option('--version <n>', 'that version')
    .action((run: string) => {
      const values = valuesOf(plan);
      choose(async (io, world) =>
        (await import('../commands/plan.js')).planCommand(run, { ...commonOf(values), ...texts(values, ['version']) }, io, world),
      );
    });
  common(plan, { exits: ['0  shown', ...EXITS_ANY], examples: ['donewhen plan demo', 'donewhen plan demo --version 1'] });
}

function addWaiting(program: Command, choose: Choose): void {
  const waiting = program
    .command('waiting [run]')
    .description('What waits for a person, in one run or in all, with the command that answers.')
    .action((run: string | undefined) => {
      const options = commonOf(valuesOf(waiting));
      choose(async (io, world) => (await import('../commands/waiting.js')).waitingCommand(run, options, io, world));
    });
  common(waiting, {
    exits: ['0  shown, also when nothing waits', ...EXITS_ANY],
    examples: ['donewhen waiting', 'donewhen waiting demo --json'],
  });
}
