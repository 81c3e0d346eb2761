import type { Tx } from '../db/transaction.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import type { BankReceivedPix } from '../psp/index.ts';
import { findAbandoned } from './abandoned-store.ts';
import { chargeKeyOf, newChargeIds } from './bank-ids.ts';
import type { ChargeForPix } from './credit-counters.ts';
import { computeFeeAndReserve, termsAt } from './payment.ts';
import { findCharge } from './store.ts';

/**
 * Returns a charge for each Pix that paid an abandoned charge, under the merchant's current terms and with the
 * references of the charge that was abandoned. The map's keys are endToEndIds.
 */
export async function buildAbandonedCharges(
  tx: Tx,
  connectionId: number,
  received: readonly BankReceivedPix[],
): Promise<ReadonlyMap<string, ChargeForPix>> {
  const keys = received.flatMap(({ txid }) => (txid === undefined ? [] : (chargeKeyOf(txid) ?? [])));
  const abandoned = await findAbandoned(tx, connectionId, keys);
  const chargesForPix = new Map<string, ChargeForPix>();
  for (const { merchantId, chargeId, txid } of abandoned) {
    const [charge, merchant] = await Promise.all([
      findCharge(tx.db, merchantId, chargeId),
      readMerchant(tx.db, merchantId),
    ]);
    invariant(charge !== undefined && merchant !== undefined, 'a charge that was abandoned has a row');
    const terms = termsAt(connectionId, merchant);
    for (const pix of received.filter((one) => one.txid === txid && one.amountCents === charge.amountCents))
      chargesForPix.set(pix.endToEndId, {
        charge: {
          ...charge,
          ...newChargeIds(merchantId, tx.now),
          ...computeFeeAndReserve(pix.amountCents, terms),
          connectionId,
          status: 'pending',
          reserveDays: 0,
          expiresAt: tx.now,
          brCode: '',
          endToEndId: null,
          paidAt: null,
          refundedCents: 0,
          cancelledAt: null,
          createdAt: tx.now,
        },
        terms,
        counterCodeId: null,
      });
  }
  return chargesForPix;
}
