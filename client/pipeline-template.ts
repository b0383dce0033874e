/** What `donewhen init --pipeline` writes: a pipeline of three steps that is sound as it stands, with every key explained. */
export const PIPELINE_TEMPLATE = `# A pipeline: steps in their order, each by an agent or a command, each judged by what it left.
# \`donewhen check pipeline.yaml\` names what is wrong here; \`donewhen run --pipeline pipeline.yaml\` carries it out.

pipeline: my-pipeline                  # the name of the run
goal: The specification and its design are written and reviewed.
values: { feature-id: 001-example }    # \${feature-id} in prompts, commands and patterns; $\${HOME} is the text \${HOME}

steps:
  - step: 1                            # a number, a number and a letter (8b), or a word of small letters
    agent: specify                     # what its STEP-RESULT block must say; also DONEWHEN_ROLE
    # performer: claude                # an agent of donewhen.yaml; otherwise roles.performer, for gate: review roles.reviewer
    prompt: |                          # or promptFile: prompts/specify.md, beside this file
      Write the specification of \${feature-id} to specs/\${feature-id}/spec.md.
    artifacts: { spec: "specs/*/spec.md" }   # keys that the block must list; each path is new, not empty, and matches
    # attempts: 5                      # until its delivery is accepted, the first included
    # checks: ["run: npm test"]        # as in PLAN.md; they must hold after the step
    # require: ["metrics.open-questions == 0"]
    # permissions: edit                # read, edit or full
    # writes: ["specs/**"]
    # timeout: 30m
    # onExhausted: ask                 # or stop, or continue-with-debt

  - step: 2
    agent: review-spec
    prompt: |
      Review the specification. Reject it with every critical issue, one sentence each, or approve it.
    inputs: { spec: 1.spec }           # what an earlier step left; otherwise the next-inputs of the step before
    gate: review                       # none, review (the verdict decides) or human (a person decides)
    fix: 1                             # the earlier step whose agent mends what is rejected
    rounds: 5                          # of a fix and another review; 0 goes straight to backToPlan
    # backToPlan: 1                    # then on from there again, 3 times at most
    # conditions: debt                 # APPROVED_WITH_CONDITIONS: on, recorded as debt; or fix

  - step: 3
    run: mkdir -p out && cp specs/\${feature-id}/spec.md out/   # a command instead of an agent: no block
    artifacts: { copy: out/spec.md }
    # when: { step: 2, verdict: APPROVED }   # otherwise skipped
    # optional: true                   # never run in order, only as a fix
`;
