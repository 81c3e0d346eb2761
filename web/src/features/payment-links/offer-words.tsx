import { type CounterCode, centsFromBrl, type PaymentLink, type PaymentLinkState } from '@jangada/contract';
import { formatDateAtTime } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { StatusBadge } from '../../ui/index.ts';

/** The amount of a payment link or counter code; null when the payer enters the amount. */
export function amountText(amount: number | null): string {
  return amount === null ? 'Valor livre' : brlText(amount);
}

/** An amount of the API, a number in reais, as it is displayed. */
export function brlText(amount: number): string {
  return formatMoney(centsFromBrl(amount));
}

/** The number of payments, with the limit if there is one: `12 de 100`. */
export function paymentsOfMaximum(payments: number, maxPayments: number | null): string {
  if (maxPayments === null) return formatCount(payments);
  return `${formatCount(payments)} de ${formatCount(maxPayments)}`;
}

const badges: Record<PaymentLinkState, { glyph: 'done' | 'gone'; label: string }> = {
  active: { glyph: 'done', label: 'Ativo' },
  off: { glyph: 'gone', label: 'Desligado' },
  ended: { glyph: 'gone', label: 'Encerrado' },
  sold_out: { glyph: 'gone', label: 'Esgotado' },
};

export function LinkStateBadge({ link: { state } }: { link: PaymentLink }) {
  const { glyph, label } = badges[state];
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

export function CounterCodeStateBadge({ code: { active } }: { code: CounterCode }) {
  return active ? (
    <StatusBadge status="done">Ativo</StatusBadge>
  ) : (
    <StatusBadge status="gone">Desligado</StatusBadge>
  );
}

/** Why a link accepts no payments, and how to change that; undefined while it accepts them. */
export function whyClosedText({ state, ends_at }: PaymentLink): string | undefined {
  if (state === 'off') return 'Quem abre este link vê que ele foi desligado. Ligue-o para voltar a receber.';
  if (state === 'ended')
    return `O prazo terminou em ${formatDateAtTime(ends_at)}. Para voltar a receber, mude-o em Editar.`;
  if (state === 'sold_out')
    return 'O limite de pagamentos foi atingido. Para receber mais, mude-o em Editar.';
  return undefined;
}

/** A URL without its scheme, for display. */
export function urlWithoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
