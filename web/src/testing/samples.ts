// Sample responses of a gateway to a merchant, for tests of screens.
import type {
  Dispute,
  KycState,
  Notification,
  PaymentRefunds,
  Refund,
  Transaction,
  User,
} from '@jangada/contract';

/** The fees of an account. */
export const taxes: User['taxes'] = {
  pix: { in: 0.99, out: 0, fixIn: 0, fixOut: 1.5 },
  crypto: 0,
  reserve: { enabled: false, percentage: 0, liberationTime: 0 },
};

/** The public settings of a gateway in sandbox mode. */
export const settings = {
  sandbox: true,
  bankUrl: 'http://localhost:3001',
  adminEmail: null,
  maxCharge: 15_000,
  refunds: true,
  withdrawals: true,
  mail: true,
  mailbox: false,
  pushKey: null,
};

export const user: User = {
  id: 'u1',
  name: 'Marina Albuquerque',
  username: 'lojista',
  email: 'marina@example.com',
  avatar: '',
  approved: true,
  role: 'USER',
  balance: 12_480.37,
  apiActive: true,
  apiKey: 'jgd_••••••••4f2a',
  document: '12345678909',
  docType: 'CPF',
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
  push_id: null,
  push_ids: [],
  taxes,
};

/** A user who has sent no documents yet. */
export const kycNone: KycState = { status: 'none', reason: null, submitted_at: null, decided_at: null };

export const apiKey = { hasKey: true, active: true, key: null, masked: 'jgd_••••••••4f2a' };

/** A paid charge. */
export const transaction: Transaction = {
  id: '5e92fa10-7c41-4d0e-9b3a-61f2d8c07a55',
  status: 'paid',
  amount: 412.9,
  credited_amount: 408.81,
  reserved_amount: 0,
  fee: 4.09,
  refunded_amount: 0,
  created_at: '2026-11-21T16:57:00.000Z',
  paid_at: '2026-11-21T16:58:00.000Z',
  expires_at: '2026-11-21T17:27:00.000Z',
  content: '00020101021226BRCODE',
  end_to_end_id: null,
  external_id: null,
  metadata: {},
  description: null,
  success_url: null,
  checkout_url: 'https://pix.example.com/pagar/00000007k3TzQ9vB2mXw8RfLpYd6HsJc',
  receipt_url: null,
  payment_link_id: null,
  counter_code_id: null,
  payer: null,
  cancelled_at: null,
};

export const refund: Refund = {
  id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
  refund_id: null,
  payment_id: transaction.id,
  status: 'completed',
  amount: 40,
  reason: 'Produto em falta',
  origin: 'panel',
  error: null,
  rtr_id: null,
  created_at: '2026-11-21T17:30:00.000Z',
  completed_at: '2026-11-21T17:30:04.000Z',
};

/** A payment's refunds with their sums. */
export function refundsOf({ amount }: Transaction, refunds: Refund[] = []): PaymentRefunds {
  const sumCents = (status: Refund['status']) =>
    refunds.filter((item) => item.status === status).reduce((cents, item) => cents + 100 * item.amount, 0);
  const refundedCents = sumCents('completed');
  const refundingCents = sumCents('processing');
  return {
    refunds,
    refunded_amount: refundedCents / 100,
    refunding_amount: refundingCents / 100,
    refundable_amount: (Math.round(100 * amount) - refundedCents - refundingCents) / 100,
    refundable_until: '2027-02-19T16:58:00.000Z',
    blocked_because: null,
  };
}

/** A page of the feed (the list of transactions), with the counts of these transactions by status. */
export function feedOf(transactions: Transaction[], total = transactions.length) {
  const count = (status: Transaction['status']) =>
    transactions.filter((item) => item.status === status).length;
  const counts = {
    all: total,
    pending: count('pending'),
    paid: count('paid'),
    expired: count('expired'),
    refunded: count('refunded'),
    error: count('error'),
  };
  return { data: transactions, transactions, total, counts, next: null };
}

/** The wallet of an account that has only received payments. */
export function walletOf(figures: { available: number; earned: number; gross: number; deposits: number }) {
  const { available, earned, gross, deposits } = figures;
  const lastTransactionDate = deposits === 0 ? null : '2026-11-21T17:32:00.000Z';
  return {
    success: true as const,
    total_transactions: deposits,
    total_earned: earned,
    total_withdrawn: 0,
    total_refunded: 0,
    gross_revenue: gross,
    pending_withdrawals: 0,
    reserved_amount: 0,
    blocked_by_disputes: 0,
    owed_to_disputes: 0,
    available_balance: available,
    at_operator: available,
    at_own_bank: 0,
    last_transaction_date: lastTransactionDate,
    deposits_count: deposits,
    withdrawals_count: 0,
    pending_deposits_count: 0,
    pending_withdrawals_count: 0,
    failed_transactions_count: 0,
    data: {
      stats: {
        totalTransactions: deposits,
        totalEarned: earned,
        totalWithdrawn: 0,
        blockedByDisputes: 0,
        pendingWithdrawals: 0,
        reservedAmount: 0,
        availableBalance: available,
        lastTransactionDate: lastTransactionDate,
      },
      summary: { deposits, withdrawals: 0, pendingDeposits: 0, pendingWithdrawals: 0, failedTransactions: 0 },
    },
  };
}

/** The parts of the balance of a merchant who was paid into the operator's account before they had one of their own. */
export const balanceParts = { at_operator: 4103.61, at_own_bank: 5 };
export const userWithParts: User = { ...user, balance: 4108.61, ...balanceParts };

/** An open dispute without a defence. */
export const openDispute: Dispute = {
  id: 'd15b07e0-7c41-4d0e-9b3a-61f2d8c07a55',
  payment_id: transaction.id,
  end_to_end_id: 'E1823612020261121165800000000a1b2',
  protocol: '20261121001',
  status: 'open',
  reason: 'O pagador relata que foi vítima de golpe.',
  amount: 418,
  blocked_amount: 418,
  shortfall_amount: 0,
  returned_amount: 0,
  deadline: '2026-11-28T17:32:00.000Z',
  defended_at: null,
  opened_at: '2026-11-21T17:32:00.000Z',
  resolved_at: null,
};

/** A page of disputes. */
export function disputesOf(disputes: Dispute[]) {
  const open = disputes.filter(({ status }) => status === 'open').length;
  return { disputes, total: disputes.length, page: 1, limit: 10, open };
}

/** An unread notification of a payment. */
export const paidNotification: Notification = {
  id: '0193f1c0-0000-7000-8000-000000000002',
  title: 'Pix recebido',
  body: 'Você recebeu R$ 412,90.',
  timestamp: '2026-11-21T16:58:00.000Z',
  read: false,
  data: { type: 'payment.paid', id: '5e92fa10-7c41-4d0e-9b3a-61f2d8c07a55' },
};

/** A notification that was read. */
export const pinNotification: Notification = {
  id: '0193f1c0-0000-7000-8000-000000000001',
  title: 'PIN de saque',
  body: 'Seu PIN de saque foi definido.',
  timestamp: '2026-11-21T12:00:00.000Z',
  read: true,
  data: { type: 'withdrawals.pin' },
};
