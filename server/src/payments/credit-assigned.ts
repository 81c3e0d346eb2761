import type { Tx } from '../db/transaction.ts';
import type { Merchant } from '../identity/index.ts';
import { movements, post } from '../ledger/index.ts';
import type { BankReceivedPix } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { chargeOf } from './credit-counters.ts';
import { publishChargeEvents } from './publish-charge-events.ts';
import { insertCharge, insertReserves, markChargesPaid } from './store.ts';

const dayMs = 86_400_000;

/**
 * Credits a Pix from suspense to a merchant, as a payment under its current terms: creates a paid charge, so that the
 * payment is in the feed, keeps its reserve and can be refunded. Returns the charge's id. Refused with
 * AMOUNT_BELOW_FEE if the fee would consume all of it. The caller locks the Pix, and must post nothing else in this
 * transaction.
 */
export async function creditAssigned(
  tx: Tx,
  merchant: Merchant,
  pix: Pick<BankReceivedPix, 'endToEndId' | 'amountCents' | 'paidAt'>,
): Promise<string> {
  const charge = chargeOf(merchant, pix.amountCents, tx.now);
  const { merchantId, id, amountCents, feeCents, reserveCents, reserveDays } = charge;
  if (feeCents >= amountCents) throw new Refusal('AMOUNT_BELOW_FEE');
  await publishChargeEvents(tx, 'paid', [{ charge, paidAt: pix.paidAt }]);
  await post(
    tx,
    movements.unmatchedAssigned({
      merchantId,
      reference: pix.endToEndId,
      amountCents,
      feeCents,
      reserveCents,
    }),
  );
  await insertCharge({ db: tx.db, now: tx.now }, charge, merchant, tx.now);
  await markChargesPaid(tx, [{ charge, endToEndId: pix.endToEndId, paidAt: pix.paidAt }]);
  const dueAt = new Date(tx.now.getTime() + reserveDays * dayMs);
  if (reserveCents > 0)
    await insertReserves(tx, [{ merchantId, chargeId: id, amountCents: reserveCents, dueAt }]);
  return id;
}
