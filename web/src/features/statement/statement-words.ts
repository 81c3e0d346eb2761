import type { StatementAccount, StatementKind, StatementLineModel } from '@jangada/contract';
import { formatDeduction, formatMoney } from '../../format/money.ts';

export const accountWords: Record<StatementAccount, string> = {
  available: 'Disponível',
  reserved: 'Reservado',
  blocked: 'Bloqueado',
};

/** The explanation of each balance, for users who arrive by a link. */
export const accountSentences: Record<StatementAccount, string> = {
  available: 'O que entrou e saiu do seu saldo, com o saldo depois de cada movimento.',
  reserved: 'O que foi retido de cada Pix como garantia, e o que já foi liberado.',
  blocked: 'O que foi bloqueado por disputas, e o que voltou ou foi devolvido a quem pagou.',
};

export const kindWords: Record<StatementKind, string> = {
  payment: 'Pagamentos',
  withdrawal: 'Saques',
  refund: 'Estornos',
  dispute: 'Disputas',
  reserve: 'Reserva',
  adjustment: 'Ajustes',
};

/** What a line is, and what its description adds: `Saque solicitado`, and the key it went to. */
export function partsOf({ description }: StatementLineModel): { what: string; detail: string | null } {
  const end = description.indexOf(': ');
  if (end < 1) return { what: description, detail: null };
  return { what: description.slice(0, end), detail: description.slice(end + 2) };
}

/** How a payment became what was credited: `R$ 412,90 − R$ 4,09 de tarifa − R$ 20,44 de reserva`. */
export function compositionOf({ grossCents, feeCents, reservedCents }: StatementLineModel): string | null {
  if (grossCents === null || (!feeCents && !reservedCents)) return null;
  return [
    formatMoney(grossCents),
    ...(feeCents ? [`${formatDeduction(feeCents)} de tarifa`] : []),
    ...(reservedCents ? [`${formatDeduction(reservedCents)} de reserva`] : []),
  ].join(' ');
}
