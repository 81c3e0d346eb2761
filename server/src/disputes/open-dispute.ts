import { randomUUID } from 'node:crypto';
import type { DisputeStatus } from '@jangada/contract';
import { openItem } from '../bank-watch/index.ts';
import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { lockBalances, movements, PLATFORM, post } from '../ledger/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { takeFromReserves } from '../reserves/index.ts';
import {
  disputeStatusFromBank,
  nextDisputeCheckAt,
  type StoredDispute,
  type ToldDispute,
  warningForTimeLeft,
} from './dispute.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { hasOpenDispute, insertDispute, type NewDispute, sumDisputeClaims } from './store.ts';

/** The disputed Pix, locked. */
export type LockedPix = {
  readonly merchantId: number;
  readonly chargeId: string | null;
  /** The part of the Pix that is neither refunded nor being refunded. */
  readonly leftCents: number;
};

/**
 * Opens a dispute that the bank reported, and blocks the claimed amount: from available money first, then from the
 * oldest reserves. Any amount that the merchant does not have becomes the dispute's shortfall, which later incoming
 * money covers (`ledger/arrivals.ts`). A dispute that the bank has already granted blocks money like an open one,
 * because the bank has yet to take it; a rejected or cancelled dispute blocks nothing. If our books do not have the Pix
 * (`pix` is undefined), the dispute belongs to the platform. Returns false if another dispute of the same Pix is open.
 */
export async function openDispute(
  tx: Tx,
  bankDispute: ToldDispute,
  pix: LockedPix | undefined,
): Promise<boolean> {
  const merchantId = pix?.merchantId ?? PLATFORM;
  const status = disputeStatusFromBank(bankDispute.status);
  if (status === 'open' && (await hasOpenDispute(tx, merchantId, bankDispute))) return false;

  const { claimedCents, returnedCents } = await calculateClaim(tx, bankDispute, pix);
  const id = randomUUID();
  const blockedCents = await blockMoney(
    tx,
    { merchantId, connectionId: bankDispute.connectionId, id },
    claimedCents,
  );
  const dispute: NewDispute = {
    merchantId,
    id,
    connectionId: bankDispute.connectionId,
    bankDisputeId: bankDispute.disputeId,
    protocol: bankDispute.protocol,
    chargeId: pix?.chargeId ?? null,
    endToEndId: bankDispute.endToEndId,
    status,
    bankStatus: bankDispute.status,
    reason: bankDispute.reason,
    disputedCents: bankDispute.amountCents,
    claimedCents,
    blockedCents,
    shortfallCents: claimedCents - blockedCents,
    returnedCents,
    deadlineAt: bankDispute.deadlineAt,
    // The opening notification already states the deadline, so it replaces the warning for the time left.
    warnedHours: warningForTimeLeft(bankDispute.deadlineAt, tx.now) ?? null,
    openedAt: bankDispute.openedAt,
    resolvedAt: status === 'open' ? null : tx.now,
    dueAt: firstCheckAt(status, bankDispute.deadlineAt, tx.now),
  };
  const inserted = await insertDispute(tx, dispute);
  invariant(inserted || claimedCents === 0, 'a dispute that blocks money is new: its Pix is locked');
  if (!inserted) return true;
  if (merchantId === PLATFORM) await openItemForOperator(tx, bankDispute, pix !== undefined);
  else await publishDisputeEvent(tx, dispute, 'opened');
  return true;
}

/**
 * When a new dispute is first due: a lost dispute immediately, so that the bank's returns are checked. A won or
 * cancelled one is never due.
 */
function firstCheckAt(status: DisputeStatus, deadlineAt: Date, now: Date): Date | null {
  if (status === 'open') return nextDisputeCheckAt({ deadlineAt, defence: null, defenceSentAt: null }, now);
  return status === 'lost' ? now : null;
}

/**
 * Returns the amount that can still be claimed: the disputed amount, up to what is left of the Pix and not claimed by
 * its other disputes. If the bank granted the dispute before we knew of it, earlier returns by the bank may have been
 * for this dispute, so they are subtracted.
 */
async function calculateClaim(
  tx: Tx,
  bankDispute: ToldDispute,
  pix: LockedPix | undefined,
): Promise<Pick<StoredDispute, 'claimedCents' | 'returnedCents'>> {
  const { amountCents } = bankDispute;
  const status = disputeStatusFromBank(bankDispute.status);
  if (pix === undefined || pix.chargeId === null || (status !== 'open' && status !== 'lost'))
    return { claimedCents: 0, returnedCents: 0 };
  const claims = await sumDisputeClaims(tx, pix.merchantId, bankDispute);
  const returnedCents = status === 'lost' ? Math.min(amountCents, claims.otherReturnsCents) : 0;
  const unclaimedCents = pix.leftCents - claims.claimedCents;
  return { claimedCents: Math.max(Math.min(amountCents - returnedCents, unclaimedCents), 0), returnedCents };
}

/**
 * Blocks as much of the amount as the merchant has, and returns how much that is. At an account of the merchant's own
 * that is all: the bank has blocked it there.
 */
async function blockMoney(
  tx: Tx,
  { merchantId, connectionId, id }: Pick<StoredDispute, 'merchantId' | 'connectionId' | 'id'>,
  cents: number,
): Promise<number> {
  if (cents === 0) return 0;
  const opened = { merchantId, connectionId, reference: id };
  if (connectionId !== HOUSE_CONNECTION) {
    await post(tx, movements.disputeOpened({ ...opened, fromAvailableCents: cents, fromReservedCents: 0 }));
    return cents;
  }
  const [balances] = await lockBalances(tx, [merchantId], connectionId);
  const fromAvailableCents = Math.min(balances?.availableCents ?? 0, cents);
  const fromReservedCents = await takeFromReserves(tx, { merchantId, id }, cents - fromAvailableCents);
  await post(tx, movements.disputeOpened({ ...opened, fromAvailableCents, fromReservedCents }));
  return fromAvailableCents + fromReservedCents;
}

/**
 * Asks the operator to examine a dispute that no merchant can defend, because its Pix is in suspense (money that
 * matched no charge) or was never booked.
 */
async function openItemForOperator(tx: Tx, bankDispute: ToldDispute, isInSuspense: boolean): Promise<void> {
  await openItem(tx, {
    kind: 'dispute-unknown-pix',
    connectionId: bankDispute.connectionId,
    reference: bankDispute.disputeId,
    detail: {
      end_to_end_id: bankDispute.endToEndId,
      in_suspense: isInSuspense,
      disputed_cents: bankDispute.amountCents,
      protocol: bankDispute.protocol,
      reason: bankDispute.reason,
      deadline: bankDispute.deadlineAt.toISOString(),
    },
  });
}
