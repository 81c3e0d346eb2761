// What is to be done about one cycle, decided from what is known at a moment. Nothing here reads or writes: the engine
// (work-cycles.ts) does what this says, and a machine plays it against an independent model of the rule book.
import type { CycleReason } from '@jangada/contract';
import { daysAfter, timeAtHour } from '../calendar-day.ts';
import { lastSendDayOf, sendDayOf } from './cycle-days.ts';

/** A try of the payer's bank, as it was last seen there. */
export type SeenAttempt = {
  readonly day: string;
  /** Whether we ordered it after the due day. What the bank itself sends again does not count as a retry. */
  readonly isRetry: boolean;
  readonly status: 'requested' | 'scheduled' | 'paid' | 'refused' | 'cancelled' | 'expired';
  readonly code: string | undefined;
};

/** What the bank said of the debit when it was last asked; undefined before it is known there. */
export type DebitSeen = {
  readonly status: 'created' | 'active' | 'completed' | 'expired' | 'refused' | 'cancelled';
  /** From the first to the last. */
  readonly attempts: readonly SeenAttempt[];
  /** Of a debit that was refused or cancelled, by the bank's catalogue. */
  readonly endCode: string | undefined;
  readonly endedByPayer: boolean;
};

export type CycleFacts = {
  readonly dueDay: string;
  readonly debitDay: string;
  /** The first day of the next cycle, before which retries must end; banks count it on after the last one too. */
  readonly nextDueDay: string;
  readonly amountCents: number | undefined;
  /** On which days after the due day it is tried again. */
  readonly retryDays: readonly number[];
  /** Days for which the bank refused a retry. */
  readonly refusedDays: readonly string[];
  readonly isMandateEnded: boolean;
  /** Whether an order went to the bank, whatever became of it. */
  readonly isSent: boolean;
  readonly isPaid: boolean;
  /** Why it is not to be debited any more. */
  readonly cancelBecause: 'paid_otherwise' | 'by_merchant' | 'subscription_ended' | undefined;
  readonly debit: DebitSeen | undefined;
};

/** `reason`: why a cycle ends without a debit. `code`: of the bank, if it gave one. */
type End = { readonly reason: CycleReason; readonly code: string | undefined };

export type NextStep =
  | { readonly step: 'wait'; readonly until: Date }
  | { readonly step: 'send' }
  /** Take the order back. */
  | { readonly step: 'cancel' }
  | { readonly step: 'retry'; readonly day: string }
  | ({ readonly step: 'give-up' } & End)
  /** It was taken back, or never sent. */
  | ({ readonly step: 'close' } & End)
  | { readonly step: 'paid' };

/** A day's work with the bank begins at this hour, when people who can help are awake. */
const sendHour = 8;
/** The receiver can take a debit back until this hour of the day before. */
export const CANCEL_UNTIL_HOUR = 22;
/** The payer's bank has debited by this hour, or tries again in the evening. */
const morningLookHour = 9;
/** The payer's bank tries until 21:00 and tells the end of it then. */
const eveningLookHour = 21.5;
/** A bank that has not told the end of a debit is asked again this often. */
const askAgainMs = 3_600_000;
const maxRetries = 3;
const lastRetryDay = 7;

/** Codes of one try that end the whole debit, by the central bank's file. All others leave it open to a retry. */
const finalCodes: ReadonlySet<string> = new Set([
  ...['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09'],
]);

const isOpen = ({ status }: SeenAttempt) => status === 'requested' || status === 'scheduled';

/** When a cycle is sent to the bank. */
export function sendMoment(dueDay: string): Date {
  return timeAtHour(sendDayOf(dueDay), sendHour);
}

/** From this moment on the bank takes the cycle no more. */
function sendWindowEnd(dueDay: string): Date {
  return timeAtHour(daysAfter(lastSendDayOf(dueDay), 1), 0);
}

/** The last moment at which the debit of a day can be taken back. */
export function cancelUntil(debitDay: string): Date {
  return timeAtHour(daysAfter(debitDay, -1), CANCEL_UNTIL_HOUR);
}

/**
 * Decides the next step of a cycle at `now`. What is known of a debit that was sent must be as the bank has just said it:
 * a decision on old news could retry what is paid.
 */
export function nextStep(facts: CycleFacts, now: Date): NextStep {
  if (facts.isPaid) return { step: 'paid' };
  return facts.isSent ? stepOfSent(facts, now) : stepOfUnsent(facts, now);
}

function stepOfUnsent(facts: CycleFacts, now: Date): NextStep {
  const { dueDay, isMandateEnded, cancelBecause, amountCents } = facts;
  if (cancelBecause !== undefined) return close(cancelBecause);
  if (isMandateEnded) return close('mandate_ended');
  const sendAt = sendMoment(dueDay);
  if (now < sendAt) return { step: 'wait', until: sendAt };
  const windowEnd = sendWindowEnd(dueDay);
  if (now >= windowEnd) return giveUp(amountCents === undefined ? 'no_amount' : 'too_late');
  if (amountCents !== undefined) return { step: 'send' };
  return { step: 'wait', until: earlier(new Date(now.getTime() + askAgainMs), windowEnd) };
}

