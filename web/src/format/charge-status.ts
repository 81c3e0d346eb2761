import { type ChargeStatus, isChargeStatus } from '@jangada/contract';

/** Shapes of ui's status badge that a charge can have. */
export type ChargeLook = { glyph: 'done' | 'waiting' | 'gone' | 'returned' | 'failed'; word: string };

const looks: Record<ChargeStatus, ChargeLook> = {
  pending: { glyph: 'waiting', word: 'Pendente' },
  paid: { glyph: 'done', word: 'Pago' },
  expired: { glyph: 'gone', word: 'Expirado' },
  refunded: { glyph: 'returned', word: 'Estornado' },
  error: { glyph: 'failed', word: 'Erro' },
};

/** How a charge's status is shown. A word that we do not know is shown raw. */
export function chargeLook(status: string): ChargeLook {
  return isChargeStatus(status) ? looks[status] : { glyph: 'gone', word: status };
}

/** Whether money came in: only then there is a net amount to show. */
export function wasCredited(status: string): boolean {
  return status === 'paid' || status === 'refunded';
}
