import { closeItem, openItem } from '../bank-watch/index.ts';
import type { Tx } from '../db/transaction.ts';
import { lockBalances, movements, PLATFORM, post } from '../ledger/index.ts';
import type { BankDispute } from '../psp/index.ts';
import { giveBackToReserves, takeFromReserves } from '../reserves/index.ts';
import { disputeStatusFromBank, type StoredDispute } from './dispute.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { type DisputeUpdate, lockDispute, lockShortDisputes, updateDispute } from './store.ts';

/**
 * Brings a known dispute, whose Pix is locked, to the bank's word.
 *
 * One that the bank granted is lost, and no money moves for it: what it blocks leaves when the bank's own devolução
 * arrives (`allocate-bank-return.ts`), by its id and never also by status. One that was refused or taken back gives free what it
 * blocked, and is short of nothing any more.
 */
export async function resolveDispute(tx: Tx, known: StoredDispute, told: BankDispute): Promise<void> {
  const status = disputeStatusFromBank(told.status);
  const bankStatus = told.status;
  if (known.status !== 'open') return noteContradiction(tx, known, told);
  if (status === 'open') return followOpen(tx, known, told);
  if (known.merchantId === PLATFORM) await endAlarm(tx, told);
  if (status === 'lost') {
    // Due at once, to check the bank's returns.
    await updateDispute(tx, known, { status, bankStatus, resolvedAt: tx.now, dueAt: tx.now });
    return publishDisputeEvent(tx, { ...known, status }, 'lost');
  }
  const freed = await releaseDispute(tx, known, { status, bankStatus, resolvedAt: tx.now });
  return publishDisputeEvent(tx, { ...known, status, ...freed }, status);
}

/** The amount that a dispute had blocked, and the part of it that went back to reserves; the rest became available. */
type Freed = { readonly blockedCents: number; readonly toReservedCents: number };

/**
 * Lets a dispute go of all that it blocks and misses. What it took from reserves goes back there. Its shortfall ends before
 * the money moves: the database holds that nothing is available while one stands. Another dispute's may take what it lets
 * go of.
 */
export async function releaseDispute(
  tx: Tx,
  { merchantId, id }: StoredDispute,
  change: Pick<DisputeUpdate, 'status' | 'bankStatus' | 'resolvedAt'>,
): Promise<Freed> {
  await lockBalances(tx, [merchantId]);
  const dispute = await lockDispute(tx, merchantId, id);
  const blockedCents = dispute?.blockedCents ?? 0;
  const toReservedCents = await giveBackToReserves(tx, { merchantId, id, blockedCents });
  const toAvailableCents = blockedCents - toReservedCents;
  await updateDispute(tx, { merchantId, id }, { ...change, blockedCents: 0, shortfallCents: 0, dueAt: null });
  await post(tx, [
    ...movements.disputeReleased({ merchantId, reference: id, toAvailableCents, toReservedCents }),
    ...(await takeForOthers(tx, { merchantId, id }, toAvailableCents, toReservedCents)),
  ]);
  return { blockedCents, toReservedCents };
}

/** Covers other disputes' shortfalls from money that went back to reserves; `post()` has already used the available part. */
async function takeForOthers(
  tx: Tx,
  { merchantId, id: broughtBy }: Pick<StoredDispute, 'merchantId' | 'id'>,
  freeCents: number,
  reservedCents: number,
): Promise<movements.Transfer[]> {
  if (reservedCents === 0) return [];
  const transfers: movements.Transfer[] = [];
  let [freeLeft, reservedLeft] = [freeCents, reservedCents];
  for (const short of await lockShortDisputes(tx, merchantId)) {
    const { id, blockedCents, shortfallCents } = short;
    const fromFreeCents = Math.min(shortfallCents, freeLeft);
    freeLeft -= fromFreeCents;
    const wantedCents = Math.min(shortfallCents - fromFreeCents, reservedLeft);
    if (wantedCents === 0) continue;
    const takenCents = await takeFromReserves(tx, short, wantedCents);
    reservedLeft -= takenCents;
    await updateDispute(tx, short, {
      blockedCents: blockedCents + takenCents,
      shortfallCents: shortfallCents - takenCents,
    });
    const reference = `${id} ${broughtBy}`;
    const from = { fromAvailableCents: 0, fromReservedCents: takenCents };
    transfers.push(...movements.shortfallCovered({ merchantId, reference, ...from }));
  }
  return transfers;
}

/** The deadline may change, and a defence whose response was lost may have arrived. */
async function followOpen(tx: Tx, known: StoredDispute, told: BankDispute): Promise<void> {
  const arrived = told.status === 'defended' && known.defendedAt !== null && known.defenceSentAt === null;
  const moved = told.deadlineAt.getTime() !== known.deadlineAt.getTime();
  if (!arrived && !moved && told.status === known.bankStatus) return;
  await updateDispute(tx, known, {
    bankStatus: told.status,
    deadlineAt: told.deadlineAt,
    ...(arrived && { defenceSentAt: tx.now }),
  });
}

async function endAlarm(tx: Tx, { disputeId, status }: BankDispute): Promise<void> {
  const evidence = `The bank has decided: ${status}.`;
  await closeItem(tx, { kind: 'dispute-unknown-pix', reference: disputeId, evidence });
}

/** Our outcome contradicts the bank's: released money may be taken, or blocked money may stay. */
async function noteContradiction(tx: Tx, known: StoredDispute, told: BankDispute): Promise<void> {
  if (told.status === known.bankStatus) return;
  await updateDispute(tx, known, { bankStatus: told.status });
  const atBank = disputeStatusFromBank(told.status);
  if (atBank === 'open' || atBank === known.status) return;
  await openItem(tx, {
    kind: 'dispute-differs',
    reference: known.bankDisputeId,
    merchantId: known.merchantId,
    detail: { dispute: known.id, end_to_end_id: known.endToEndId, here: known.status, at_bank: atBank },
  });
}
