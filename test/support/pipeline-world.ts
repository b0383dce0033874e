import picomatch from 'picomatch';
import type { SeenArtifact, SeenDelivery, Step } from '../../core/methods/pipeline-values.js';
import { pipelineOf, stepNameOf } from '../../core/methods/run-pipeline-about.js';
import type { Answer, Attempt, End, Look, Move, Observation, Run } from '../../core/values.js';
import { parseStepResult } from '../../documents/pipeline/step-result.js';
import { hash } from './paper-world.js';

/** What an agent does in a transcript, in words: its parts are divided by `;`. What it says goes through the parser of real answers. */
interface Act {
  writes: { path: string; text: string }[];
  removes: string[];
  end: End;
  /** The lines of its block. null: it writes none. */
  block: Map<string, string[]> | null;
  /** Instead of a block of its own. */
  answer: string | null;
}

/** A world on paper for pipelines: files are texts by their path, agents and commands are scripts. */
export class PipelineWorld {
  readonly files = new Map<string, string>();
  readonly hidden = new Set<string>();
  private readonly outcomes = new Map<string, { end: End; answer: string }>();
  private readonly answers = new Map<string, string>();
  private readonly baselines = new Map<string, Map<string, string>>();

  constructor(private readonly acts: Map<string, string[]>) {}

  make(move: Move, run: Run, at: number): Answer | null {
    const head = { move: move.id, at };
    switch (move.is) {
      case 'observe':
        return { ...head, is: 'observed', observation: this.observe(move, run) };
      case 'dispatch': {
        const { end } = this.dispatch(move, run, at);
        return { ...head, is: 'ended', end, session: `session-${move.attempt.task.id}` };
      }
      case 'wait':
        return { ...head, is: 'elapsed' };
      case 'record':
        return { ...head, is: 'recorded', sha256: hash(move.id) };
      case 'person':
        return null;
      case 'replan':
      case 'read':
        throw new Error(`a pipeline asks for no ${move.is}`);
    }
  }

  private dispatch({ token, attempt }: Extract<Move, { is: 'dispatch' }>, run: Run, at: number): { end: End; answer: string } {
    const kept = this.outcomes.get(token);
    if (kept !== undefined) return kept;
    const step = stepIn(run, attempt.task.id);
    const act = parseAct(this.wordsOf(attempt.task.id), at);
    for (const { path, text } of act.writes) this.files.set(path, text);
    for (const path of act.removes) this.files.delete(path);
    const answer = act.answer ?? (act.block === null ? 'I am done.' : blockOf(step, act.block));
    const outcome = { end: act.end, answer };
    this.outcomes.set(token, outcome);
    this.answers.set(attempt.task.id, answer);
    return outcome;
  }

  /** The next line of a task; the last one stays. */
  private wordsOf(task: string): string {
    const lines = this.acts.get(task) ?? [];
    return (lines.length > 1 ? lines.shift() : lines[0]) ?? 'says SUCCESS';
  }

  private observe(move: Extract<Move, { is: 'observe' }>, run: Run): Observation {
    const nothing = { tampered: [], deviations: [], discovered: [] };
    if (move.when === 'sweep') return { ...nothing, looks: move.looks.map(({ check }) => this.look(check)) };
    if (move.when === 'resolution') return { ...nothing, looks: [this.look(move.check)] };
    const looks = move.attempt.task.checks.filter((check) => !check.startsWith('human:')).map((check) => this.look(check));
    if (move.when === 'after') return { ...nothing, looks, delivery: this.delivery(move.attempt, run) };
    const baseline = new Map([...this.files].map(([path, text]) => [path, hash(text)]));
    this.baselines.set(move.attempt.task.id, baseline);
    return { ...nothing, looks, baseline: hash(JSON.stringify([...baseline])) };
  }

  private look(check: string): Look {
    const path = /^file: (\S+)$/.exec(check)?.[1];
    if (path === undefined || this.hidden.has(path)) return { check, is: 'unobservable', saw: 'nobody can look from here' };
    return this.files.has(path) ? { check, is: 'holds', saw: 'there' } : { check, is: 'disproved', saw: 'absent' };
  }

  private delivery({ task }: Attempt, run: Run): SeenDelivery {
    const step = stepIn(run, task.id);
    const baseline = this.baselines.get(task.id) ?? new Map<string, string>();
    const read = step.run ? ({ is: 'none' } as const) : parseStepResult(this.answers.get(task.id) ?? '');
    const matching = step.artifacts.flatMap(({ key, pattern }) =>
      [...this.files.keys()].filter((path) => picomatch.isMatch(path, pattern)).map((path) => ({ key, path })),
    );
    const own = read.is === 'result' ? read.result.artifacts.flatMap(({ key, paths }) => paths.map((path) => ({ key, path }))) : [];
    const artifacts = (step.run ? matching : own).map(({ key, path }) => this.artifact(step, { key, path, baseline }));
    const others = matching.filter(({ key, path }) => !step.run && !own.some((one) => one.key === key && one.path === path));
    const unlisted = others.map(({ key, path }) => this.artifact(step, { key, path, baseline })).filter((one) => one.sha256 !== one.before);
    const next = read.is === 'result' ? read.result.nextInputs : [];
    const nextInputs = next.flatMap(({ key, values }) => values.map((value) => ({ key, value, there: this.files.has(value) })));
    return { read, artifacts, ...(unlisted.length === 0 ? {} : { unlisted }), nextInputs };
  }

