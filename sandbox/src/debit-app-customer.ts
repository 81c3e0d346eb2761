import { PAYER_OPENING_CENTS } from './account.ts';
import type { Accounts } from './accounts.ts';

/**
 * Returns the amount to debit from the app's customer, and a top-up of their balance if it is too low, so that tests
 * never run out of money.
 */
export function debitAppCustomer(
  accounts: Pick<Accounts, 'payerCents'>,
  amountCents: number,
): { fromAppCents: number; topUpCents?: number } {
  const isCovered = accounts.payerCents >= amountCents;
  return { fromAppCents: amountCents, ...(!isCovered && { topUpCents: amountCents + PAYER_OPENING_CENTS }) };
}
