import { type CounterCode, centsFromBrl, type PaymentLink, type PaymentLinkState } from '@jangada/contract';
import { formatDateAtTime } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { StatusBadge } from '../../ui/index.ts';

/** An amount of the wire as money; without one whoever pays types it. */
export function amountWords(amount: number | null): string {
  return amount === null ? 'Valor livre' : money(amount);
}

export function money(amount: number): string {
  return formatMoney(centsFromBrl(amount));
}

/** How many payments, and of how many where there is a limit: `12 de 100`. */
export function paymentsWords(payments: number, most: number | null): string {
  return most === null ? formatCount(payments) : `${formatCount(payments)} de ${formatCount(most)}`;
}

const states: Record<PaymentLinkState, { glyph: 'done' | 'gone'; word: string }> = {
  active: { glyph: 'done', word: 'Ativo' },
  off: { glyph: 'gone', word: 'Desligado' },
  ended: { glyph: 'gone', word: 'Encerrado' },
  sold_out: { glyph: 'gone', word: 'Esgotado' },
};

export function LinkState({ of: { state } }: { of: PaymentLink }) {
  const { glyph, word } = states[state];
  return <StatusBadge status={glyph}>{word}</StatusBadge>;
}

export function CodeState({ of: { active } }: { of: CounterCode }) {
  return active ? (
    <StatusBadge status="done">Ativo</StatusBadge>
  ) : (
    <StatusBadge status="gone">Desligado</StatusBadge>
  );
}

/** Why a link takes no payment, and what to do; undefined while it takes some. */
export function closedWords({ state, ends_at }: PaymentLink): string | undefined {
  if (state === 'off') return 'Quem abre este link vê que ele foi desligado. Ligue-o para voltar a receber.';
  if (state === 'ended')
    return `O prazo terminou em ${formatDateAtTime(ends_at)}. Para voltar a receber, mude-o em Editar.`;
  if (state === 'sold_out')
    return 'O limite de pagamentos foi atingido. Para receber mais, mude-o em Editar.';
  return undefined;
}

/** An address as it is said: without its scheme. */
export function shownAddress(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
