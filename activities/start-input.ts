/** The start input of `executePlan`, as docs/interface.md §3 defines it, after a tolerant first step in the workflow. */
export interface StartInput {
  slug?: string;
  plan: string;
  spec?: string;
  ledger?: string;
  workspace?: { path: string } | { git: string; ref?: string };
  config?: unknown;
  /** Ours, set by the command: the folder of PLAN.md, where LEDGER.md goes. */
  out?: string;
  allowDirty?: boolean;
}

/** The start input of `runPipeline`, as docs/interface.md §10 defines it. */
export interface PipelineStart extends Omit<StartInput, 'plan' | 'spec'> {
  pipeline: string;
  /** Prompt files, by the path that the pipeline names. */
  files: Record<string, string>;
  /** Where the pipeline lies on disk, absolute, so that it can be seen to have been changed; its prompt files lie beside it. */
  pipelineFile?: string;
  /** Only the steps from this one on, or this one alone; what earlier ones left must be there. */
  from?: string;
  only?: string;
}