  private artifact(step: Step, { key, path, baseline }: { key: string; path: string; baseline: Map<string, string> }): SeenArtifact {
    const demand = step.artifacts.find((one) => one.key === key);
    const text = this.files.get(path);
    const matches = demand === undefined || picomatch.isMatch(path, demand.pattern);
    const before = baseline.get(path) ?? null;
    if (path.startsWith('../')) return { key, path, is: 'outside', matches, sha256: null, before: null };
    if (text === undefined) return { key, path, is: 'missing', matches, sha256: null, before };
    return { key, path, is: text === '' ? 'empty' : 'there', matches, sha256: hash(text), before };
  }
}

function stepIn(run: Run, task: string): Step {
  const step = pipelineOf(run).pipeline.steps.find((one) => one.step === stepNameOf(task));
  if (step === undefined) throw new Error(`the pipeline has no step for ${task}`);
  return step;
}

function parseAct(words: string, at: number): Act {
  const act: Act = { writes: [], removes: [], end: { is: 'exited', code: 0 }, block: null, answer: null };
  const say = (key: string, value: string) => {
    act.block ??= new Map([['status', ['SUCCESS']]]);
    act.block.set(key, key === 'status' || key === 'verdict' ? [value] : [...(act.block.get(key) ?? []), value]);
  };
  const rules: [RegExp, (found: string[]) => void][] = [
    [/^writes (\S+)(?: with "(.*)")?$/, ([path = '', text = 'x']) => act.writes.push({ path, text })],
    [/^removes (\S+)$/, ([path = '']) => act.removes.push(path)],
    [/^says (SUCCESS|FAILED)$/, ([status = '']) => say('status', status)],
    [/^is (?:agent (\S+)|step (\S+))$/, ([agent, step]) => say(agent === undefined ? 'step' : 'agent', agent ?? step ?? '')],
    [/^lists (\S+ \S+)$/, ([listed = '']) => say('artifacts', listed.replace(' ', ': '))],
    [/^hands on (\S+ \S+)$/, ([listed = '']) => say('next-inputs', listed.replace(' ', ': '))],
    [/^metric (\S+ \S+)$/, ([metric = '']) => say('metrics', metric.replace(' ', ': '))],
    [/^verdict (\S+)$/, ([verdict = '']) => say('verdict', verdict)],
    [/^issue: (.+)$/, ([issue = '']) => say('critical-issues', `- "${issue}"`)],
    [/^says nothing$/, () => Object.assign(act, { answer: 'I am done.' })],
    [/^echoes the form$/, () => Object.assign(act, { answer: FORM })],
    [/^exits (\d+)$/, ([code = '']) => Object.assign(act, { end: { is: 'exited', code: Number(code) } })],
    [/^gets lost$/, () => Object.assign(act, { end: { is: 'lost' } })],
    [/^dies$/, () => Object.assign(act, { end: { is: 'signalled', signal: 'SIGKILL' } })],
    [/^runs out of time$/, () => Object.assign(act, { end: { is: 'timeout' } })],
    [
      /^is limited for (\d+) minutes$/,
      ([minutes = '']) => Object.assign(act, { end: { is: 'limited', until: at + Number(minutes) * 60_000, why: 'usage limit' } }),
    ],
  ];
  for (const part of words.split(/\s*;\s*/)) {
    const [rule, take] = rules.find(([pattern]) => pattern.test(part)) ?? [];
    if (rule === undefined || take === undefined) throw new Error(`nobody knows how to: ${part}`);
    take(rule.exec(part)?.slice(1) ?? []);
  }
  return act;
}

const FORM = `<!-- STEP-RESULT
step: 1
agent: okr.srs
status: SUCCESS | FAILED
verdict: APPROVED | APPROVED_WITH_CONDITIONS | REJECTED | N/A
/STEP-RESULT -->`;

function blockOf({ step, agent }: Step, block: Map<string, string[]>): string {
  const one = (key: string, value: string) => `${key}: ${block.get(key)?.[0] ?? value}`;
  const map = (key: string, empty: string) => {
    const lines = block.get(key) ?? [];
    return lines.length === 0 ? `${key}: ${empty}` : `${key}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  };
  const lines = [
    one('step', step),
    one('agent', agent ?? ''),
    one('status', 'SUCCESS'),
    map('artifacts', '{}'),
    map('metrics', '{}'),
    one('verdict', 'N/A'),
    map('critical-issues', '[]'),
    map('next-inputs', '{}'),
  ];
  return `Here is what I did.\n\n\`\`\`yaml\n<!-- STEP-RESULT\n${lines.join('\n')}\n/STEP-RESULT -->\n\`\`\`\n`;
}
