import type { Dispute } from '@jangada/contract';
import { transaction } from './samples.ts';

/** Open, and the merchant has said nothing yet. */
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
