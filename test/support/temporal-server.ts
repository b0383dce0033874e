import { fileURLToPath } from 'node:url';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Runtime } from '@temporalio/worker';
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
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });
}

export async function bundleWorkflows(): Promise<{ code: string }> {
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}
