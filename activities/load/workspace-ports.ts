import type { Disk } from '../files/disk.js';

export interface WorkspacePorts {
  disk: Disk;
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Where a run works, or why it cannot. */
export type Workspace = { is: 'open'; path: string } | { is: 'refused'; problem: string };
