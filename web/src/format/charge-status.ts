import { type ChargeStatus, isChargeStatus } from '@jangada/contract';

type Badge = { glyph: 'done' | 'waiting' | 'gone' | 'returned' | 'failed'; label: string };

const badgesByStatus: Record<ChargeStatus, Badge> = {
  pending: { glyph: 'waiting', label: 'Pendente' },
  paid: { glyph: 'done', label: 'Pago' },
  expired: { glyph: 'gone', label: 'Expirado' },
  refunded: { glyph: 'returned', label: 'Estornado' },
  error: { glyph: 'failed', label: 'Erro' },
};

/**
 * The glyph and the label of the badge for a charge's status. The label of a status that this version does not know is
 * the status itself, as received.
 */
export function chargeBadge(status: string): Badge {
  return isChargeStatus(status) ? badgesByStatus[status] : { glyph: 'gone', label: status };
}

/** True when the charge was paid, even if it was refunded later. Such a charge has a net amount to show. */
export function wasCredited(status: string): boolean {
  return status === 'paid' || status === 'refunded';
}
