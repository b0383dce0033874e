import { execFile } from 'node:child_process';
import { cacheOf } from '../../worker/home.js';
import { findTemporalExecutable } from '../../worker/temporal-executable.js';

/** The `temporal` command as everybody has it: it knows nothing of us. */
export interface StockCli {
  /** Its exit status and what it printed. */
  run(...words: string[]): Promise<{ code: number; out: string; err: string }>;
  /** The JSON document that it prints with `--output json`. Throws where it fails. */
  json(...words: string[]): Promise<unknown>;
  start(slug: string, ...words: string[]): Promise<{ code: number; out: string; err: string }>;
  startPipeline(slug: string, ...words: string[]): Promise<{ code: number; out: string; err: string }>;
  signal(slug: string, name: string, ...words: string[]): Promise<{ code: number; out: string; err: string }>;
  /** What the update answers. */
  update(slug: string, name: string, input: unknown): Promise<unknown>;
  query(slug: string, type: string): Promise<unknown>;
  /** How the run ended: its status, and its result or failure. Waits for it. */
  end(slug: string): Promise<{ status: string; type: string | null; message: string | null; result: unknown }>;
}

const COMMAND_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export async function stockCli(address: string): Promise<StockCli> {
  const { path } = await findTemporalExecutable({ env: process.env, cache: cacheOf(process.env) });
  const run: StockCli['run'] = (...words) =>
    new Promise((resolve) => {
      const options = { timeout: COMMAND_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX };
      execFile(path, [...words, '--address', address], options, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err }),
      );
    });
  const document = async (...words: string[]): Promise<Record<string, unknown>> => {
    const { out, err } = await run(...words, '--output', 'json');
    if (out.trim() === '') throw new Error(`temporal ${words.join(' ')}: ${err}`);
    return JSON.parse(out) as Record<string, unknown>;
  };
  const of = (slug: string) => ['--workflow-id', `donewhen-${slug}`];
  const starting = (type: string, slug: string, words: string[]) =>
    run('workflow', 'start', '--type', type, '--task-queue', 'donewhen', ...of(slug), ...words);
  return {
    run,
    json: document,
    start: (slug, ...words) => starting('executePlan', slug, words),
    startPipeline: (slug, ...words) => starting('runPipeline', slug, words),
    signal: (slug, name, ...words) => run('workflow', 'signal', ...of(slug), '--name', name, ...words),
    update: async (slug, name, input) =>
      (await document('workflow', 'update', 'execute', ...of(slug), '--name', name, '--input', JSON.stringify(input))).result,
    query: async (slug, type) => {
      const { queryResult } = await document('workflow', 'query', ...of(slug), '--type', type);
      return Array.isArray(queryResult) ? queryResult[0] : queryResult;
    },
    end: async (slug) => endOf(await document('workflow', 'result', ...of(slug))),
  };
}

interface CloseEvent {
  workflowExecutionCompletedEventAttributes?: { result?: unknown[] };
  workflowExecutionFailedEventAttributes?: { failure?: { message?: string; applicationFailureInfo?: { type?: string } } };
}

function endOf(document: Record<string, unknown>): Awaited<ReturnType<StockCli['end']>> {
  const event = document.closeEvent as CloseEvent | undefined;
  const failure = event?.workflowExecutionFailedEventAttributes?.failure;
  return {
    status: String(document.status),
    type: failure?.applicationFailureInfo?.type ?? null,
    message: failure?.message ?? null,
    result: event?.workflowExecutionCompletedEventAttributes?.result?.[0] ?? null,
  };
}
