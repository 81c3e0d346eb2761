import { randomUUID } from 'node:crypto';
import { openItem } from '../bank-watch/index.ts';
import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { lockBalances, movements, PLATFORM, post } from '../ledger/index.ts';
import type { BankDispute } from '../psp/index.ts';
import { takeFromReserves } from '../reserves/index.ts';
import { disputeStatusFromBank, fittingWarning, nextDisputeCheckAt, type StoredDispute } from './dispute.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { hasOpenDispute, insertDispute, type NewDispute, sumContested } from './store.ts';

/** The disputed Pix, locked; undefined if it is unknown here. */
export type LockedPix = {
  readonly merchantId: number;
  readonly chargeId: string | null;
  /** The part neither refunded nor being refunded. */
  readonly leftCents: number;
};

/**
 * Opens a dispute that the bank reported and blocks what it claims: from available first, then from the oldest
 * reserves. Anything missing becomes its shortfall, covered by later incoming money (`ledger/arrivals.ts`). One that
 * the bank already granted blocks like an open one, because its money has yet to leave; a rejected or cancelled one
 * blocks nothing. Returns false if another dispute of the same Pix is open.
 */
export async function openDispute(tx: Tx, told: BankDispute, pix: LockedPix | undefined): Promise<boolean> {
  const merchantId = pix?.merchantId ?? PLATFORM;
  const status = disputeStatusFromBank(told.status);
  if (status === 'open' && (await hasOpenDispute(tx, merchantId, told.endToEndId))) return false;

  const { claimedCents, returnedCents } = await claimOf(tx, told, pix);
  const id = randomUUID();
  const blockedCents = await block(tx, merchantId, id, claimedCents);
  const dispute: NewDispute = {
    merchantId,
    id,
    bankDisputeId: told.disputeId,
    protocol: told.protocol,
    chargeId: pix?.chargeId ?? null,
    endToEndId: told.endToEndId,
    status,
    bankStatus: told.status,
    reason: told.reason,
    disputedCents: told.amountCents,
    claimedCents,
    blockedCents,
    shortfallCents: claimedCents - blockedCents,
    returnedCents,
    deadlineAt: told.deadlineAt,
    // The opening notification already states the deadline.
    warnedHours: fittingWarning(told.deadlineAt, tx.now) ?? null,
    openedAt: told.openedAt,
    resolvedAt: status === 'open' ? null : tx.now,
    dueAt: {
      open: nextDisputeCheckAt({ ...told, defence: null, defenceSentAt: null }, tx.now),
      lost: tx.now,
      won: null,
      cancelled: null,
    }[status],
  };
  const inserted = await insertDispute(tx, dispute);
  invariant(inserted || claimedCents === 0, 'a dispute that blocks money is new: its Pix is locked');
  if (!inserted) return true;
  if (merchantId === PLATFORM) await alarmOperator(tx, told, pix !== undefined);
  else await publishDisputeEvent(tx, dispute, 'opened');
  return true;
}

/**
 * The amount left to claim: less the claims of other disputes of the same Pix, and, for one granted before we knew of
 * it, less what the bank may already have returned.
 */
async function claimOf(
  tx: Tx,
  { status, amountCents, endToEndId }: BankDispute,
  pix: LockedPix | undefined,
): Promise<Pick<StoredDispute, 'claimedCents' | 'returnedCents'>> {
  const ours = disputeStatusFromBank(status);
  if (pix === undefined || pix.chargeId === null || (ours !== 'open' && ours !== 'lost'))
    return { claimedCents: 0, returnedCents: 0 };
  const others = await sumContested(tx, pix.merchantId, endToEndId);
  const returnedCents = ours === 'lost' ? Math.min(amountCents, others.otherReturnsCents) : 0;
  const unclaimedCents = pix.leftCents - others.claimedCents;
  return { claimedCents: Math.max(Math.min(amountCents - returnedCents, unclaimedCents), 0), returnedCents };
}

/** Returns how much could be blocked. */
async function block(tx: Tx, merchantId: number, reference: string, cents: number): Promise<number> {
  if (cents === 0) return 0;
  const [balances] = await lockBalances(tx, [merchantId]);
  const fromAvailableCents = Math.min(balances?.availableCents ?? 0, cents);
  const fromReservedCents = await takeFromReserves(
    tx,
    { merchantId, id: reference },
    cents - fromAvailableCents,
  );
  await post(tx, movements.disputeOpened({ merchantId, reference, fromAvailableCents, fromReservedCents }));
  return fromAvailableCents + fromReservedCents;
}

/** No merchant is liable for the money: the Pix is in suspense, or was never booked. */
async function alarmOperator(tx: Tx, told: BankDispute, inSuspense: boolean): Promise<void> {
  await openItem(tx, {
    kind: 'dispute-unknown-pix',
    reference: told.disputeId,
    detail: {
      end_to_end_id: told.endToEndId,
      in_suspense: inSuspense,
      disputed_cents: told.amountCents,
      protocol: told.protocol,
      reason: told.reason,
      deadline: told.deadlineAt.toISOString(),
    },
  });
}
