import type { Method } from '../method.js';
import type { MethodName } from '../values.js';
import { executePlanMethod } from './execute-plan.js';
import { runPipelineMethod } from './run-pipeline.js';

const METHODS: Record<MethodName, Method> = { executePlan: executePlanMethod, runPipeline: runPipelineMethod };

export function methodOf(name: MethodName): Method {
  return METHODS[name];
}
