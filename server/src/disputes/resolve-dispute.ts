import { closeItem, openItem } from '../bank-watch/index.ts';
import type { Tx } from '../db/transaction.ts';
import { lockBalances, movements, PLATFORM, post } from '../ledger/index.ts';
import { giveBackToReserves, takeFromReserves } from '../reserves/index.ts';
import { disputeStatusFromBank, type StoredDispute, type ToldDispute } from './dispute.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { type DisputeUpdate, lockDispute, lockDisputesWithShortfall, updateDispute } from './store.ts';

/**
 * Updates a known dispute to what the bank reports. The disputed Pix must be locked.
 *
 * When the bank grants a dispute, the dispute is lost, but no money moves yet: blocked money leaves only when the
 * bank's return of the Pix is booked (`allocate-bank-return.ts`), so that it leaves once. When the bank rejects or
 * cancels a dispute, all of its blocked money is released, and its shortfall (the amount that could not be blocked)
 * ends.
 */
export async function resolveDispute(
  tx: Tx,
  dispute: StoredDispute,
  bankDispute: ToldDispute,
): Promise<void> {
  const status = disputeStatusFromBank(bankDispute.status);
  const bankStatus = bankDispute.status;
  if (dispute.status !== 'open') return recordContradiction(tx, dispute, bankDispute);
  if (status === 'open') return updateOpenDispute(tx, dispute, bankDispute);
  if (dispute.merchantId === PLATFORM) await closeOperatorItem(tx, bankDispute);
  if (status === 'lost') {
    // Due immediately, so that the bank's returns are checked.
    await updateDispute(tx, dispute, { status, bankStatus, resolvedAt: tx.now, dueAt: tx.now });
    return publishDisputeEvent(tx, { ...dispute, status }, 'lost');
  }
  const released = await releaseDispute(tx, dispute, { status, bankStatus, resolvedAt: tx.now });
  return publishDisputeEvent(tx, { ...dispute, status, ...released }, status);
}

/**
 * `blockedCents`: the amount that the dispute had blocked. `toReservedCents`: the part of it that went back to
 * reserves. The rest became available.
 */
type ReleasedAmounts = { readonly blockedCents: number; readonly toReservedCents: number };

/**
 * Releases all money that a dispute blocks, and ends its shortfall (the amount that could not be blocked). Money that
 * came from reserves goes back to them. The shortfall ends before the money moves, because a database constraint lets
 * no money become available while a shortfall exists. The released money may cover the shortfalls of other disputes.
 */
export async function releaseDispute(
  tx: Tx,
  { merchantId, connectionId, id }: StoredDispute,
  change: Pick<DisputeUpdate, 'status' | 'bankStatus' | 'resolvedAt'>,
): Promise<ReleasedAmounts> {
  await lockBalances(tx, [merchantId], connectionId);
  const dispute = await lockDispute(tx, merchantId, id);
  const blockedCents = dispute?.blockedCents ?? 0;
  const toReservedCents = await giveBackToReserves(tx, { merchantId, id, blockedCents });
  const toAvailableCents = blockedCents - toReservedCents;
  await updateDispute(tx, { merchantId, id }, { ...change, blockedCents: 0, shortfallCents: 0, dueAt: null });
  await post(tx, [
    ...movements.disputeReleased({
      merchantId,
      connectionId,
      reference: id,
      toAvailableCents,
      toReservedCents,
    }),
    ...(await coverOtherShortfalls(tx, { merchantId, id }, toAvailableCents, toReservedCents)),
  ]);
  return { blockedCents, toReservedCents };
}

/**
 * Covers the shortfalls of other disputes with the money that goes back to reserves. The money that becomes available
 * comes first: `post()` covers shortfalls with it, so here it is only subtracted.
 */
async function coverOtherShortfalls(
  tx: Tx,
  { merchantId, id: releasedDisputeId }: Pick<StoredDispute, 'merchantId' | 'id'>,
  availableCents: number,
  reservedCents: number,
): Promise<movements.LedgerEntry[]> {
  if (reservedCents === 0) return [];
  const entries: movements.LedgerEntry[] = [];
  let [availableLeftCents, reservedLeftCents] = [availableCents, reservedCents];
  for (const disputeWithShortfall of await lockDisputesWithShortfall(tx, merchantId)) {
    const { id, blockedCents, shortfallCents } = disputeWithShortfall;
    const fromAvailableCents = Math.min(shortfallCents, availableLeftCents);
    availableLeftCents -= fromAvailableCents;
    const missingCents = Math.min(shortfallCents - fromAvailableCents, reservedLeftCents);
    if (missingCents === 0) continue;
    const takenCents = await takeFromReserves(tx, disputeWithShortfall, missingCents);
    reservedLeftCents -= takenCents;
    await updateDispute(tx, disputeWithShortfall, {
      blockedCents: blockedCents + takenCents,
      shortfallCents: shortfallCents - takenCents,
    });
    // The word `reserves` distinguishes this entry's reference from that of the entry in which `post()` covers the same
    // shortfall from available money.
    const reference = `${id} ${releasedDisputeId} reserves`;
    const from = { fromAvailableCents: 0, fromReservedCents: takenCents };
    entries.push(...movements.shortfallCovered({ merchantId, reference, ...from }));
  }
  return entries;
}

/**
 * Updates an open dispute: the bank may have changed its deadline, or may turn out to have received a defence whose
 * sending had an unknown outcome.
 */
async function updateOpenDispute(tx: Tx, dispute: StoredDispute, bankDispute: ToldDispute): Promise<void> {
  const hasDefenceArrived =
    bankDispute.status === 'defended' && dispute.defendedAt !== null && dispute.defenceSentAt === null;
  const hasDeadlineChanged = bankDispute.deadlineAt.getTime() !== dispute.deadlineAt.getTime();
  if (!hasDefenceArrived && !hasDeadlineChanged && bankDispute.status === dispute.bankStatus) return;
  await updateDispute(tx, dispute, {
    bankStatus: bankDispute.status,
    deadlineAt: bankDispute.deadlineAt,
    ...(hasDefenceArrived && { defenceSentAt: tx.now }),
  });
}

/** Closes the item in which the operator was asked to examine a dispute of a Pix without an owner. */
async function closeOperatorItem(tx: Tx, { connectionId, disputeId, status }: ToldDispute): Promise<void> {
  const evidence = `The bank has decided: ${status}.`;
  await closeItem(tx, { kind: 'dispute-unknown-pix', connectionId, reference: disputeId, evidence });
}

/**
 * Stores the bank's status of a dispute that has ended in our books. Opens an item for the operator if the bank's
 * outcome differs from ours, because the bank may still take money that we released, or money may stay blocked for
 * nothing.
 */
async function recordContradiction(tx: Tx, dispute: StoredDispute, bankDispute: ToldDispute): Promise<void> {
  if (bankDispute.status === dispute.bankStatus) return;
  await updateDispute(tx, dispute, { bankStatus: bankDispute.status });
  const reportedStatus = disputeStatusFromBank(bankDispute.status);
  if (reportedStatus === 'open' || reportedStatus === dispute.status) return;
  await openItem(tx, {
    kind: 'dispute-differs',
    connectionId: dispute.connectionId,
    reference: dispute.bankDisputeId,
    merchantId: dispute.merchantId,
    detail: {
      dispute: dispute.id,
      end_to_end_id: dispute.endToEndId,
      here: dispute.status,
      at_bank: reportedStatus,
    },
  });
}
