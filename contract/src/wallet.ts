import * as z from 'zod/mini';
import { chargeStatus } from './charge.ts';
import { brlSum } from './money.ts';
import { moment } from './user.ts';

/**
 * Wallet figures, in the flat and the nested format in one response.
 * total earned = Σ net credited; gross revenue = Σ amount of paid; neither is reduced by refunds.
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
  /**
   * Disputed amounts that the balance could not cover, and debt from lost disputes: incoming money covers them
   * first.
   */
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

/** A merchant's current balances at the gateway, in BRL. */
export const balance = z.object({
  /** Available for withdrawals and refunds. */
  available: brlSum,
  /** Withheld for some days, then available. */
  reserved: brlSum,
  /** Blocked by open disputes. */
  blocked: brlSum,
  /** Withdrawals and refunds that the bank is processing. */
  in_transit: brlSum,
  /**
   * Disputed amounts that the balance could not cover, and debt from lost disputes: incoming money covers them
   * first.
   */
  owed: brlSum,
});

/** Days are calendar days in America/Sao_Paulo, oldest first, today last, without gaps. */
export const dailyStats = z.object({
  days: z.array(
    z.object({
      day: z.iso.date(),
      /** Gross amount received that day. */
      received: brlSum,
      count: z.int(),
      /** Available balance at the end of the day. */
      balance: brlSum,
    }),
  ),
});
export type DailyStats = z.infer<typeof dailyStats>;

/** Charges created in a period of calendar days in America/Sao_Paulo, including today, by their current status. */
export const chargeStats = z.object({
  /** Each status once. */
  statuses: z.array(
    z.object({
      status: chargeStatus,
      count: z.int(),
      /** The sum of their amounts. */
      amount: brlSum,
    }),
  ),
  /** False if the period may have more charges than the newest 10,000, which are the ones counted. */
  complete: z.boolean(),
});
export type ChargeStats = z.infer<typeof chargeStats>;
