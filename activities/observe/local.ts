import type { Look } from '../../core/values.js';
import { createSupervisor } from '../process/client.js';
import type { LookContext } from './context.js';
import { lookAt } from './look.js';

/** Looks from the command itself (`check --dry-run`, `report --recheck`), without a worker. */
export interface LocalLooks {
  /** null: only a person can answer this check. */
  look(check: string): Promise<Look | null>;
  close(): void;
}

/** `variables` and `secrets` as the run's own configuration would give them to its checks. */
export function openLocalLooks(settings: Omit<LookContext, 'run'> & { searchPath: string }): LocalLooks {
  const { searchPath, ...rest } = settings;
  const supervisor = createSupervisor({ searchPath });
  const context: LookContext = { ...rest, run: (command) => supervisor.run(command, settings.signal) };
  return { look: (check) => lookAt(check, context), close: () => supervisor.close() };
}
