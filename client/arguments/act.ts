import { Argument, type Command, Option } from 'commander';
import { type Choose, common, commonOf, EXITS_ACT, texts, valuesOf } from './verb.js';

/** What a person says or decides: `attest`, `decide`, `resolve`, `replan`, `message`, `pause`, `resume` and `stop`. */
export function addActingVerbs(program: Command, choose: Choose): void {
  addAttest(program, choose);
  addDecide(program, choose);
  addResolve(program, choose);
  addReplan(program, choose);
  addMessage(program, choose);
  addSteering(program, choose);
}

const ACT = ['by', 'id', 'shown'] as const;
const BY = ['--by <name>', 'who says so; it goes on record'] as const;

function acting(verb: Command): Command {
  return verb
    .requiredOption(...BY)
    .option('--id <id>', 'the same id twice is applied once (default: a new one)')
    .option('--shown <what>', 'the plan version, or the beginning of the hash, that was looked at; refused if it changed since');
}

function addAttest(program: Command, choose: Choose): void {
  const attest = acting(
    program
      .command('attest <run> <task>')
      .description("A person's word on a task that was handed over, or on its human: checks.")
      .addOption(new Option('--happened <answer>', 'did it happen?').choices(['yes', 'no', 'partly']).makeOptionMandatory())
      .option('--now-true <text>', 'what is true now')
      .option('--unexpected <text>', 'anything unexpected'),
  ).action((run: string, task: string) => {
    const values = valuesOf(attest);
    const options = { ...commonOf(values), ...texts(values, [...ACT, 'happened', 'nowTrue', 'unexpected']) };
    choose(async (io, world) => (await import('../commands/attest.js')).attestCommand(run, task, options, io, world));
  });
  common(attest, {
    exits: EXITS_ACT,
    notes: ['A check still beats a word: yes with a check that does not hold is recorded as failed.'],
    examples: [
      "donewhen attest demo T3 --happened yes --now-true 'the badge opens the door' --by ana",
      "donewhen attest demo T3 --happened no --unexpected 'door locked' --by ana",
    ],
  });
}

function addDecide(program: Command, choose: Choose): void {
  const decide = acting(
    program
      .command('decide <run> <gate>')
      .description('An approval or a rejection, for what `donewhen waiting` shows.')
      .addArgument(new Argument('<decision>', 'only these words count').choices(['approve', 'reject']))
      .option('--reason <text>', 'why'),
  ).action((run: string, gate: string, decision: string) => {
    const values = valuesOf(decide);
    const options = { ...commonOf(values), ...texts(values, [...ACT, 'reason']) };
    choose(async (io, world) => (await import('../commands/decide.js')).decideCommand({ run, gate, decision }, options, io, world));
  });
  common(decide, {
    exits: EXITS_ACT,
    examples: ['donewhen decide demo T2 approve --by ana', "donewhen decide demo T2 reject --reason 'too early' --by ana"],
  });
}

function addResolve(program: Command, choose: Choose): void {
  const resolve = acting(
    program
      .command('resolve <run> <blocker>')
      .description('A blocker is gone: reopens an exhausted run, running or closed.')
      .requiredOption('--resolution <text>', 'what changed, for the planner')
      .option('--check <command>', 'a command that shows it; without one your word is recorded as attested'),
  ).action((run: string, blocker: string) => {
    const values = valuesOf(resolve);
    const options = { ...commonOf(values), ...texts(values, [...ACT, 'resolution', 'check']) };
    choose(async (io, world) => (await import('../commands/resolve.js')).resolveCommand(run, blocker, options, io, world));
  });
  common(resolve, {
    exits: EXITS_ACT,
    notes: ['Hosts a worker only where the run has none. `donewhen watch RUN` then follows the run to its end.'],
    examples: ["donewhen resolve demo no-key --resolution 'the key is in ./key' --check 'test -s key' --by ana"],
  });
}

function addReplan(program: Command, choose: Choose): void {
  const replan = acting(program.command('replan <run> <plan>').description("A person's new plan version, as a PLAN.md.")).action(
    (run: string, plan: string) => {
      const values = valuesOf(replan);
      const options = { ...commonOf(values), ...texts(values, ACT) };
      choose(async (io, world) => (await import('../commands/replan.js')).replanCommand(run, plan, options, io, world));
    },
  );
  common(replan, {
    exits: EXITS_ACT,
    notes: ['The plan needs a higher Plan version, new ids for attempted work, and must keep every required criterion covered.'],
    examples: ['donewhen replan demo PLAN.md --by ana'],
  });
}

function addMessage(program: Command, choose: Choose): void {
  const message = acting(
    program
      .command('message <run> <text>')
      .description('A message to a role, recorded and shown in its next brief.')
      .requiredOption('--to <role>', 'performer, planner, verifier or reviewer'),
  ).action((run: string, text: string) => {
    const values = valuesOf(message);
    const options = { ...commonOf(values), ...texts(values, [...ACT, 'to']) };
    choose(async (io, world) => (await import('../commands/steer.js')).messageCommand(run, text, options, io, world));
  });
  common(message, { exits: EXITS_ACT, examples: ["donewhen message demo --to planner 'prefer the old API' --by ana"] });
}

const STEERING = [
  ['pause', 'Let what runs end and be judged, then send nobody.'],
  ['resume', 'Go on after a pause.'],
  ['stop', 'End the running attempt with all its processes, look at it, and close with a report.'],
] as const;

function addSteering(program: Command, choose: Choose): void {
  for (const [name, words] of STEERING) {
    const verb = acting(program.command(`${name} <run>`).description(words).option('--reason <text>', 'why')).action((run: string) => {
      const values = valuesOf(verb);
      const options = { ...commonOf(values), ...texts(values, [...ACT, 'reason']) };
      choose(async (io, world) => (await import('../commands/steer.js')).steerCommand(name, run, options, io, world));
    });
    common(verb, { exits: EXITS_ACT, examples: [`donewhen ${name} demo --by ana --reason lunch`] });
  }
}
