import type { StatementAccount, StatementKind, StatementLineModel } from '@jangada/contract';
import { formatDeduction, formatMoney } from '../../format/money.ts';

/** The names of the balances that have a statement. */
export const accountLabels: Record<StatementAccount, string> = {
  available: 'Disponível',
  reserved: 'Reservado',
  blocked: 'Bloqueado',
  own: 'No banco',
};

/** The names for a merchant who has accounts of their own: what is available is in several places then. */
export const labelsBesideOwn: Record<StatementAccount, string> = {
  ...accountLabels,
  available: 'No operador',
};

/** The explanation of each balance, shown under the title of the screen. */
export const accountSentences: Record<StatementAccount, string> = {
  available: 'O que entrou e saiu do seu saldo, com o saldo depois de cada movimento.',
  reserved: 'O que foi retido de cada Pix como garantia, e o que já foi liberado.',
  blocked: 'O que foi bloqueado por disputas, e o que voltou ou foi devolvido a quem pagou.',
  own: 'O que entrou e saiu das suas contas bancárias por aqui. O extrato do banco mostra também o resto.',
};

export const kindLabels: Record<StatementKind, string> = {
  payment: 'Pagamentos',
  withdrawal: 'Saques',
  refund: 'Estornos',
  dispute: 'Disputas',
  reserve: 'Reserva',
  adjustment: 'Ajustes',
};

/** Splits a description such as `Saque solicitado: ana@loja.com` at its colon, into a title and a detail. */
export function splitDescription({ description }: StatementLineModel): {
  title: string;
  detail: string | null;
} {
  const colon = description.indexOf(': ');
  if (colon < 1) return { title: description, detail: null };
  return { title: description.slice(0, colon), detail: description.slice(colon + 2) };
}

/**
 * How the credited amount results from the paid one: `R$ 412,90 − R$ 4,09 de tarifa − R$ 20,44 de reserva`; null when
 * nothing was deducted. The reserve is a share that is withheld for some days.
 */
export function compositionOf({ grossCents, feeCents, reservedCents }: StatementLineModel): string | null {
  if (grossCents === null || (!feeCents && !reservedCents)) return null;
  return [
    formatMoney(grossCents),
    ...(feeCents ? [`${formatDeduction(feeCents)} de tarifa`] : []),
    ...(reservedCents ? [`${formatDeduction(reservedCents)} de reserva`] : []),
  ].join(' ');
}
