import type { Tx } from '../db/transaction.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { findAbandoned } from './abandoned-store.ts';
import { chargeKeyOf } from './bank-ids.ts';
import { type ChargeForPix, likeCharge } from './credit-counters.ts';
import { termsAt } from './payment.ts';
import type { PixAtAccount } from './received-store.ts';
import { findCharge } from './store.ts';

/**
 * Returns a charge for each Pix that paid an abandoned charge, under the merchant's current terms and with the
 * references of the charge that was abandoned. The map's keys are endToEndIds.
 */
export async function buildAbandonedCharges(
  tx: Tx,
  received: readonly PixAtAccount[],
): Promise<ReadonlyMap<string, ChargeForPix>> {
  const keys = received.flatMap(({ txid, account }) => {
    const key = txid === undefined ? undefined : chargeKeyOf(txid);
    return key === undefined ? [] : [{ ...key, connectionId: account.id }];
  });
  const abandoned = await findAbandoned(tx, keys);
  const chargesForPix = new Map<string, ChargeForPix>();
  for (const { merchantId, chargeId, connectionId, txid } of abandoned) {
    const [charge, merchant] = await Promise.all([
      findCharge(tx.db, merchantId, chargeId),
      readMerchant(tx.db, merchantId),
    ]);
    invariant(charge !== undefined && merchant !== undefined, 'a charge that was abandoned has a row');
    const terms = termsAt(connectionId, merchant);
    const payments = received.filter(
      (pix) => pix.txid === txid && pix.account.id === connectionId && pix.amountCents === charge.amountCents,
    );
    for (const pix of payments)
      chargesForPix.set(pix.endToEndId, {
        charge: likeCharge(charge, pix.amountCents, { terms, connectionId, now: tx.now }),
        terms,
        counterCodeId: null,
      });
  }
  return chargesForPix;
}
