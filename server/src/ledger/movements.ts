import { invariant } from '../invariant.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import type { AccountKind } from './chart-of-accounts.ts';
import { PLATFORM } from './chart-of-accounts.ts';

/*
 * Every way in which money can move: one function for each business event, which returns the event's ledger entries.
 * Amounts are integer cents; an event that moves nothing has no entry. `reference` identifies the cause of the event
 * and makes posting idempotent: the database rejects a second entry for the same merchant, event and reference. For a
 * received Pix that is its endToEndId, the nationwide id of a Pix. The accounts are explained in
 * `chart-of-accounts.ts`; `psp` stands for the account at the bank, with the opposite sign: it falls when the bank
 * receives money for us, and rises when the bank pays money out.
 */

/**
 * What one event changes in the books of one merchant at one account at a bank. The changes are signed cents and add up
 * to zero.
 */
export type LedgerEntry = {
  readonly merchantId: number;
  readonly connectionId: number;
  readonly event: string;
  readonly reference: string;
  readonly changes: Readonly<Partial<Record<AccountKind, number>>>;
};

/** An amount that an event moves from one account to another of the same merchant. */
type Leg = readonly [from: AccountKind, to: AccountKind, amountCents: number];

/** Combines the legs of one event into its entry, in a list, which is empty if the event moves nothing. */
function entryOf(
  merchantId: number,
  event: string,
  reference: string,
  legs: readonly Leg[],
  connectionId = HOUSE_CONNECTION,
): LedgerEntry[] {
  const changes: Partial<Record<AccountKind, number>> = {};
  for (const [from, to, amountCents] of legs) {
    invariant(Number.isSafeInteger(amountCents) && amountCents >= 0, `${event}: ${amountCents} is no amount`);
    if (amountCents === 0) continue;
    changes[from] = (changes[from] ?? 0) - amountCents;
    changes[to] = (changes[to] ?? 0) + amountCents;
  }
  return Object.keys(changes).length === 0 ? [] : [{ merchantId, connectionId, event, reference, changes }];
}

/**
 * The merchant whose money an event moves, and the reference of the event. `connectionId`: the account at whose bank it
 * happens, if it is not the operator's own.
 */
type Cause = { readonly merchantId: number; readonly reference: string; readonly connectionId?: number };

const isAtHouse = ({ connectionId = HOUSE_CONNECTION }: Cause): boolean => connectionId === HOUSE_CONNECTION;

/** A Pix of `amountCents` arrived for a charge. Reference: its endToEndId. */
export function paymentReceived(
  cause: Cause & { amountCents: number; feeCents: number; reserveCents: number },
): LedgerEntry[] {
  const { merchantId, reference, amountCents, feeCents, reserveCents } = cause;
  return entryOf(merchantId, 'payment received', reference, [
    ['psp', 'available', amountCents - feeCents - reserveCents],
    ['psp', 'fees', feeCents],
    ['psp', 'reserved', reserveCents],
  ]);
}

/**
 * A Pix of `amountCents` arrived for a charge at an account of the merchant's own, whose money is all the merchant's.
 * Reference: its endToEndId.
 */
export function ownPaymentReceived(cause: Required<Cause> & { amountCents: number }): LedgerEntry[] {
  const { merchantId, connectionId, reference, amountCents } = cause;
  return entryOf(
    merchantId,
    'payment received',
    reference,
    [['psp', 'available', amountCents]],
    connectionId,
  );
}

/** The fee of a payment or withdrawal at an account of the merchant's own is due. Reference: the charge or withdrawal. */
export function feeAccrued(cause: Cause & { feeCents: number }): LedgerEntry[] {
  return entryOf(cause.merchantId, 'fee accrued', cause.reference, [['fees_due', 'fees', cause.feeCents]]);
}

/** A Pix into the operator's account paid a merchant's fee statement. Reference: its endToEndId. */
export function feesPaid(cause: Cause & { amountCents: number }): LedgerEntry[] {
  return entryOf(cause.merchantId, 'fees paid', cause.reference, [['psp', 'fees_due', cause.amountCents]]);
}

/**
 * A merchant paid a fee statement to the operator, but not into the account at the bank: as if it had arrived there and
 * the operator had taken it out at once. Reference: the statement.
 */
export function feesPaidElsewhere(cause: Cause & { amountCents: number }): LedgerEntry[] {
  return entryOf(cause.merchantId, 'fees paid elsewhere', cause.reference, [
    ['fees', 'fees_due', cause.amountCents],
  ]);
}

