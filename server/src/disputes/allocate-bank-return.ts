import type { Tx } from '../db/transaction.ts';
import { lockBalances } from '../ledger/index.ts';
import type { StoredDispute } from './dispute.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { lockOpenAndLostDisputes, updateDispute } from './store.ts';

export type BankInitiatedReturn = {
  readonly merchantId: number;
  readonly connectionId: number;
  readonly endToEndId: string;
  readonly amountCents: number;
};

export type ReturnAllocation = {
  /** The open or lost dispute for which the bank took the money; undefined if the Pix has no such dispute. */
  readonly disputeId: string | undefined;
  /** The part of the returned amount that was blocked. The rest becomes the merchant's debt. */
  readonly blockedCents: number;
};

/**
 * Records on the disputes of a Pix that the bank itself returned the Pix, or a part of it, to the payer. Returns how
 * much of the returned amount was blocked. The caller must have locked the charge, and must post `disputeLost` with the
 * blocked amount in the same transaction.
 *
 * The return makes its dispute lost, whatever the status was, and ends the dispute's shortfall (the disputed amount
 * that could not be blocked): a shortfall stands for money that the bank may take, and the bank has now taken what it
 * granted. Any returned money that was not blocked becomes a debt, which incoming money repays just as it would have
 * covered the shortfall. If the bank takes more later, that becomes a debt in the same way, but until then the merchant
 * does not owe it. Blocked money that the bank did not take stays blocked until 90 days after the Pix, because the bank
 * may take it until then.
 */
export async function allocateBankReturn(tx: Tx, bankReturn: BankInitiatedReturn): Promise<ReturnAllocation> {
  const { merchantId, connectionId, amountCents } = bankReturn;
  await lockBalances(tx, [merchantId], connectionId);
  const [dispute, ...otherDisputes] = await lockOpenAndLostDisputes(tx, merchantId, bankReturn);
  if (dispute === undefined) return { disputeId: undefined, blockedCents: 0 };
  const ownBlockedCents = Math.min(amountCents, dispute.blockedCents);
  const blockedCents =
    ownBlockedCents +
    (await takeFromOtherDisputes(tx, otherDisputes, amountCents - ownBlockedCents, dispute));
  const after: StoredDispute = {
    ...dispute,
    status: 'lost',
    blockedCents: dispute.blockedCents - ownBlockedCents,
    shortfallCents: 0,
    returnedCents: dispute.returnedCents + amountCents,
    resolvedAt: dispute.resolvedAt ?? tx.now,
  };
  const { status, shortfallCents, returnedCents, resolvedAt } = after;
  await updateDispute(tx, dispute, {
    status,
    blockedCents: after.blockedCents,
    shortfallCents,
    returnedCents,
    resolvedAt,
    dueAt: isReturnOutstanding(after) ? tx.now : null,
  });
  const event = { ...after, takenCents: amountCents, owedCents: amountCents - blockedCents };
  await publishDisputeEvent(tx, event, dispute.status === 'open' ? 'lost' : 'returned');
  return { disputeId: dispute.id, blockedCents };
}

/**
 * Covers `neededCents`, which is the part of a return that its own dispute's blocked money does not cover, with blocked
 * money of the other disputes of the Pix, before any debt arises. Returns how much they covered. If the bank took even
 * more than that and the own dispute's shortfall together, it can no longer take the excess for the other disputes, so
 * their shortfalls shrink by the excess.
 */
async function takeFromOtherDisputes(
  tx: Tx,
  otherDisputes: readonly StoredDispute[],
  neededCents: number,
  { shortfallCents: ownShortfallCents }: StoredDispute,
): Promise<number> {
  let remainingCents = neededCents;
  const shares = otherDisputes.map((dispute) => {
    const takenCents = Math.min(remainingCents, dispute.blockedCents);
    remainingCents -= takenCents;
    return { dispute, takenCents };
  });
  let excessCents = Math.max(remainingCents - ownShortfallCents, 0);
  for (const { dispute, takenCents } of shares) {
    const endedShortfallCents = Math.min(excessCents, dispute.shortfallCents);
    excessCents -= endedShortfallCents;
    if (takenCents + endedShortfallCents === 0) continue;
    await updateDispute(tx, dispute, {
      blockedCents: dispute.blockedCents - takenCents,
      shortfallCents: dispute.shortfallCents - endedShortfallCents,
    });
    await publishDisputeEvent(tx, dispute, 'changed');
  }
  return neededCents - remainingCents;
}

/**
 * Whether the bank may return more for a dispute: money is still blocked, or less than the disputed amount was
 * returned.
 */
export function isReturnOutstanding({ disputedCents, returnedCents, blockedCents }: StoredDispute): boolean {
  return blockedCents > 0 || returnedCents < disputedCents;
}
