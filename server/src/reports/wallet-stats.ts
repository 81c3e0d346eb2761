import { brlFromCents, type getBalance, type getWalletStats, type ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type MerchantBalances, readMerchantBalances } from '../ledger/index.ts';

type ReportDeps = Pick<Deps, 'db'>;

type Figures = MerchantBalances & {
  /** Where the merchant's money is: at the operator's account, or also at accounts of their own. */
  readonly at: 'house' | 'all';
  /** The amount that is available there. */
  readonly availableCents: number;
  readonly blockedCents: number;
};

/** Reads a merchant's balances, and what of them the merchant is shown as available. */
export async function readFigures({ db }: ReportDeps, merchantId: number): Promise<Figures> {
  const balances = await readMerchantBalances(db, merchantId);
  const { house, own } = balances;
  return {
    ...balances,
    at: own === undefined ? 'house' : 'all',
    availableCents: house.available + (own?.available ?? 0),
    blockedCents: house.blocked + (own?.blocked ?? 0),
  };
}

/**
 * Reads a merchant's balances and totals from accounts and counters, so that the cost does not grow with the history.
 * The response contains most values twice, because the specification has two formats, flat and nested.
 */
export async function walletStats(
  deps: ReportDeps,
  merchantId: number,
): Promise<ResponseOf<typeof getWalletStats>> {
  const [balances, counters] = await Promise.all([
    readFigures(deps, merchantId),
    deps.db
      .selectFrom('merchant_counters')
      .selectAll()
      .where('merchant_id', '=', merchantId)
      .executeTakeFirstOrThrow(),
  ]);
  // A refunded charge was paid first, so it counts as a deposit too.
  const deposits = counters.paid_count + counters.refunded_count;
  const failedTransactions = counters.expired_count + counters.refunded_count + counters.error_count;
  const lastTransactionAt = counters.last_transaction_at?.toISOString() ?? null;
  const withdrawals = counters.completed_withdrawals_count;
  const stats = {
    totalTransactions: deposits + withdrawals,
    totalEarned: brlFromCents(counters.net_received_cents),
    totalWithdrawn: brlFromCents(counters.completed_withdrawals_cents),
    blockedByDisputes: brlFromCents(balances.blockedCents),
    pendingWithdrawals: brlFromCents(counters.pending_withdrawals_cents),
    reservedAmount: brlFromCents(balances.house.reserved),
    availableBalance: brlFromCents(balances.availableCents),
    lastTransactionDate: lastTransactionAt,
  };
  const summary = {
    deposits,
    withdrawals,
    pendingDeposits: counters.pending_count,
    pendingWithdrawals: counters.pending_withdrawals_count,
    failedTransactions,
  };
  return {
    success: true,
    total_transactions: stats.totalTransactions,
    total_earned: stats.totalEarned,
    total_withdrawn: stats.totalWithdrawn,
    total_refunded: brlFromCents(counters.refunded_cents),
    gross_revenue: brlFromCents(counters.gross_received_cents),
    pending_withdrawals: stats.pendingWithdrawals,
    reserved_amount: stats.reservedAmount,
    blocked_by_disputes: stats.blockedByDisputes,
    owed_to_disputes: brlFromCents(balances.obligations),
    available_balance: stats.availableBalance,
    at_operator: brlFromCents(balances.house.available),
    at_own_bank: brlFromCents(balances.own?.available ?? 0),
    last_transaction_date: lastTransactionAt,
    deposits_count: summary.deposits,
    withdrawals_count: summary.withdrawals,
    pending_deposits_count: summary.pendingDeposits,
    pending_withdrawals_count: summary.pendingWithdrawals,
    failed_transactions_count: summary.failedTransactions,
    data: { stats, summary },
  };
}

/** Reads a merchant's current balances, for the merchant's own systems. */
export async function readBalance(
  deps: ReportDeps,
  merchantId: number,
): Promise<ResponseOf<typeof getBalance>> {
  const balances = await readFigures(deps, merchantId);
  return {
    available: brlFromCents(balances.availableCents),
    reserved: brlFromCents(balances.house.reserved),
    blocked: brlFromCents(balances.blockedCents),
    in_transit: brlFromCents(balances.house.in_transit + (balances.own?.in_transit ?? 0)),
    owed: brlFromCents(balances.obligations),
    at_operator: brlFromCents(balances.house.available),
    at_own_bank: brlFromCents(balances.own?.available ?? 0),
  };
}
