/** What of a task the verifier role is told. It is asked before the work, blind to any claim. */
export interface Prose {
  title: string;
  task: string;
  doneWhen: string;
  verifyBy: string;
}

/** What the verifier role is asked (docs/interface.md §9). It proposes; whether a proposal is worth anything is seen by running it. */
export function verifierPrompt({ title, task, doneWhen, verifyBy }: Prose): string {
  return `You propose checks. Somebody else will do the task below, and code will run your checks afterwards to see whether it is done.

Task: ${title}
What is to be done: ${task}
Done when: ${doneWhen}
Verify by: ${verifyBy}

Look at the workspace you are in, read what you need, and change nothing. Then answer with the checks that would hold when "Done when" is
true and would not hold now, unless it is true already. One check a line, each of one of these forms:

- run: <command>                            its exit status is 0
- run: <command> => exit 3
- run: <command> => prints "text"
- file: <path or glob>                      there, a regular file, not empty
- file: <path> contains "text"
- file: <path> matches /regex/
- file: <path> is json <schema.json>
- http: GET <url> => 200

Paths are relative to the workspace. All checks must hold together. A check that would also pass in an empty folder proves nothing and is
refused; so is one that only looks for words in a file where something else is meant. Commands must end by themselves and change nothing.

End with exactly this block and nothing after it:

Checks:
- <check>

If there is no way to observe it with such checks, end instead with one line:

CANNOT TELL: <reason>
`;
}
