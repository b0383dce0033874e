/** One check of a task, as code can run it (docs/interface.md §4). */
export type Check =
  | { kind: 'run'; command: string; expect: RunExpectation }
  | { kind: 'file'; path: string; expect: FileExpectation }
  | { kind: 'http'; url: string; status: number; contains?: string }
  | { kind: 'git'; expect: GitExpectation }
  | { kind: 'human'; question: string };

export type RunExpectation = { is: 'exit'; code: number } | { is: 'prints'; text: string };

export type FileExpectation =
  | { is: 'exists' }
  | { is: 'absent' }
  | { is: 'contains'; text: string }
  | { is: 'matches'; source: string; flags: string }
  | { is: 'json'; schema: string | null };

export type GitExpectation = { is: 'clean' } | { is: 'commit'; rev: string } | { is: 'tracked'; path: string };

export const CHECK_KINDS = ['run', 'file', 'http', 'git', 'human'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** What one kind's grammar makes of the words after `kind:`: a check, or why not. */
export type Read = { check: Check } | { wrong: string };

/** The longest check line; a longer command belongs in a script. */
export const CHECK_CHARS_MAX = 4000;
