import { fileURLToPath } from 'node:url';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { findTemporalExecutable } from '../../worker/temporal-executable.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/names.js';

/** The real dev server, in memory, for one test file; found as the product finds it. */
export async function startServer(extraArgs: string[] = []): Promise<TestWorkflowEnvironment> {
  const { path } = await findTemporalExecutable({ env: process.env });
  return TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path },
      searchAttributes: SEARCH_ATTRIBUTES.map(({ name, kind }) => defineSearchAttributeKey(name, TYPES[kind])),
      extraArgs: ['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=10000', ...extraArgs],
      log: { format: 'pretty', level: 'error' },
    },
  });
}

const TYPES = {
  Keyword: SearchAttributeType.KEYWORD,
  KeywordList: SearchAttributeType.KEYWORD_LIST,
  Int: SearchAttributeType.INT,
  Double: SearchAttributeType.DOUBLE,
} as const;

export function quietRuntime(): void {
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
}

export async function bundleWorkflows(): Promise<{ code: string }> {
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}

/** The server whose clock skips what nobody waits for in the world, or null where this machine has none (scripts/test-server.mjs). */
export async function startSkippingServer(): Promise<TestWorkflowEnvironment | null> {
  const path = process.env.DONEWHEN_TEST_SERVER;
  if (path === undefined || path === '') return null;
  const env = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } });
  // Another server may have taken the port that was found free; on that one a wait of days would last for days.
  await env.connection.testService?.getCurrentTime({});
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name, kind }) => [name, CODES[kind]])),
  });
  return env;
}

/** The numbers of the API. */
const CODES = { Keyword: 2, Int: 3, Double: 4, KeywordList: 7 } as const;
