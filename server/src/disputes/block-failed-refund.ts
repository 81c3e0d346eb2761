import type { Tx } from '../db/transaction.ts';
import { lockBalances, movements } from '../ledger/index.ts';
import { mayBankStillDebit, type StoredDispute } from './dispute.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { lockOpenAndLostDisputes, updateDispute } from './store.ts';

export type RefusedRefund = {
  readonly merchantId: number;
  readonly connectionId: number;
  readonly endToEndId: string;
  readonly refundId: string;
  readonly amountCents: number;
  /** The part of the Pix that is neither refunded nor being refunded, now that this refund has failed. */
  readonly leftCents: number;
};

/**
 * How much of a failed refund is blocked, and the ledger entries that block it. The caller must post the entries
 * together with those that credit the refund back.
 */
export type BlockedRefund = { readonly securedCents: number; readonly entries: movements.LedgerEntry[] };

/**
 * Blocks the money of a refund that the bank refused, for the disputes of its Pix. While the money was being refunded,
 * the disputes could not claim it. Now they claim as much of it as they lack, the open dispute first. That part is
 * blocked the moment it is credited back, and never becomes available. The charge must be locked.
 */
export async function blockFailedRefund(tx: Tx, refund: RefusedRefund): Promise<BlockedRefund> {
  const { merchantId, connectionId, refundId, amountCents, leftCents } = refund;
  await lockBalances(tx, [merchantId], connectionId);
  const disputes = await lockOpenAndLostDisputes(tx, merchantId, refund);
  const claimedCents = disputes.reduce(
    (sum, dispute) => sum + dispute.blockedCents + dispute.shortfallCents,
    0,
  );
  // What the disputes already claim of the Pix cannot be claimed again.
  let unassignedCents = Math.min(amountCents, leftCents - claimedCents);
  const entries: movements.LedgerEntry[] = [];
  for (const dispute of disputes.filter(mayBankStillDebit)) {
    const cents = Math.min(unassignedCents, unclaimedCents(dispute));
    if (cents <= 0) continue;
    unassignedCents -= cents;
    await updateDispute(tx, dispute, {
      // Claimed amounts never fall, even if a shortfall has ended or the bank has taken blocked money for another
      // dispute, so the sum could exceed the disputed amount.
      claimedCents: Math.min(dispute.claimedCents + cents, dispute.disputedCents),
      blockedCents: dispute.blockedCents + cents,
    });
    await publishDisputeEvent(tx, dispute, 'changed');
    // The word `refused` distinguishes this reference from that of a later entry by which the rest of the refund covers
    // the shortfall.
    const reference = `${dispute.id} ${refundId} refused`;
    const from = { fromAvailableCents: cents, fromReservedCents: 0 };
    entries.push(...movements.shortfallCovered({ merchantId, connectionId, reference, ...from }));
  }
  return { securedCents: entries.reduce((sum, { changes }) => sum + (changes.blocked ?? 0), 0), entries };
}

/** The part of the disputed amount that is not returned, blocked or counted as a shortfall. */
function unclaimedCents(dispute: StoredDispute): number {
  const { disputedCents, returnedCents, blockedCents, shortfallCents } = dispute;
  return disputedCents - returnedCents - blockedCents - shortfallCents;
}
