// Sample responses about withdrawals, disputes, suspense and system health, for tests of the administrators' screens.
import type { AdminDisputeDetail, AdminWithdrawal, SystemHealth } from '@jangada/contract';
import { openDispute } from './samples.ts';

/** The state of the payouts, that is, of the Pix that the gateway sends for withdrawals. */
export const payouts = {
  stopped_because: null,
  bank_in_doubt: false,
  waiting: 2,
  in_doubt: 1,
  bank_balance: 28_648.9,
  needed: 16_093.77,
  read_at: '2026-11-22T04:39:00.000Z',
};

/** A withdrawal that has not been sent yet. */
export const adminWithdrawal: AdminWithdrawal = {
  id: '8b41c7de-2f60-4a53-9d0e-5a1b7c3e9f12',
  status: 'pending',
  amount_cents: 75_000,
  fee_cents: 150,
  pix_key: 'conceicao.doces@gmail.com',
  pix_key_type: 'email',
  created_at: '2026-11-22T04:38:00.000Z',
  updated_at: '2026-11-22T04:38:00.000Z',
  completed_at: null,
  error: null,
  user: { id: 'u7', name: 'Maria da Conceição Vasconcelos de Melo' },
  id_envio: '00000007kKe56uWm3nkJpD3tLrzBbBiC',
  end_to_end_id: null,
  in_doubt: false,
  unknown_since: null,
  held_because: null,
  resolutions: ['refused'],
};

/** A received Pix that matches no charge. */
export const pixInSuspense = {
  end_to_end_id: 'E9999999920261122043300000000a1b2',
  amount: 4200,
  paid_at: '2026-11-22T04:33:00.000Z',
  txid: null,
  why: 'no-txid',
  status: 'suspense' as const,
  proposal: null,
};

export const adminDispute: AdminDisputeDetail = {
  ...openDispute,
  user: { id: 'u7', name: 'Maria da Conceição Vasconcelos de Melo' },
  defence: 'Entregue em mãos.',
  defended_at: '2026-11-22T10:00:00.000Z',
  defence_sent_at: '2026-11-22T10:00:05.000Z',
  files: [{ id: 'f1', name: 'comprovante.pdf', type: 'application/pdf', size: 84_000 }],
  takes_files: true,
};

export const systemHealth: SystemHealth = {
  database: 'ok',
  work: 'ok',
  psp: { state: 'ok', name: 'efi', certificate_expires_at: '2099-01-10T00:00:00.000Z' },
  queues: [
    { name: 'notices', waiting: 0, oldest_due_at: null },
    { name: 'webhooks', waiting: 1204, oldest_due_at: '2026-11-22T04:00:00.000Z' },
  ],
  read_replica: null,
  last_reconciliation: { received_at: '2026-11-22T04:39:00.000Z', sent_until: null },
  open_items: 3,
  pending_kyc: 7,
  own_accounts_waiting: 2,
  payouts_stopped_because: null,
  warnings: ['open-items', 'something-new'],
  version: '0.1.0',
};