/** A payment's reserve is due for release. Reference: the charge. */
export function reserveReleased(cause: Cause & { amountCents: number }): LedgerEntry[] {
  return entryOf(cause.merchantId, 'reserve released', cause.reference, [
    ['reserved', 'available', cause.amountCents],
  ]);
}

/** A Pix that matches no charge arrived. Reference: its endToEndId. */
export function unmatchedReceived(cause: { reference: string; amountCents: number }): LedgerEntry[] {
  return entryOf(PLATFORM, 'unmatched received', cause.reference, [['psp', 'suspense', cause.amountCents]]);
}

/**
 * An unmatched Pix is assigned to a merchant: it leaves the platform's books and is posted to the merchant like a
 * payment. Reference: its endToEndId.
 */
export function unmatchedAssigned(
  cause: Cause & { amountCents: number; feeCents: number; reserveCents: number },
): LedgerEntry[] {
  const { merchantId, reference, amountCents, feeCents, reserveCents } = cause;
  return [
    ...entryOf(PLATFORM, 'unmatched assigned', reference, [['suspense', 'psp', amountCents]]),
    ...entryOf(merchantId, 'unmatched assigned', reference, [
      ['psp', 'available', amountCents - feeCents - reserveCents],
      ['psp', 'fees', feeCents],
      ['psp', 'reserved', reserveCents],
    ]),
  ];
}

/** The return of an unmatched Pix to its payer begins. Reference of this event and the next two: the refund. */
export function unmatchedReturnRequested(cause: { reference: string; amountCents: number }): LedgerEntry[] {
  return entryOf(PLATFORM, 'unmatched return requested', cause.reference, [
    ['suspense', 'in_transit', cause.amountCents],
  ]);
}

export function unmatchedReturned(cause: { reference: string; amountCents: number }): LedgerEntry[] {
  return entryOf(PLATFORM, 'unmatched returned', cause.reference, [['in_transit', 'psp', cause.amountCents]]);
}

export function unmatchedReturnRefused(cause: { reference: string; amountCents: number }): LedgerEntry[] {
  return entryOf(PLATFORM, 'unmatched return refused', cause.reference, [
    ['in_transit', 'suspense', cause.amountCents],
  ]);
}

/**
 * A withdrawal of `amountCents` (fee included) is requested. Reference of this event and the next two: the withdrawal.
 */
export function withdrawalRequested(cause: Cause & { amountCents: number }): LedgerEntry[] {
  const legs = [['available', 'in_transit', cause.amountCents]] as const;
  return entryOf(cause.merchantId, 'withdrawal requested', cause.reference, legs, cause.connectionId);
}

/** The fee of a withdrawal from an account of the merchant's own is not kept back from it, and falls due. */
export function withdrawalCompleted(cause: Cause & { amountCents: number; feeCents: number }): LedgerEntry[] {
  const { merchantId, reference, connectionId, amountCents, feeCents } = cause;
  const event = 'withdrawal completed';
  if (isAtHouse(cause))
    return entryOf(merchantId, event, reference, [
      ['in_transit', 'psp', amountCents - feeCents],
      ['in_transit', 'fees', feeCents],
    ]);
  return [
    ...entryOf(merchantId, event, reference, [['in_transit', 'psp', amountCents]], connectionId),
    ...feeAccrued({ merchantId, reference, feeCents }),
  ];
}

export function withdrawalRefused(cause: Cause & { amountCents: number }): LedgerEntry[] {
  const legs = [['in_transit', 'available', cause.amountCents]] as const;
  return entryOf(cause.merchantId, 'withdrawal refused', cause.reference, legs, cause.connectionId);
}

/**
 * The bank returned a completed payout, in part or in full; the gateway keeps the fee. Reference: the withdrawal and
 * the bank's return.
 */
export function withdrawalReturned(cause: Cause & { returnedCents: number }): LedgerEntry[] {
  const legs = [['psp', 'available', cause.returnedCents]] as const;
  return entryOf(cause.merchantId, 'withdrawal returned', cause.reference, legs, cause.connectionId);
}

/**
 * A refund of `amountCents` is requested. The gateway keeps the fee of the payment, and the reserve stays withheld.
 * Reference of this event and the next two: the refund.
 */
export function refundRequested(cause: Cause & { amountCents: number }): LedgerEntry[] {
  const legs = [['available', 'in_transit', cause.amountCents]] as const;
  return entryOf(cause.merchantId, 'refund requested', cause.reference, legs, cause.connectionId);
}

