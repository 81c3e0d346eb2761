import type { ChargeStatus, DisputeStatus, RefundStatus, WithdrawalStatus } from '@jangada/contract';

type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/**
 * The status changes that each table allows. Triggers in PostgreSQL enforce the same changes (`guard_charges`,
 * `guard_withdrawals`, `guard_refunds`, `guard_disputes`); tests try every pair of statuses to prove that both agree.
 */
export const transitions = {
  charges: {
    pending: ['paid', 'expired', 'error'],
    // Money may arrive after the charge has ended, and is then still credited.
    expired: ['paid'],
    error: ['paid'],
    paid: ['refunded'],
    refunded: [],
  } as Transitions<ChargeStatus>,
  withdrawals: {
    pending: ['processing', 'failed'],
    processing: ['completed', 'failed'],
    // A completed payout fails when the payee's bank has returned all of it.
    completed: ['failed'],
    failed: [],
  } as Transitions<WithdrawalStatus>,
  refunds: {
    processing: ['completed', 'failed'],
    completed: [],
    failed: [],
  } as Transitions<RefundStatus>,
  disputes: {
    open: ['lost', 'won', 'cancelled'],
    lost: [],
    won: [],
    cancelled: [],
  } as Transitions<DisputeStatus>,
} as const;
