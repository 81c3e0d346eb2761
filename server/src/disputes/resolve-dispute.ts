import { closeItem, openItem } from '../bank-watch/index.ts';
import type { Tx } from '../db/transaction.ts';
import { lockBalances, movements, PLATFORM, post } from '../ledger/index.ts';
import type { BankDispute } from '../psp/index.ts';
import { giveBackToReserves, takeFromReserves } from '../reserves/index.ts';
import { disputeStatusFromBank, type StoredDispute } from './dispute.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { type DisputeUpdate, lockDispute, lockShortDisputes, updateDispute } from './store.ts';

/**
 * Updates a known dispute, whose Pix is locked, to what the bank reports.
 *
 * A dispute that the bank granted is lost, but no money moves yet: blocked money leaves when the bank's return of the
 * Pix arrives (`allocate-bank-return.ts`), so that it leaves only once. For a dispute that the bank rejected or
 * cancelled, everything blocked is released and its shortfall (what could not be blocked) ends.
 */
export async function resolveDispute(
  tx: Tx,
  dispute: StoredDispute,
  bankDispute: BankDispute,
): Promise<void> {
  const status = disputeStatusFromBank(bankDispute.status);
  const bankStatus = bankDispute.status;
  if (dispute.status !== 'open') return recordContradiction(tx, dispute, bankDispute);
  if (status === 'open') return updateOpenDispute(tx, dispute, bankDispute);
  if (dispute.merchantId === PLATFORM) await closeOperatorItem(tx, bankDispute);
  if (status === 'lost') {
    // The dispute is due immediately, to check the bank's returns.
    await updateDispute(tx, dispute, { status, bankStatus, resolvedAt: tx.now, dueAt: tx.now });
    return publishDisputeEvent(tx, { ...dispute, status }, 'lost');
  }
  const released = await releaseDispute(tx, dispute, { status, bankStatus, resolvedAt: tx.now });
  return publishDisputeEvent(tx, { ...dispute, status, ...released }, status);
}

/** The amount that a dispute had blocked, and the part of it that went back to reserves; the rest became available. */
type ReleasedAmounts = { readonly blockedCents: number; readonly toReservedCents: number };

/**
 * Releases all money that a dispute blocks, and ends its shortfall (what could not be blocked). Money from reserves
 * goes back to them. The shortfall ends before the money moves, because the database lets nothing become available
 * while a shortfall exists. The released money may cover the shortfalls of other disputes.
 */
export async function releaseDispute(
  tx: Tx,
  { merchantId, id }: StoredDispute,
  change: Pick<DisputeUpdate, 'status' | 'bankStatus' | 'resolvedAt'>,
): Promise<ReleasedAmounts> {
  await lockBalances(tx, [merchantId]);
  const dispute = await lockDispute(tx, merchantId, id);
  const blockedCents = dispute?.blockedCents ?? 0;
  const toReservedCents = await giveBackToReserves(tx, { merchantId, id, blockedCents });
  const toAvailableCents = blockedCents - toReservedCents;
  await updateDispute(tx, { merchantId, id }, { ...change, blockedCents: 0, shortfallCents: 0, dueAt: null });
  await post(tx, [
    ...movements.disputeReleased({ merchantId, reference: id, toAvailableCents, toReservedCents }),
    ...(await coverOtherShortfalls(tx, { merchantId, id }, toAvailableCents, toReservedCents)),
  ]);
  return { blockedCents, toReservedCents };
}

/**
 * Covers other disputes' shortfalls from money that goes back to reserves. From the money that becomes available,
 * `post()` covers them, so here that money is only counted.
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
  for (const shortDispute of await lockShortDisputes(tx, merchantId)) {
    const { id, blockedCents, shortfallCents } = shortDispute;
    const fromAvailableCents = Math.min(shortfallCents, availableLeftCents);
    availableLeftCents -= fromAvailableCents;
    const missingCents = Math.min(shortfallCents - fromAvailableCents, reservedLeftCents);
    if (missingCents === 0) continue;
    const takenCents = await takeFromReserves(tx, shortDispute, missingCents);
    reservedLeftCents -= takenCents;
    await updateDispute(tx, shortDispute, {
      blockedCents: blockedCents + takenCents,
      shortfallCents: shortfallCents - takenCents,
    });
    // The word `reserves` keeps this entry apart from that of the money which `post()` takes from available.
    const reference = `${id} ${releasedDisputeId} reserves`;
    const from = { fromAvailableCents: 0, fromReservedCents: takenCents };
    entries.push(...movements.shortfallCovered({ merchantId, reference, ...from }));
  }
  return entries;
}

/** Updates an open dispute: its deadline may have changed, and a defence whose outcome was unknown may have arrived. */
async function updateOpenDispute(tx: Tx, dispute: StoredDispute, bankDispute: BankDispute): Promise<void> {
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

/** Closes the item that asked the operator to examine a dispute of an unknown Pix. */
async function closeOperatorItem(tx: Tx, { disputeId, status }: BankDispute): Promise<void> {
  const evidence = `The bank has decided: ${status}.`;
  await closeItem(tx, { kind: 'dispute-unknown-pix', reference: disputeId, evidence });
}

/**
 * Stores the bank's status of a dispute that has ended in our books, and opens an item for the operator if the bank's
 * outcome differs from ours: the bank may still take released money, or blocked money may stay blocked.
 */
async function recordContradiction(tx: Tx, dispute: StoredDispute, bankDispute: BankDispute): Promise<void> {
  if (bankDispute.status === dispute.bankStatus) return;
  await updateDispute(tx, dispute, { bankStatus: bankDispute.status });
  const atBank = disputeStatusFromBank(bankDispute.status);
  if (atBank === 'open' || atBank === dispute.status) return;
  await openItem(tx, {
    kind: 'dispute-differs',
    reference: dispute.bankDisputeId,
    merchantId: dispute.merchantId,
    detail: { dispute: dispute.id, end_to_end_id: dispute.endToEndId, here: dispute.status, at_bank: atBank },
  });
}
