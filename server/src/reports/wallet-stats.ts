import { brlFromCents, type getBalance, type getWalletStats, type ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { readBalancesAndObligations } from '../ledger/index.ts';

/**
 * Reads a merchant's balances and totals from accounts and counters, so that the cost does not grow with the history.
 * The response contains most values twice, because the specification has two formats, flat and nested.
 */
export async function walletStats(
  deps: Pick<Deps, 'db'>,
  merchantId: number,
): Promise<ResponseOf<typeof getWalletStats>> {
  const [balances, counters] = await Promise.all([
    readBalancesAndObligations(deps.db, merchantId),
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
    blockedByDisputes: brlFromCents(balances.blocked),
    pendingWithdrawals: brlFromCents(counters.pending_withdrawals_cents),
    reservedAmount: brlFromCents(balances.reserved),
    availableBalance: brlFromCents(balances.available),
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
  deps: Pick<Deps, 'db'>,
  merchantId: number,
): Promise<ResponseOf<typeof getBalance>> {
  const balances = await readBalancesAndObligations(deps.db, merchantId);
  return {
    available: brlFromCents(balances.available),
    reserved: brlFromCents(balances.reserved),
    blocked: brlFromCents(balances.blocked),
    in_transit: brlFromCents(balances.in_transit),
    owed: brlFromCents(balances.obligations),
  };
}
