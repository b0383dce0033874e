/** What an agent reported. null: it did not say; unknown is never shown as 0. */
export interface Cost {
  usd: number | null;
  tokens: number | null;
  /** Money that nobody reported or is asked for, as the list price of a subscription's tokens. It counts toward no limit. */
  estimatedUsd?: number;
}
