/** What `donewhen init` writes: every setting with its default, as a comment, so that the file changes nothing until it is edited. */
export const CONFIG_TEMPLATE = `# donewhen.yaml: how runs in this workspace are carried out. Every setting is optional.
# Take the "#" away in front of what you want to set. \`donewhen check .\` names what is wrong here.

# Who can carry out tasks. A known agent needs only its kind; any program can be one.
# agents:
#   claude: { kind: claude-code, permissions: edit }      # permissions: read, edit or full
#   codex:  { kind: codex, network: false, idleMinutes: 30 }    # hangs if it prints nothing for so long
#   mine:   { kind: command, command: [node, tools/agent.mjs] }

# Who does what. Without a planner, a plan that no longer holds ends the run with a report.
# roles:
#   performer: claude
#   planner: claude
#   verifier: claude
#   reviewer: codex

# Where a run stops on its own. null: no limit.
# limits:
#   parallel: 1         # tasks at once; more only where they say in Writes that they write different files
#   taskMinutes: 60     # one attempt
#   runHours: 24        # work, without waits, usage limits and pauses
#   dispatches: 200
#   costUsd: 25
#   tokens: null
#   checkMinutes: 10    # one check
#   waitDays: 30        # for a person

# workspace: { isolation: in-place }     # attempts work in the workspace itself; worktree is not in this version
# people:    { onBlocked: report }       # or wait: for a person, instead of closing with a report
# gate:      { askPlanner: on-news, finalSweep: on }     # mechanical, on-news or always; on or off

# Told when a person is needed, and at the end. The command gets the text as its last argument and JSON on standard input.
# notify:
#   command: [notify-send, donewhen]
#   webhook: null

# What agents see of your environment, and which values are masked in everything that is kept.
# environment:
#   pass: [PATH, HOME, LANG]
#   secrets: [ANTHROPIC_API_KEY]
`;
