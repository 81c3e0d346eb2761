import type { DisputeStatus } from '@jangada/contract';
import type { BankDispute } from '../psp/index.ts';

/** A dispute (a payer's claim for their money back, decided by the bank) as stored. Amounts in integer cents. */
export type StoredDispute = {
  /** 0 while the owner of the disputed Pix is unknown. */
  readonly merchantId: number;
  readonly id: string;
  /** The bank's id of the dispute. */
  readonly bankDisputeId: string;
  readonly protocol: string;
  readonly chargeId: string | null;
  readonly endToEndId: string;
  readonly status: DisputeStatus;
  /** The last status that the bank reported. */
  readonly bankStatus: BankDispute['status'];
  readonly reason: string;
  /** The amount that the payer disputes, and the part of it that could be claimed from the merchant. */
  readonly disputedCents: number;
  readonly claimedCents: number;
  /** The part of the claimed amount that is blocked, and the part for which there was no money to block. */
  readonly blockedCents: number;
  readonly shortfallCents: number;
  /** The amount that the bank has returned to the payer for this dispute. */
  readonly returnedCents: number;
  readonly deadlineAt: Date;
  readonly defence: string | null;
  readonly defendedAt: Date | null;
  /** When the bank accepted the defence. */
  readonly defenceSentAt: Date | null;
  /** The last warning sent, in hours before the deadline. */
  readonly warnedHours: number | null;
  /** When the dispute is next due for processing; null if never. */
  readonly dueAt: Date | null;
  readonly openedAt: Date;
  readonly resolvedAt: Date | null;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * How often an open dispute is looked up at the bank; and how often its defence is sent again until the bank has it.
 */
const pollIntervalMs = 10 * minuteMs;
const resendIntervalMs = minuteMs;
/** After granting a dispute, the bank usually returns the money within this time. */
const usualReturnPeriodMs = 5 * dayMs;
/** The bank may return money until this long after the Pix, by the rules of MED (the banks' return mechanism). */
export const RETURNS_END_MS = 90 * dayMs;
/** How long before the deadline a merchant who has not responded is warned. */
export const warningHours = [48, 24, 6] as const;

/** Maps the bank's status to ours. A defended dispute is open until it is decided. */
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

/** Whether the bank may still debit for the dispute: it is open, or lost and still polled for returns. */
export function mayBankStillDebit({ status, dueAt }: Pick<StoredDispute, 'status' | 'dueAt'>): boolean {
  return status === 'open' || (status === 'lost' && dueAt !== null);
}

/** The shortest warning, in hours, that still covers the time left; undefined after the deadline. */
export function fittingWarning(deadlineAt: Date, now: Date): number | undefined {
  const leftMs = deadlineAt.getTime() - now.getTime();
  return leftMs <= 0 ? undefined : warningHours.findLast((hours) => leftMs <= hours * hourMs);
}

/** The warning that is due now, in hours before the deadline: each is sent once, and none after a defence. */
export function dueWarning(
  { deadlineAt, defendedAt, warnedHours }: Pick<StoredDispute, 'deadlineAt' | 'defendedAt' | 'warnedHours'>,
  now: Date,
): number | undefined {
  const hours = defendedAt === null ? fittingWarning(deadlineAt, now) : undefined;
  return hours !== undefined && (warnedHours === null || hours < warnedHours) ? hours : undefined;
}

/** When to process an open dispute next: to send its defence, poll the bank, or warn. */
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

/** When to poll next for the bank's returns for a lost dispute whose Pix was paid at `paidAt`. */
export function nextReturnCheckAt(resolvedAt: Date, paidAt: Date, now: Date): Date {
  const isRecentlyResolved = now.getTime() - resolvedAt.getTime() < usualReturnPeriodMs;
  const returnsEnd = paidAt.getTime() + RETURNS_END_MS;
  return new Date(
    Math.min(now.getTime() + (isRecentlyResolved ? hourMs : dayMs), Math.max(returnsEnd, now.getTime())),
  );
}
