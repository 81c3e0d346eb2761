import type { Tx } from '../db/transaction.ts';
import { lockBalances, movements } from '../ledger/index.ts';
import { mayBankStillDebit, type StoredDispute } from './dispute.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { lockDebitableDisputes, updateDispute } from './store.ts';

export type RefusedRefund = {
  readonly merchantId: number;
  readonly endToEndId: string;
  readonly refundId: string;
  readonly amountCents: number;
  /** The amount of the Pix, leaving this refund out, that is neither refunded nor being refunded. */
  readonly leftCents: number;
};

/** How much of a refused refund is now blocked, and the transfers that block it, to post together with its return. */
export type BlockedRefund = { readonly securedCents: number; readonly transfers: movements.Transfer[] };

/**
 * A refund of a locked charge failed. Disputes of its Pix could not claim this money while it was being refunded, so
 * it is blocked for them as it is credited back, for the open dispute first, and never becomes available.
 */
export async function blockRefusedRefund(tx: Tx, refused: RefusedRefund): Promise<BlockedRefund> {
  const { merchantId, endToEndId, refundId, amountCents, leftCents } = refused;
  await lockBalances(tx, [merchantId]);
  const disputes = await lockDebitableDisputes(tx, merchantId, endToEndId);
  const claimedCents = disputes.reduce((sum, one) => sum + one.blockedCents + one.shortfallCents, 0);
  let freeCents = Math.min(amountCents, leftCents - claimedCents);
  const transfers: movements.Transfer[] = [];
  for (const dispute of disputes.filter(mayBankStillDebit)) {
    const cents = Math.min(freeCents, unclaimedCents(dispute));
    if (cents <= 0) continue;
    freeCents -= cents;
    await updateDispute(tx, dispute, {
      // For a lost dispute, what the bank has taken since was already claimed.
      claimedCents: Math.min(dispute.claimedCents + cents, dispute.disputedCents),
      blockedCents: dispute.blockedCents + cents,
    });
    await publishDisputeEvent(tx, dispute, 'changed');
    // The rest of the refund may also cover this dispute's shortfall, under the reference without the third word.
    const reference = `${dispute.id} ${refundId} refused`;
    const from = { fromAvailableCents: cents, fromReservedCents: 0 };
    transfers.push(...movements.shortfallCovered({ merchantId, reference, ...from }));
  }
  return { securedCents: transfers.reduce((sum, one) => sum + one.amountCents, 0), transfers };
}

/** The contested amount that is neither returned, blocked nor counted as a shortfall. */
function unclaimedCents(dispute: StoredDispute): number {
  const { disputedCents, returnedCents, blockedCents, shortfallCents } = dispute;
  return disputedCents - returnedCents - blockedCents - shortfallCents;
}
