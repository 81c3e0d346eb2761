import type { DayModel, FeedCounts, WalletModel } from '@jangada/contract';
import { formatWeekday } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';

/** The figures of the dashboard: the revenue, and the charges counted by their status. */
export type Figures = {
  grossCents: number;
  /** The number of received payments, including those that were refunded. */
  deposits: number;
  paid: number;
  pending: number;
  /** Expired, refunded or failed charges. */
  failed: number;
  total: number;
};

/** Takes the counts of the transaction feed, or those of the wallet where the API's provider sends no counts. */
export function figuresOf(wallet: WalletModel, counts: FeedCounts | null): Figures {
  const paid = counts?.paid ?? wallet.deposits;
  const pending = counts?.pending ?? wallet.pendingDeposits;
  const failed = counts ? counts.expired + counts.refunded + counts.error : wallet.failed;
  const { deposits } = wallet;
  // A provider with only the fields of the specification sends a single sum of received money.
  const grossCents = wallet.grossRevenueCents ?? wallet.totalEarnedCents;
  return { grossCents, deposits, paid, pending, failed, total: paid + pending + failed };
}

/** The average of a payment in cents, rounded half up; null without payments. */
export function averageCents(grossCents: number, payments: number): number | null {
  return payments === 0 ? null : Math.floor((2 * grossCents + payments) / (2 * payments));
}

/** `1 pagamento`, `38 pagamentos`. */
export function paymentsInWords(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'pagamento' : 'pagamentos'}`;
}

/** A day of the chart in words: `ter 10/11, R$ 1.456,15 em 38 pagamentos`. */
export function dayInWords({ day, receivedCents, count }: DayModel): string {
  return `${formatWeekday(day)}, ${formatMoney(receivedCents)} em ${paymentsInWords(count)}`;
}
