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
  /** The dispute that the bank debited for; undefined: none was opened here, or it ended in the merchant's favour. */
  readonly disputeId: string | undefined;
  /** The part that was blocked for it. The rest becomes the merchant's debt. */
  readonly blockedCents: number;
};

/**
 * The bank gave a Pix, or a part of it, back to its payer by itself. Answers how much of that was blocked for it: the
 * caller posts `disputeLost` with it in the same transaction, in which it has locked the charge before.
 *
 * The dispute is lost with this, whatever its status said. What it still misses is missed no longer: a shortfall stands
 * for money that the bank may take, and now the bank has taken what it granted. As far as nothing was blocked for that,
 * it is debt, which new money repays just as it would have covered the shortfall. Should the bank take more later, that
 * becomes debt in the same way; until then the merchant owes nothing, and is kept from nothing. What is blocked and was
 * not taken stays blocked, because the money is there and the bank may come again, until 90 days after the Pix.
 */
export async function allocateBankReturn(tx: Tx, taken: BankInitiatedReturn): Promise<ReturnAllocation> {
  const { merchantId, endToEndId, amountCents } = taken;
  await lockBalances(tx, [merchantId]);
  const [dispute, ...others] = await lockDebitableDisputes(tx, merchantId, endToEndId);
  if (dispute === undefined) return { disputeId: undefined, blockedCents: 0 };
  const ownCents = Math.min(amountCents, dispute.blockedCents);
  const blockedCents = ownCents + (await takeFromOthers(tx, others, amountCents - ownCents, dispute));
  const after: StoredDispute = {
    ...dispute,
    status: 'lost',
    blockedCents: dispute.blockedCents - ownCents,
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
    dueAt: mayBankDebitMore(after) ? tx.now : null,
  });
  const told = { ...after, takenCents: amountCents, owedCents: amountCents - blockedCents };
  await publishDisputeEvent(tx, told, dispute.status === 'open' ? 'lost' : 'returned');
  return { disputeId: dispute.id, blockedCents };
}

/**
 * Blocked money of earlier disputes of the same Pix covers what this dispute's does not, before any debt arises. What
 * the bank took beyond that and this dispute's shortfall can no longer be taken for them, so their shortfalls shrink
 * by as much.
 */
async function takeFromOthers(
  tx: Tx,
  others: readonly StoredDispute[],
  neededCents: number,
  { shortfallCents: missedCents }: StoredDispute,
): Promise<number> {
  let leftCents = neededCents;
  const taking = others.map((other) => {
    const takenCents = Math.min(leftCents, other.blockedCents);
    leftCents -= takenCents;
    return { other, takenCents };
  });
  let beyondCents = Math.max(leftCents - missedCents, 0);
  for (const { other, takenCents } of taking) {
    const endedCents = Math.min(beyondCents, other.shortfallCents);
    beyondCents -= endedCents;
    if (takenCents + endedCents === 0) continue;
    await updateDispute(tx, other, {
      blockedCents: other.blockedCents - takenCents,
      shortfallCents: other.shortfallCents - endedCents,
    });
    await publishDisputeEvent(tx, other, 'changed');
  }
  return neededCents - leftCents;
}

/** Whether the bank has not yet returned all of the disputed amount. */
export function mayBankDebitMore({ disputedCents, returnedCents, blockedCents }: StoredDispute): boolean {
  return blockedCents > 0 || returnedCents < disputedCents;
}
