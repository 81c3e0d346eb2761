import type { Tx } from '../db/transaction.ts';
import { lockBalances } from '../ledger/index.ts';
import type { StoredDispute } from './dispute.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { lockDebitableDisputes, updateDispute } from './store.ts';

export type BankInitiatedReturn = {
  readonly merchantId: number;
  readonly endToEndId: string;
  readonly amountCents: number;
};

export type ReturnAllocation = {
  /** The dispute for which the bank took money; undefined if none is known that is open or lost. */
  readonly disputeId: string | undefined;
  /** The part of the returned amount that was blocked. The rest becomes the merchant's debt. */
  readonly blockedCents: number;
};

/**
 * Records on the disputes of a Pix that the bank by itself returned the Pix, or a part of it, to the payer. Returns how
 * much of the returned amount was blocked; the caller posts `disputeLost` with it in the same transaction and has
 * already locked the charge.
 *
 * The return makes the dispute lost, whatever its status was, and the dispute's shortfall (the disputed amount that
 * could not be blocked) ends: a shortfall stands for money that the bank may take, and now the bank has taken what it
 * granted. The part for which nothing was blocked becomes a debt, which new money repays just as it would have covered
 * the shortfall. If the bank takes more later, that becomes a debt in the same way; until then the merchant owes
 * nothing for it. Blocked money that was not taken stays blocked until 90 days after the Pix, because the bank may take
 * it until then.
 */
export async function allocateBankReturn(tx: Tx, bankReturn: BankInitiatedReturn): Promise<ReturnAllocation> {
  const { merchantId, endToEndId, amountCents } = bankReturn;
  await lockBalances(tx, [merchantId]);
  const [dispute, ...otherDisputes] = await lockDebitableDisputes(tx, merchantId, endToEndId);
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
 * Takes blocked money of the other disputes of the same Pix for what this dispute's blocked money does not cover,
 * before any debt arises, and returns how much that was. If the bank took more than that and this dispute's shortfall
 * together, it can no longer take the excess for the other disputes, so their shortfalls shrink by as much.
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

/** Whether the bank may return more for a dispute: money is still blocked, or not all of the amount was returned. */
export function isReturnOutstanding({ disputedCents, returnedCents, blockedCents }: StoredDispute): boolean {
  return blockedCents > 0 || returnedCents < disputedCents;
}
