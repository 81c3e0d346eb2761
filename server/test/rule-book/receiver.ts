import type { BankCalls, MandateTerms, Notice, PaidPix } from './rule-book.ts';

/*
 * What is judged: whoever charges the cycles of subscriptions. The machine (machine.ts) tells it things and wakes it; in a
 * wake it may call its bank as often as it likes, and it says when it wants to be woken next.
 *
 *   begin            once, when the mandate was created at the bank (not yet approved)
 *   told             for each notice that reaches it: late, twice, out of order, or never
 *   endSubscription  the merchant ends the subscription; from then on nothing may be debited that can still be stopped
 *   wake             at the moment that it named, a little late at times, and at once after each of the three above
 *
 * Of its bank it knows only `BankCalls` and the notices. Calls can fail and answers can be lost: both are `unknown`.
 * Money that came by other means, or with which the payer joined, is always told in the end; of debits only the
 * charge itself tells for certain.
 */
export interface Receiver {
  begin(subscription: SubscriptionOrder, now: number): void;
  told(notice: Notice, now: number): void;
  endSubscription(idRec: string, now: number): void;
  /** Does what is due, and returns when it wants to be woken again; null for never, until it is told something. */
  wake(idRec: string, now: number, bank: BankCalls): number | null;
  records(idRec: string): ReceiverRecords;
}

export interface SubscriptionOrder {
  readonly idRec: string;
  readonly terms: MandateTerms;
  /** The amount of a cycle, of which the first is number 0; the same for all if the mandate's is fixed. */
  readonly amountCents: (cycle: number) => number;
  /** The merchant's policy: on which days after the due day to try again, as far as rules and holidays let it. */
  readonly retryDays: readonly number[];
}

/**
 * Why a cycle was given up. Each must be true by the bank's records at the moment at which it was given up.
 *
 *   not-sent    no charge stands at the bank, because the mandate was approved too late or the bank was not to be reached
 *   rejected    the charge was rejected with `code`
 *   cancelled   the charge was cancelled by the payer or a bank with `code`
 *   unpaid      every try failed, and no day of the policy is left on which the rules allow another
 */
export type GivenUpBecause = 'not-sent' | 'rejected' | 'cancelled' | 'unpaid';

export type CycleOutcome =
  | { readonly end: 'open' }
  /** By a debit or by other means. */
  | { readonly end: 'paid' }
  /** The mandate or the subscription ended first. */
  | { readonly end: 'not-due'; readonly at: number }
  | {
      readonly end: 'given-up';
      readonly at: number;
      readonly because: GivenUpBecause;
      readonly code: string | null;
    };

export interface ReceiverRecords {
  /** Of each cycle that it knows of, by number. One that is missing is taken as open. */
  readonly cycles: ReadonlyMap<number, CycleOutcome>;
  /** Every Pix that it booked, as often as it booked it. */
  readonly books: readonly PaidPix[];
}
