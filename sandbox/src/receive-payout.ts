import type { SandboxAccount } from './account.ts';
import type { Bank } from './bank.ts';
import type { Payout } from './records.ts';

/**
 * Books a payout of another account of this bank at the account that has the payee's key, as a received Pix without a
 * txid, of which no webhook is notified by BACEN's rule. Resolves once it is on disk. A payout that the account already
 * received, before the bank was killed, is not booked again.
 */
export async function receivePayout(
  { books }: Bank,
  payer: SandboxAccount,
  { endToEndId, amountCents, payee, message }: Payout,
  at: number,
): Promise<void> {
  if (books.pix.has(endToEndId)) return books.untilDurable();
  const pix = {
    endToEndId,
    amountCents,
    key: payee.key,
    at,
    payer: { name: payer.name, document: payer.document },
    ...(message !== undefined && { message }),
  };
  return books.record({ t: 'pix', pix });
}
