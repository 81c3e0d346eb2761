import type { DayModel, FeedCounts, WalletModel } from '@jangada/contract';
import { formatWeekday } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';

/** The figures of the dashboard: the revenue, and how many charges have each status. */
export type Figures = {
  /** The gross revenue: all amounts that were received, before fees. */
  grossCents: number;
  /** The number of received payments, including those that were refunded. */
  deposits: number;
  paid: number;
  pending: number;
  /** The number of charges that failed, expired or were refunded. */
  failed: number;
  /** The number of all charges. */
  total: number;
};

/**
 * The figures of an account. The numbers of charges come with the list of transactions. A provider (the gateway behind
 * the dashboard) other than our own may send none with the list; they are then taken from the wallet.
 */
export function figuresOf(wallet: WalletModel, counts: FeedCounts | null): Figures {
  const paid = counts?.paid ?? wallet.deposits;
  const pending = counts?.pending ?? wallet.pendingDeposits;
  const failed = counts ? counts.expired + counts.refunded + counts.error : wallet.failed;
  const { deposits } = wallet;
  // Another provider sends only the fields of the API's specification, in which `totalEarnedCents` is the one sum of
  // received money.
  const grossCents = wallet.grossRevenueCents ?? wallet.totalEarnedCents;
  return { grossCents, deposits, paid, pending, failed, total: paid + pending + failed };
}

/** The average amount of a payment in integer cents, with half a cent rounded up; null if there are no payments. */
export function averageCents(grossCents: number, paymentCount: number): number | null {
  return paymentCount === 0 ? null : Math.floor((2 * grossCents + paymentCount) / (2 * paymentCount));
}

/** A number of payments in words: `1 pagamento`, `38 pagamentos`. */
export function paymentsInWords(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'pagamento' : 'pagamentos'}`;
}

/** A day of the chart in words: `ter 10/11, R$ 1.456,15 em 38 pagamentos`. */
export function dayInWords({ day, receivedCents, count }: DayModel): string {
  return `${formatWeekday(day)}, ${formatMoney(receivedCents)} em ${paymentsInWords(count)}`;
}
