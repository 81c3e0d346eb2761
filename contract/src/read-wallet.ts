import * as z from 'zod/mini';
import { anyAmountAsCents, anyCount } from './any-number.ts';

// Readers of a merchant's figures, in every format that the specification allows. Amounts become integer cents.

const optionalText = z.nullish(z.string());

export type WalletModel = {
  totalTransactions: number;
  totalEarnedCents: number;
  blockedCents: number;
  reservedCents: number;
  availableCents: number;
  /** The parts of `availableCents` at the operator's account and at the merchant's own; null if there is only one. */
  parts: BalanceParts | null;
  pendingWithdrawalsCents: number;
  lastTransactionAt: string | null;
  deposits: number;
  withdrawals: number;
  pendingDeposits: number;
  pendingWithdrawals: number;
  failed: number;
  /** This field and the next are not in the specification. They are null if the provider does not report them. */
  grossRevenueCents: number | null;
  totalRefundedCents: number | null;
  /**
   * The sum of disputed amounts that the balance could not cover, and of debts from lost disputes. Incoming money pays
   * these before it reaches the available balance.
   */
  owedCents: number;
};

export type BalanceParts = { atOperatorCents: number; atOwnBankCents: number };

/** The two parts of a balance; null where one of them is zero, unknown, or not counted in the balance. */
export function balancePartsOf(
  balanceCents: number,
  atOperatorCents: number | null | undefined,
  atOwnBankCents: number | null | undefined,
): BalanceParts | null {
  if (!atOperatorCents || !atOwnBankCents || atOperatorCents + atOwnBankCents !== balanceCents) return null;
  return { atOperatorCents, atOwnBankCents };
}

const nestedStats = z.object({
  data: z.object({
    stats: z.object({
      totalTransactions: anyCount,
      totalEarned: anyAmountAsCents,
      totalWithdrawn: anyAmountAsCents,
      blockedByDisputes: z.optional(anyAmountAsCents),
      pendingWithdrawals: anyAmountAsCents,
      reservedAmount: anyAmountAsCents,
      availableBalance: anyAmountAsCents,
      lastTransactionDate: optionalText,
    }),
    summary: z.object({
      deposits: anyCount,
      withdrawals: anyCount,
      pendingDeposits: anyCount,
      pendingWithdrawals: anyCount,
      failedTransactions: anyCount,
    }),
  }),
});

const flatStats = z.object({
  total_transactions: anyCount,
  total_earned: anyAmountAsCents,
  total_withdrawn: anyAmountAsCents,
  pending_withdrawals: anyAmountAsCents,
  reserved_amount: anyAmountAsCents,
  available_balance: anyAmountAsCents,
  blocked_by_disputes: z.optional(anyAmountAsCents),
  last_transaction_date: optionalText,
  deposits_count: anyCount,
  withdrawals_count: anyCount,
  pending_deposits_count: anyCount,
  pending_withdrawals_count: anyCount,
  failed_transactions_count: anyCount,
});

/** Figures that are not in the specification. Our own gateway reports them at the top level, beside both formats. */
const extraFigures = z.object({
  gross_revenue: z.optional(anyAmountAsCents),
  total_refunded: z.optional(anyAmountAsCents),
  blocked_by_disputes: z.optional(anyAmountAsCents),
  owed_to_disputes: z.optional(anyAmountAsCents),
  at_operator: z.optional(anyAmountAsCents),
  at_own_bank: z.optional(anyAmountAsCents),
});

/** Reads wallet figures in the nested or the flat format. Throws ZodError for anything else. */
export function parseWalletStats(response: unknown): WalletModel {
  const extra = extraFigures.parse(response);
  const extraModel = {
    grossRevenueCents: extra.gross_revenue ?? null,
    totalRefundedCents: extra.total_refunded ?? null,
    owedCents: extra.owed_to_disputes ?? 0,
  };
  const partsOf = (availableCents: number) =>
    balancePartsOf(availableCents, extra.at_operator, extra.at_own_bank);
  const nested = nestedStats.safeParse(response);
  if (nested.success) {
    const { stats, summary } = nested.data.data;
    return {
      ...extraModel,
      totalTransactions: stats.totalTransactions,
      totalEarnedCents: stats.totalEarned,
      // The specification has no field for the blocked amount: its screens show totalWithdrawn as such. Our own gateway
      // reports the amount that disputes really block in a field of its own, so that field is preferred.
      blockedCents: stats.blockedByDisputes ?? extra.blocked_by_disputes ?? stats.totalWithdrawn,
      reservedCents: stats.reservedAmount,
      availableCents: stats.availableBalance,
      parts: partsOf(stats.availableBalance),
      pendingWithdrawalsCents: stats.pendingWithdrawals,
      lastTransactionAt: stats.lastTransactionDate ?? null,
      deposits: summary.deposits,
      withdrawals: summary.withdrawals,
      pendingDeposits: summary.pendingDeposits,
      pendingWithdrawals: summary.pendingWithdrawals,
      failed: summary.failedTransactions,
    };
  }
  const flat = flatStats.parse(response);
  return {
    ...extraModel,
    totalTransactions: flat.total_transactions,
    totalEarnedCents: flat.total_earned,
    blockedCents: flat.blocked_by_disputes ?? flat.total_withdrawn,
    reservedCents: flat.reserved_amount,
    availableCents: flat.available_balance,
    parts: partsOf(flat.available_balance),
    pendingWithdrawalsCents: flat.pending_withdrawals,
    lastTransactionAt: flat.last_transaction_date ?? null,
    deposits: flat.deposits_count,
    withdrawals: flat.withdrawals_count,
    pendingDeposits: flat.pending_deposits_count,
    pendingWithdrawals: flat.pending_withdrawals_count,
    failed: flat.failed_transactions_count,
  };
}

/** The amount that a merchant received on one day, and the balance at the end of that day. */
export type DayModel = {
  /** Calendar day in America/Sao_Paulo, `yyyy-MM-dd`. */
  day: string;
  receivedCents: number;
  count: number;
  balanceCents: number;
};

const anyDailyStats = z.object({
  days: z.array(
    z.object({ day: z.iso.date(), received: anyAmountAsCents, count: anyCount, balance: anyAmountAsCents }),
  ),
});

/** Reads the figures of each day, oldest first. */
export function parseDailyStats(response: unknown): DayModel[] {
  return anyDailyStats.parse(response).days.map(({ day, received, count, balance }) => ({
    day,
    receivedCents: received,
    count,
    balanceCents: balance,
  }));
}
