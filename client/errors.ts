/** Exit status of a fault that a person can mend: 2 bad input, or a refused act; 3 no server or no worker answered in time. */
export type FaultCode = 2 | 3;

/**
 * An expected fault. Its message is shown as it is, without a stack trace: what, where, and the way out. One line; where
 * several things were tried, one line each.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly exitCode: FaultCode;

  constructor(message: string, exitCode: FaultCode, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
