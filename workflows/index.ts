/** Everything that the workflow bundle registers, by its name on the wire. */
export { executePlan } from './execute-plan.js';
export { runPipeline } from './run-pipeline.js';
