import { type ChargeStatus, isChargeStatus } from '@jangada/contract';

/** The glyph and the word of a charge's status badge. */
export type ChargeLook = { glyph: 'done' | 'waiting' | 'gone' | 'returned' | 'failed'; word: string };

const looksByStatus: Record<ChargeStatus, ChargeLook> = {
  pending: { glyph: 'waiting', word: 'Pendente' },
  paid: { glyph: 'done', word: 'Pago' },
  expired: { glyph: 'gone', word: 'Expirado' },
  refunded: { glyph: 'returned', word: 'Estornado' },
  error: { glyph: 'failed', word: 'Erro' },
};

/** The badge for a charge's status. A status that this version does not know is shown as received. */
export function chargeLook(status: string): ChargeLook {
  return isChargeStatus(status) ? looksByStatus[status] : { glyph: 'gone', word: status };
}

/** True when money came in, so that there is a net amount to show. */
export function wasCredited(status: string): boolean {
  return status === 'paid' || status === 'refunded';
}
