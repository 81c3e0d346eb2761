// Sample responses of a gateway about withdrawals, for tests of screens.
import type { ResponseOf, WithdrawalDetail, withdrawalSources } from '@jangada/contract';

/** The state of a PIN that is set and not locked. */
export const pinSet = { has_pin: true, locked_until: null, held_until: null };

/** The fee and the limits of withdrawals by day, with nothing withdrawn yet. */
export const outFee = {
  outFee: 1.5,
  outPercent: 0,
  minAmount: 5,
  maxAmount: 15_000,
  paused: false,
  caps: [{ limit: 50_000, left: 50_000, message: 'Hoje o limite de saques é de R$ 50.000,00.' }],
  capsUntil: '2099-11-21T23:00:00.000Z',
};

/** A completed withdrawal. */
export const withdrawal: WithdrawalDetail = {
  id: '8b41c7de-2f60-4a53-9d0e-5a1b7c3e9f12',
  status: 'completed',
  amount: 2500,
  amount_cents: 250_000,
  fee_cents: 150,
  net_cents: 249_850,
  returned_cents: 0,
  pix_key: 'financeiro@emporiocapibaribe.com.br',
  pix_key_type: 'email',
  created_at: '2026-11-21T17:32:00.000Z',
  updated_at: '2026-11-21T17:32:04.000Z',
  completed_at: '2026-11-21T17:32:04.000Z',
  error: null,
  end_to_end_id: 'E1234567820261121173200000000001',
  in_doubt: false,
};

/** The accounts of a merchant with money at the operator and at an own bank, and at one that sends nothing. */
export const sources: ResponseOf<typeof withdrawalSources> = {
  sources: [
    { id: '1', at: 'operator', name: '', bank: 'Banco Sandbox', available: 4103.61 },
    { id: '7', at: 'own_bank', name: 'Conta da loja', bank: 'Efí', available: 200 },
  ],
  not_sendable: 41.5,
};

/** A page of the withdrawals list. */
export function withdrawalsOf(withdrawals: readonly WithdrawalDetail[], total = withdrawals.length) {
  return { withdrawals: [...withdrawals], total, page: 1, limit: 10 };
}
