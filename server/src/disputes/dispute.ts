import type { DisputeStatus } from '@jangada/contract';
import type { BankDispute } from '../psp/index.ts';

/** A dispute as it stands in the database. Amounts in integer cents. */
export type StoredDispute = {
  /** 0 while nobody knows whose Pix was contested. */
  readonly merchantId: number;
  readonly id: string;
  /** The bank's name for it. */
  readonly bankDisputeId: string;
  readonly protocol: string;
  readonly chargeId: string | null;
  readonly endToEndId: string;
  readonly status: DisputeStatus;
  /** The bank's last word. */
  readonly bankStatus: BankDispute['status'];
  readonly reason: string;
  /** What the payer claims, and of it what was still there to claim. */
  readonly disputedCents: number;
  readonly claimedCents: number;
  readonly blockedCents: number;
  readonly shortfallCents: number;
  /** What the bank gave back to the payer for it. */
  readonly returnedCents: number;
  readonly deadlineAt: Date;
  readonly defence: string | null;
  readonly defendedAt: Date | null;
  /** When the bank took the defence. */
  readonly defenceSentAt: Date | null;
  readonly warnedHours: number | null;
  /** When something is to be done for it next. */
  readonly dueAt: Date | null;
  readonly openedAt: Date;
  readonly resolvedAt: Date | null;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The bank is asked about each open dispute so often, and sooner while a defence has not arrived there. */
const lookUpMs = 10 * minuteMs;
const sendAgainMs = minuteMs;
/** The bank gives back what it granted within days; later it may find more, for so long after the Pix (MED). */
const returnsSoonMs = 5 * dayMs;
export const RETURNS_END_MS = 90 * dayMs;
/** How long before the deadline a merchant who has not answered is warned. */
export const warningHours = [48, 24, 6] as const;

/** What the bank's word means for us. One that is defended is open until it is decided. */
export function disputeStatusFromBank(bank: BankDispute['status']): DisputeStatus {
  return (
    { open: 'open', defended: 'open', accepted: 'lost', rejected: 'won', cancelled: 'cancelled' } as const
  )[bank];
}

/** Whether the bank may take money for it: it is open, or lost and the bank is still asked what it gave back. */
export function mayBankStillDebit({ status, dueAt }: Pick<StoredDispute, 'status' | 'dueAt'>): boolean {
  return status === 'open' || (status === 'lost' && dueAt !== null);
}

/** The warning that fits the time left, in hours: the shortest that it does not exceed. None once it is over. */
export function fittingWarning(deadlineAt: Date, now: Date): number | undefined {
  const leftMs = deadlineAt.getTime() - now.getTime();
  return leftMs <= 0 ? undefined : warningHours.findLast((hours) => leftMs <= hours * hourMs);
}

/** The warning that is to be given now, if one is: each once, and none to who has answered. */
export function dueWarning(
  { deadlineAt, defendedAt, warnedHours }: Pick<StoredDispute, 'deadlineAt' | 'defendedAt' | 'warnedHours'>,
  now: Date,
): number | undefined {
  const hours = defendedAt === null ? fittingWarning(deadlineAt, now) : undefined;
  return hours !== undefined && (warnedHours === null || hours < warnedHours) ? hours : undefined;
}

/** When an open dispute is looked at next: to send its defence, to ask the bank, or to warn. */
export function nextDisputeCheckAt(
  { deadlineAt, defence, defenceSentAt }: Pick<StoredDispute, 'deadlineAt' | 'defence' | 'defenceSentAt'>,
  now: Date,
): Date {
  const warnings = warningHours.map((hours) => deadlineAt.getTime() - hours * hourMs);
  const soon = defence !== null && defenceSentAt === null;
  const moments = [
    now.getTime() + (soon ? sendAgainMs : lookUpMs),
    ...warnings.filter((at) => at > now.getTime()),
  ];
  return new Date(Math.min(...moments));
}

/** When the bank is asked next what it gave back for a lost dispute whose Pix was paid at `paidAt`. */
export function nextReturnCheckAt(resolvedAt: Date, paidAt: Date, now: Date): Date {
  const soon = now.getTime() - resolvedAt.getTime() < returnsSoonMs;
  const end = paidAt.getTime() + RETURNS_END_MS;
  return new Date(Math.min(now.getTime() + (soon ? hourMs : dayMs), Math.max(end, now.getTime())));
}
