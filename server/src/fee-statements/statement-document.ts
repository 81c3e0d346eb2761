import type { StatementCharge } from './charge-store.ts';
import type { FeesOfDay, StoredFeeStatement } from './fee-statement.ts';

/** All that the file of a statement says. */
export type StatementDocument = {
  readonly statement: StoredFeeStatement;
  readonly days: readonly FeesOfDay[];
  /** The charge to pay it by; undefined if there is none that can be paid. */
  readonly charge: StatementCharge | undefined;
  readonly merchant: { readonly name: string; readonly document: string };
  /** Where the gateway is, and whom a merchant can ask. */
  readonly operator: { readonly host: string; readonly email: string | undefined };
};