function stepOfSent(facts: CycleFacts, now: Date): NextStep {
  const { debit, cancelBecause, debitDay } = facts;
  // The order was sent and the bank does not know it, or has not answered: it is sent again under the same id.
  if (debit === undefined) return stepOfUnknown(facts, now);
  switch (debit.status) {
    case 'completed':
      // The money itself comes as a Pix, and only that makes the cycle paid.
      return { step: 'wait', until: new Date(now.getTime() + askAgainMs) };
    case 'cancelled':
      return close(cancelBecause ?? (debit.endedByPayer ? 'by_payer' : 'mandate_ended'), debit.endCode);
    case 'refused':
      return withoutDebit(facts, 'refused', debit.endCode ?? lastCodeOf(debit));
    case 'expired':
      return withoutDebit(facts, 'expired', debit.endCode ?? lastCodeOf(debit));
    case 'created':
    case 'active': {
      const firstDay = debit.attempts[0]?.day ?? debitDay;
      if (cancelBecause !== undefined && now < cancelUntil(firstDay)) return { step: 'cancel' };
      return stepOfActive(facts, debit, now);
    }
  }
}

function stepOfUnknown({ dueDay, cancelBecause, isMandateEnded }: CycleFacts, now: Date): NextStep {
  if (cancelBecause !== undefined) return close(cancelBecause);
  if (isMandateEnded) return close('mandate_ended');
  return now < sendWindowEnd(dueDay) ? { step: 'send' } : giveUp('too_late');
}

function stepOfActive(facts: CycleFacts, debit: DebitSeen, now: Date): NextStep {
  const open = debit.attempts.find(isOpen);
  if (open !== undefined) return { step: 'wait', until: nextLook(open.day, now) };
  const last = debit.attempts.at(-1);
  // The bank has the order and has not planned a try yet.
  if (last === undefined) return { step: 'wait', until: new Date(now.getTime() + askAgainMs) };
  if (last.status === 'paid') return { step: 'wait', until: new Date(now.getTime() + askAgainMs) };
  const code = lastCodeOf(debit);
  if (code !== undefined && finalCodes.has(code)) return withoutDebit(facts, 'refused', code);
  // Until the evening of the debit day the bank may send its order again by itself, and that can still debit.
  const firstDay = debit.attempts[0]?.day ?? last.day;
  if (now < timeAtHour(firstDay, eveningLookHour)) return { step: 'wait', until: nextLook(firstDay, now) };
  if (facts.cancelBecause !== undefined) return close(facts.cancelBecause, code);
  if (facts.isMandateEnded) return giveUp('mandate_ended', code);
  const day = nextRetryDay(facts, debit, now);
  return day === undefined ? giveUp('no_retries_left', code) : { step: 'retry', day };
}

/** The day of the next retry that the rules and the subscription's own plan allow; undefined if there is none. */
function nextRetryDay(
  { dueDay, retryDays, refusedDays, nextDueDay }: CycleFacts,
  { attempts }: DebitSeen,
  now: Date,
): string | undefined {
  if (attempts.filter(({ isRetry }) => isRetry).length >= maxRetries) return undefined;
  const usedDays = new Set([...refusedDays, ...attempts.map(({ day }) => day)]);
  const lastDay = attempts.at(-1)?.day ?? dueDay;
  return retryDays
    .map((offset) => daysAfter(dueDay, offset))
    .find(
      (day) =>
        // A retry is ordered for a later day, after those that were tried.
        timeAtHour(day, 0) > now &&
        day > lastDay &&
        !usedDays.has(day) &&
        day <= daysAfter(dueDay, lastRetryDay) &&
        day < nextDueDay,
    );
}

/** When the bank is asked about a try next: in the morning and in the evening of its day, then hour by hour. */
function nextLook(day: string, now: Date): Date {
  const looks = [
    timeAtHour(daysAfter(day, -1), CANCEL_UNTIL_HOUR - 1),
    timeAtHour(day, morningLookHour),
    timeAtHour(day, eveningLookHour),
  ];
  return looks.find((moment) => moment > now) ?? new Date(now.getTime() + askAgainMs);
}

function lastCodeOf({ attempts }: DebitSeen): string | undefined {
  return attempts.at(-1)?.code;
}

/** The end of a debit that was not made. It is no loss if the cycle was not to be debited any more. */
function withoutDebit(
  { cancelBecause }: CycleFacts,
  reason: CycleReason,
  code: string | undefined,
): NextStep {
  return cancelBecause === undefined ? giveUp(reason, code) : close(cancelBecause, code);
}

function giveUp(reason: CycleReason, code?: string): NextStep {
  return { step: 'give-up', reason, code };
}

function close(reason: CycleReason, code?: string): NextStep {
  return { step: 'close', reason, code };
}

function earlier(left: Date, right: Date): Date {
  return left < right ? left : right;
}