export function refundCompleted(cause: Cause & { amountCents: number }): LedgerEntry[] {
  const legs = [['in_transit', 'psp', cause.amountCents]] as const;
  return entryOf(cause.merchantId, 'refund completed', cause.reference, legs, cause.connectionId);
}

export function refundRefused(cause: Cause & { amountCents: number }): LedgerEntry[] {
  const legs = [['in_transit', 'available', cause.amountCents]] as const;
  return entryOf(cause.merchantId, 'refund refused', cause.reference, legs, cause.connectionId);
}

/**
 * A dispute blocks the disputed amount, as far as the merchant has the money: first from the available balance, then
 * from reserves. Reference: the dispute.
 */
export function disputeOpened(
  cause: Cause & { fromAvailableCents: number; fromReservedCents: number },
): LedgerEntry[] {
  const legs = [
    ['available', 'blocked', cause.fromAvailableCents],
    ['reserved', 'blocked', cause.fromReservedCents],
  ] as const;
  return entryOf(cause.merchantId, 'dispute opened', cause.reference, legs, cause.connectionId);
}

/**
 * Incoming money is blocked to cover a dispute's shortfall, the disputed amount that could not be blocked before.
 * Reference: the dispute and the reference of the incoming money.
 */
export function shortfallCovered(
  cause: Cause & { fromAvailableCents: number; fromReservedCents: number },
): LedgerEntry[] {
  const legs = [
    ['available', 'blocked', cause.fromAvailableCents],
    ['reserved', 'blocked', cause.fromReservedCents],
  ] as const;
  return entryOf(cause.merchantId, 'shortfall covered', cause.reference, legs, cause.connectionId);
}

/**
 * The bank took disputed money: `blockedCents` had been blocked for it, and `uncoveredCents` becomes the merchant's
 * debt. At an account of the merchant's own it is only taken. Reference: the bank's return.
 */
export function disputeLost(cause: Cause & { blockedCents: number; uncoveredCents: number }): LedgerEntry[] {
  const legs = [
    ['blocked', 'psp', cause.blockedCents],
    [isAtHouse(cause) ? 'receivable' : 'available', 'psp', cause.uncoveredCents],
  ] as const;
  return entryOf(cause.merchantId, 'dispute lost', cause.reference, legs, cause.connectionId);
}

/** Incoming money repays a merchant's debt. Reference: the reference of the incoming money. */
export function debtRepaid(cause: Cause & { amountCents: number }): LedgerEntry[] {
  return entryOf(cause.merchantId, 'debt repaid', cause.reference, [
    ['available', 'receivable', cause.amountCents],
  ]);
}

/**
 * A dispute releases the money that it blocked: the part taken from reserves returns to reserved, the rest to
 * available. Reference: the dispute.
 */
export function disputeReleased(
  cause: Cause & { toAvailableCents: number; toReservedCents: number },
): LedgerEntry[] {
  const legs = [
    ['blocked', 'available', cause.toAvailableCents],
    ['blocked', 'reserved', cause.toReservedCents],
  ] as const;
  return entryOf(cause.merchantId, 'dispute released', cause.reference, legs, cause.connectionId);
}

/** An administrator corrects a balance by a signed difference. Reference: the audit log entry. */
export function balanceAdjusted(cause: Cause & { differenceCents: number }): LedgerEntry[] {
  const { merchantId, reference, differenceCents } = cause;
  return entryOf(merchantId, 'balance adjusted', reference, [
    differenceCents > 0
      ? ['adjustments', 'available', differenceCents]
      : ['available', 'adjustments', Math.abs(differenceCents)],
  ]);
}

/**
 * The bank charged a tariff to the operator's account. Reference of this event and the next two: the recorded bank
 * movement.
 */
export function bankTariffCharged(cause: Cause & { amountCents: number }): LedgerEntry[] {
  return entryOf(cause.merchantId, 'bank tariff', cause.reference, [['fees', 'psp', cause.amountCents]]);
}

/** The operator took earned fees out of the account at the bank. */
export function feesTaken(cause: Cause & { amountCents: number }): LedgerEntry[] {
  return entryOf(cause.merchantId, 'fees taken', cause.reference, [['fees', 'psp', cause.amountCents]]);
}

/** The operator paid money of their own into the account at the bank. */
export function toppedUp(cause: Cause & { amountCents: number }): LedgerEntry[] {
  return entryOf(cause.merchantId, 'topped up', cause.reference, [['psp', 'fees', cause.amountCents]]);
}
