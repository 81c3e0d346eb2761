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
  /** The part of the Pix, apart from this refund, that is neither refunded nor being refunded. */
  readonly leftCents: number;
};

/**
 * How much of a refused refund is now blocked, and the entries that block it. The caller posts them together with
 * those that credit the refund back.
 */
export type BlockedRefund = { readonly securedCents: number; readonly entries: movements.LedgerEntry[] };

/**
 * Blocks the money of a failed refund of a locked charge for the disputes of its Pix. They could not claim this money
 * while it was being refunded, so as much of it as they claim is blocked the moment it is credited back, for the open
 * dispute first, and never becomes available.
 */
export async function blockRefusedRefund(tx: Tx, refund: RefusedRefund): Promise<BlockedRefund> {
  const { merchantId, endToEndId, refundId, amountCents, leftCents } = refund;
  await lockBalances(tx, [merchantId]);
  const disputes = await lockDebitableDisputes(tx, merchantId, endToEndId);
  const claimedCents = disputes.reduce(
    (sum, dispute) => sum + dispute.blockedCents + dispute.shortfallCents,
    0,
  );
  let unassignedCents = Math.min(amountCents, leftCents - claimedCents);
  const entries: movements.LedgerEntry[] = [];
  for (const dispute of disputes.filter(mayBankStillDebit)) {
    const cents = Math.min(unassignedCents, unclaimedCents(dispute));
    if (cents <= 0) continue;
    unassignedCents -= cents;
    await updateDispute(tx, dispute, {
      // A lost dispute already counts as claimed what the bank has taken for it, hence the limit.
      claimedCents: Math.min(dispute.claimedCents + cents, dispute.disputedCents),
      blockedCents: dispute.blockedCents + cents,
    });
    await publishDisputeEvent(tx, dispute, 'changed');
    // The word `refused` keeps this entry apart from a later one by which the rest of the refund covers the
    // shortfall.
    const reference = `${dispute.id} ${refundId} refused`;
    const from = { fromAvailableCents: cents, fromReservedCents: 0 };
    entries.push(...movements.shortfallCovered({ merchantId, reference, ...from }));
  }
  return { securedCents: entries.reduce((sum, { changes }) => sum + (changes.blocked ?? 0), 0), entries };
}

/** The contested amount that is neither returned, blocked nor counted as a shortfall. */
function unclaimedCents(dispute: StoredDispute): number {
  const { disputedCents, returnedCents, blockedCents, shortfallCents } = dispute;
  return disputedCents - returnedCents - blockedCents - shortfallCents;
}
