import { type DisputeStatus, RETURN_DAYS } from '@jangada/contract';
import type { BankDispute } from '../psp/index.ts';

/** A dispute as the bank of an account tells of it. */
export type ToldDispute = BankDispute & { readonly connectionId: number };

/** A dispute (a payer's claim for their money back, decided by the bank) as stored. Amounts in integer cents. */
export type StoredDispute = {
  /** The platform (0) while the owner of the disputed Pix is unknown. */
  readonly merchantId: number;
  readonly id: string;
  /** The account whose bank told of the dispute, and decides it. */
  readonly connectionId: number;
  /** The bank's id of the dispute, which says nothing at another bank. */
  readonly bankDisputeId: string;
  /** The protocol number under which the bank handles the dispute. */
  readonly protocol: string;
  /** The charge that the disputed Pix paid; null if it paid none of ours. */
  readonly chargeId: string | null;
  /** The nationwide identifier of the disputed Pix. */
  readonly endToEndId: string;
  readonly status: DisputeStatus;
  /** The last status that the bank reported. */
  readonly bankStatus: BankDispute['status'];
  readonly reason: string;
  /** The amount that the payer disputes. */
  readonly disputedCents: number;
  /** The part of the disputed amount that could be claimed from the merchant. */
  readonly claimedCents: number;
  /** The part of the claimed amount that is blocked now. */
  readonly blockedCents: number;
  /** The part of the claimed amount for which the merchant had no money to block. */
  readonly shortfallCents: number;
  /** The amount that the bank has returned to the payer for this dispute. */
  readonly returnedCents: number;
  /** Until when the merchant may send a defence. */
  readonly deadlineAt: Date;
  /** The text of the merchant's defence. */
  readonly defence: string | null;
  readonly defendedAt: Date | null;
  /** When the bank accepted the defence. */
  readonly defenceSentAt: Date | null;
  /** The last warning before the deadline that the merchant got, as one of `warningHours`. */
  readonly warnedHours: number | null;
  /** When the dispute is next due for processing; null if never. */
  readonly dueAt: Date | null;
  readonly openedAt: Date;
  readonly resolvedAt: Date | null;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How often an open dispute is looked up at the bank. */
const pollIntervalMs = 10 * minuteMs;
/** How often a defence is sent again until the bank has it. */
const resendIntervalMs = minuteMs;
/** After granting a dispute, the bank usually returns the money within this time. */
const usualReturnPeriodMs = 5 * dayMs;
/** The bank may return money until this long after the Pix, by the rules of MED (the banks' return mechanism). */
export const RETURN_PERIOD_MS = RETURN_DAYS * dayMs;
/** How many hours before the deadline a merchant who has not sent a defence is warned. */
export const warningHours = [48, 24, 6] as const;

/** Maps the bank's status to ours. A defended dispute stays open until the bank decides it. */
export function disputeStatusFromBank(bank: BankDispute['status']): DisputeStatus {
  return statusesFromBank[bank];
}

const statusesFromBank = {
  open: 'open',
  defended: 'open',
  accepted: 'lost',
  rejected: 'won',
  cancelled: 'cancelled',
} as const satisfies Record<BankDispute['status'], DisputeStatus>;

/**
 * Whether the bank may still take money for the dispute: it is open, or it is lost and its returns are still checked.
 */
export function mayBankStillDebit({ status, dueAt }: Pick<StoredDispute, 'status' | 'dueAt'>): boolean {
  return status === 'open' || (status === 'lost' && dueAt !== null);
}

/**
 * The warning that suits the time left: the smallest of `warningHours` that is not less than the time left. Undefined
 * if more time is left than the largest, or after the deadline.
 */
export function warningForTimeLeft(deadlineAt: Date, now: Date): number | undefined {
  const leftMs = deadlineAt.getTime() - now.getTime();
  return leftMs <= 0 ? undefined : warningHours.findLast((hours) => leftMs <= hours * hourMs);
}

/** The warning to send now, as one of `warningHours`. Each is sent once, and none after a defence. */
export function warningToSendNow(
  { deadlineAt, defendedAt, warnedHours }: Pick<StoredDispute, 'deadlineAt' | 'defendedAt' | 'warnedHours'>,
  now: Date,
): number | undefined {
  const hours = defendedAt === null ? warningForTimeLeft(deadlineAt, now) : undefined;
  return hours !== undefined && (warnedHours === null || hours < warnedHours) ? hours : undefined;
}

/** When to process an open dispute next: to send its defence, to look it up at the bank, or to warn the merchant. */
export function nextDisputeCheckAt(
  { deadlineAt, defence, defenceSentAt }: Pick<StoredDispute, 'deadlineAt' | 'defence' | 'defenceSentAt'>,
  now: Date,
): Date {
  const warnings = warningHours.map((hours) => deadlineAt.getTime() - hours * hourMs);
  const isDefenceUnsent = defence !== null && defenceSentAt === null;
  const moments = [
    now.getTime() + (isDefenceUnsent ? resendIntervalMs : pollIntervalMs),
    ...warnings.filter((time) => time > now.getTime()),
  ];
  return new Date(Math.min(...moments));
}

/**
 * When to check next whether the bank made returns for a lost dispute: hourly at first, then daily, and finally when
 * the return period of its Pix, paid at `paidAt`, ends.
 */
export function nextReturnCheckAt(resolvedAt: Date, paidAt: Date, now: Date): Date {
  const isRecentlyResolved = now.getTime() - resolvedAt.getTime() < usualReturnPeriodMs;
  const returnsEnd = paidAt.getTime() + RETURN_PERIOD_MS;
  return new Date(
    Math.min(now.getTime() + (isRecentlyResolved ? hourMs : dayMs), Math.max(returnsEnd, now.getTime())),
  );
}
