import type { Tx } from '../db/transaction.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { type ChargeForPix, likeCharge } from './credit-counters.ts';
import type { RuleFacts } from './payer-rules.ts';
import { termsAt } from './payment.ts';
import type { PixFacts } from './pix-facts.ts';
import type { PixAtAccount } from './received-store.ts';
import { findCharge } from './store.ts';

/**
 * Returns a charge for each Pix that may be the second payment of a charge where a rule accepts those, under the
 * merchant's current terms. The map's keys are endToEndIds. Whether it is needed is decided later.
 */
export async function buildSecondCharges(
  tx: Tx,
  received: readonly PixAtAccount[],
  facts: readonly PixFacts[],
  ruleFacts: ReadonlyMap<string, RuleFacts>,
): Promise<ReadonlyMap<string, ChargeForPix>> {
  const secondCharges = new Map<string, ChargeForPix>();
  const pixById = new Map(received.map((pix) => [pix.endToEndId, pix]));
  for (const { endToEndId, charge: found } of facts) {
    const pix = pixById.get(endToEndId);
    if (pix === undefined || found === undefined) continue;
    if (ruleFacts.get(found.id)?.rules.doubled !== 'accept') continue;
    const [charge, merchant] = await Promise.all([
      findCharge(tx.db, found.merchantId, found.id),
      readMerchant(tx.db, found.merchantId),
    ]);
    invariant(charge !== undefined && merchant !== undefined, 'a charge that was found has a row');
    const terms = termsAt(pix.account.id, merchant);
    const options = { terms, connectionId: pix.account.id, now: tx.now };
    const secondCharge = likeCharge(charge, pix.amountCents, options);
    secondCharges.set(endToEndId, { charge: secondCharge, terms, counterCodeId: null });
  }
  return secondCharges;
}
