/**
 * `donewhen --help`: what there is, on one page. It is written down here instead of being asked of every verb, so that it
 * costs no more than Node itself; a test holds it against the verbs as they are.
 */
export const OVERVIEW: readonly { group: string; verbs: readonly (readonly [usage: string, summary: string])[] }[] = [
  {
    group: 'Carry out',
    verbs: [
      ['run [plan]', 'carry out a PLAN.md and watch it to its end'],
      ['start [plan]', 'as run, but detached'],
      ['check [plan]', 'say what is wrong with a PLAN.md, and draw it'],
    ],
  },
  {
    group: 'Look',
    verbs: [
      ['watch <run>', 'watch a run to its end'],
      ['status <run>', 'one screen about a run'],
      ['list', 'all runs of the server'],
      ['ledger <run>', 'the ledger: one entry a task, with evidence'],
      ['report <run>', 'the report; --recheck runs all checks again'],
      ['plan <run>', 'the plan, any version'],
      ['waiting [run]', 'what waits for a person, and how to answer'],
    ],
  },
  {
    group: 'Say and decide',
    verbs: [
      ['attest <run> <task>', "a person's word on a task that was handed over"],
      ['decide <run> <gate> <decision>', 'approve or reject'],
      ['resolve <run> <blocker>', 'a blocker is gone: reopens an exhausted run'],
      ['replan <run> <plan>', "a person's new plan version"],
      ['message <run> <text>', 'a message to a role, shown in its next brief'],
      ['pause <run>', 'let what runs end, then send nobody'],
      ['resume <run>', 'go on after a pause'],
      ['stop <run>', 'end what runs, and close with a report'],
    ],
  },
  {
    group: 'Set up',
    verbs: [
      ['dev', 'the embedded server and a standing worker'],
      ['worker', 'a standing worker'],
      ['init [folder]', 'make a server ready; write a donewhen.yaml'],
      ['doctor', 'say what is missing, and how to get it'],
    ],
  },
];

const HEAD = `Usage: donewhen <verb> [arguments]

Carries out a written plan with coding agents and people, and calls a task done
only when its checks observe it.`;

const FOOT = `Begin with:
  donewhen check .          say what is wrong with ./PLAN.md, and draw it
  donewhen run .            carry it out
  donewhen <verb> --help    what a verb does, its options, exit status, examples

Every verb takes --json, --address, --namespace, --profile, --debug and --help;
--version shows the version.

Exit status: 0 done · 2 bad input or refused · 3 no server or worker answered ·
10 partial · 11 blocked · 12 failed · 13 stopped · 130 interrupted`;

export function overview(): string {
  const width = Math.max(...OVERVIEW.flatMap(({ verbs }) => verbs.map(([usage]) => usage.length)));
  const groups = OVERVIEW.map(({ group, verbs }) =>
    [`${group}:`, ...verbs.map(([usage, words]) => `  ${usage.padEnd(width)}  ${words}`)].join('\n'),
  );
  return [HEAD, ...groups, FOOT].join('\n\n');
}

/** Whether nothing but this page is asked for. */
export function asksForOverview(words: readonly string[]): boolean {
  return words.length === 1 && ['--help', '-h', 'help'].includes(words[0] ?? '');
}
