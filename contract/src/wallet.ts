import * as z from 'zod/mini';
import { chargeStatus } from './charge.ts';
import { brlSum } from './money.ts';
import { moment } from './user.ts';

/**
 * The figures of a merchant's wallet. The specification has a flat and a nested format, and the response contains both.
 * `total_earned` is the sum of the net amounts of all paid charges, `gross_revenue` the sum of their gross amounts.
 * Refunds reduce neither.
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
   * The sum of disputed amounts that the balance could not cover, and of debts from lost disputes. Incoming money pays
   * these before it reaches the available balance.
   */
  owed_to_disputes: brlSum,
  /**
   * The sum of `at_operator` and `at_own_bank` for merchants who are paid into accounts of their own, otherwise
   * `at_operator`.
   */
  available_balance: brlSum,
  /** The money that may be withdrawn from the operator's account, to which `pooled` merchants are paid. */
  at_operator: brlSum,
  /**
   * Money at accounts of the merchant's own that was neither given back nor withdrawn through this gateway. The
   * gateway does not see what else the merchant does there, so it may be below zero.
   */
  at_own_bank: brlSum,
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
  /**
   * Available for withdrawals and refunds: the sum of `at_operator` and `at_own_bank` for merchants who are paid into
   * accounts of their own, otherwise `at_operator`.
   */
  available: brlSum,
  /** Withheld from payments for some days before it becomes available. */
  reserved: brlSum,
  /** Blocked by open disputes. */
  blocked: brlSum,
  /** Withdrawals and refunds that the bank is processing. */
  in_transit: brlSum,
  /**
   * The sum of disputed amounts that the balance could not cover, and of debts from lost disputes. Incoming money pays
   * these before it reaches the available balance.
   */
  owed: brlSum,
  /** The money that may be withdrawn from the operator's account, to which `pooled` merchants are paid. */
  at_operator: brlSum,
  /**
   * Money at accounts of the merchant's own that was neither given back nor withdrawn through this gateway. The
   * gateway does not see what else the merchant does there, so it may be below zero.
   */
  at_own_bank: brlSum,
});

/** The figures of every calendar day (America/Sao_Paulo) of a period that ends today, oldest day first. */
export const dailyStats = z.object({
  days: z.array(
    z.object({
      day: z.iso.date(),
      /** The gross amount received that day. */
      received: brlSum,
      /** The number of payments received that day. */
      count: z.int(),
      /** The available balance at the end of the day. */
      balance: brlSum,
    }),
  ),
});
export type DailyStats = z.infer<typeof dailyStats>;

/**
 * The charges that were created in a period, counted and summed by their current status. The period is a number of
 * calendar days in America/Sao_Paulo and ends today.
 */
export const chargeStats = z.object({
  /** One entry for each status. */
  statuses: z.array(
    z.object({
      status: chargeStatus,
      count: z.int(),
      /** The sum of the amounts of the charges in this status. */
      amount: brlSum,
    }),
  ),
  /** False if the period may have more than 10,000 charges, of which only the newest 10,000 are counted. */
  complete: z.boolean(),
});
export type ChargeStats = z.infer<typeof chargeStats>;
