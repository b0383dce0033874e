// The pipelines whose histories scripts/record-histories.mjs records: by name, the files of each and what people do meanwhile.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXAMPLE = join(dirname(fileURLToPath(import.meta.url)), '..', 'examples', 'okr');

/** Writes the file that its step demands; a reviewer finds the same issue each time. */
const AGENT = `cat > /dev/null
step=\${DONEWHEN_TASK#S}
step=\${step%%@*}
verdict=N/A
issues=' []'
if [ "$DONEWHEN_ROLE" = reviewer ]; then
  verdict=REJECTED
  issues='
  - "it is not nice"'
fi
mkdir -p docs
echo "$DONEWHEN_ATTEMPT" > "docs/$step.md"
printf '%s\n' '<!-- STEP-RESULT' "step: $step" "agent: $DONEWHEN_ROLE" 'status: SUCCESS' 'artifacts:' "  doc: docs/$step.md" \\
  'metrics: {}' "verdict: $verdict" "critical-issues:$issues" 'next-inputs: {}' '/STEP-RESULT -->'
`;

const written = (step, more = {}) => ({
  step,
  agent: 'writer',
  prompt: `Write docs/${step}.md.`,
  artifacts: { doc: `docs/${step}.md` },
  ...more,
});
const command = (step) => ({ step, run: `cat docs/*.md > all-${step}.md`, artifacts: { all: `all-${step}.md` } });
const review = { step: 2, agent: 'reviewer', prompt: 'Review it.', artifacts: { doc: 'docs/2.md' }, gate: 'review', fix: 1, rounds: 1 };

function pipeline(steps, settings = {}) {
  const config = { agents: { mine: { kind: 'command', command: ['sh', 'agent.sh'] } }, roles: { performer: 'mine', reviewer: 'mine' } };
  return {
    'pipeline.yaml': JSON.stringify({ pipeline: 'demo', goal: 'The documents are there.', steps }),
    'donewhen.yaml': JSON.stringify({ ...config, ...settings }),
    'agent.sh': AGENT,
  };
}

function filesBelow(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  return Object.fromEntries(
    paths.filter((path) => statSync(path).isFile()).map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  );
}

const decide =
  (decision) =>
  async ({ asked, update }) => {
    await asked();
    await update('decide', { gate: 'S2', decision, by: 'ana', reason: 'it is nice enough' });
  };
const waiting = { people: { onBlocked: 'wait' } };
const human = { ...written(2), gate: 'human', fix: 1 };

export const PIPELINES = {
  pipeline: { pipeline: pipeline([written(1), written(2, { inputs: { doc: '1.doc' } }), command(3)]) },
  // Missing, outside and stale artifacts, two reviews that reject, and their fixes; long enough to be carried on in a second execution.
  'pipeline-mended': { pipeline: filesBelow(EXAMPLE) },
  'pipeline-exhausted': { pipeline: pipeline([written(1), review, command(3)], waiting), acts: decide('approve') },
  'pipeline-exhausted-report': { pipeline: pipeline([written(1), review, command(3)]) },
  'pipeline-human': { pipeline: pipeline([written(1), human, command(3)]), acts: decide('approve') },
  'pipeline-debt': { pipeline: pipeline([written(1), { ...review, onExhausted: 'continue-with-debt' }, command(3)]) },
};
