import type { Hosted } from './world.js';

/**
 * The worker that a command hosts, if any. What it broke with is noted once: an answer that is raced against a promise
 * which stays pending all night is kept all night.
 */
export class Hosting {
  private hosted: Hosted | null = null;
  private fault: { error: unknown } | null = null;

  constructor(hosted: Hosted | null) {
    this.take(hosted);
  }

  take(hosted: Hosted | null): void {
    this.hosted = hosted;
    hosted?.failed.catch((error: unknown) => {
      this.fault = { error };
    });
  }

  isHere(): boolean {
    return this.hosted !== null;
  }

  /** @throws what the worker broke with. */
  assertWorks(): void {
    if (this.fault !== null) throw this.fault.error;
  }

  async stop(): Promise<void> {
    await this.hosted?.stop();
  }
}
