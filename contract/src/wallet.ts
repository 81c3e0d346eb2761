import * as z from 'zod/mini';
import { chargeStatus } from './charge.ts';
import { brlSum } from './money.ts';
import { moment } from './user.ts';

/**
 * Wallet figures: the flat shape, and the nested one, in one answer.
 * total earned = Σ net credited; gross revenue = Σ amount of paid; refunds lower neither.
 */
export const walletStats = z.object({
  success: z.literal(true),
  total_transactions: z.int(),
  total_earned: brlSum,
  total_withdrawn: brlSum,
  total_refunded: brlSum,
  gross_revenue: brlSum,
  pending_withdrawals: brlSum,
  reserved_amount: brlSum,
  blocked_by_disputes: brlSum,
  /** What disputes still miss, or a lost one left owing: the next money that comes is taken for it first. */
  owed_to_disputes: brlSum,
  available_balance: brlSum,
  last_transaction_date: z.nullable(moment),
  deposits_count: z.int(),
  withdrawals_count: z.int(),
  pending_deposits_count: z.int(),
  pending_withdrawals_count: z.int(),
  failed_transactions_count: z.int(),
  data: z.object({
    stats: z.object({
      totalTransactions: z.int(),
      totalEarned: brlSum,
      totalWithdrawn: brlSum,
      blockedByDisputes: brlSum,
      pendingWithdrawals: brlSum,
      reservedAmount: brlSum,
      availableBalance: brlSum,
      lastTransactionDate: z.nullable(moment),
    }),
    summary: z.object({
      deposits: z.int(),
      withdrawals: z.int(),
      pendingDeposits: z.int(),
      pendingWithdrawals: z.int(),
      failedTransactions: z.int(),
    }),
  }),
});

/** What a merchant has at the gateway now, in BRL. */
export const balance = z.object({
  /** What may be withdrawn or refunded. */
  available: brlSum,
  /** Kept back for some days, then available. */
  reserved: brlSum,
  /** Held by open disputes. */
  blocked: brlSum,
  /** Withdrawals and refunds that are on their way at the bank. */
  in_transit: brlSum,
  /** What disputes still miss, or a lost one left owing: the next money that comes is taken for it first. */
  owed: brlSum,
});

/** Days are calendar days of America/Sao_Paulo, oldest first, today last; every day of the span is there. */
export const dailyStats = z.object({
  days: z.array(
    z.object({
      day: z.iso.date(),
      /** Gross received that day. */
      received: brlSum,
      count: z.int(),
      /** Available balance at the end of the day. */
      balance: brlSum,
    }),
  ),
});
export type DailyStats = z.infer<typeof dailyStats>;

/** Charges made in a span of calendar days of America/Sao_Paulo, today included, by what became of them until now. */
export const chargeStats = z.object({
  /** Each status once. */
  statuses: z.array(
    z.object({
      status: chargeStatus,
      count: z.int(),
      /** Σ of their amounts. */
      amount: brlSum,
    }),
  ),
  /** False: the newest 10,000 of the span are told of, and there may be more. */
  complete: z.boolean(),
});
export type ChargeStats = z.infer<typeof chargeStats>;
