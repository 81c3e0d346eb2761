import type { FeeTerms } from '@jangada/contract';

// Amounts, counts and rates as Brazilian text. An amount is in integer cents, a rate in hundredths of a percent.

const NO_BREAK = '\u00a0';
const MINUS = '\u2212';
const MISSING = '—';

const integerFormat = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
const truncatedCompactFormat = new Intl.NumberFormat('pt-BR', {
  notation: 'compact',
  maximumFractionDigits: 1,
  roundingMode: 'trunc',
});
const compactFormat = new Intl.NumberFormat('pt-BR', { notation: 'compact', maximumFractionDigits: 1 });

/** Integer cents as digits, `1.234,56`, without the sign and the currency. */
export function formatCentsDigits(cents: number): string {
  const absoluteCents = Math.abs(cents);
  return `${integerFormat.format(Math.floor(absoluteCents / 100))},${String(absoluteCents % 100).padStart(2, '0')}`;
}

/**
 * Integer cents as `R$ 1.234,56`, or as `− R$ 4,09` with U+2212 for the sign. A missing amount is `—`. The text never
 * breaks across lines.
 */
export function formatMoney(cents: number | null | undefined): string {
  if (cents == null) return MISSING;
  const amount = `R$${NO_BREAK}${formatCentsDigits(cents)}`;
  return cents < 0 ? MINUS + NO_BREAK + amount : amount;
}

/**
 * A short form for narrow places: `R$ 1,2 bi`. The amount is rounded towards zero, so that the text never overstates
 * it.
 */
export function formatShortMoney(cents: number): string {
  const amount = `R$${NO_BREAK}${truncatedCompactFormat.format(Math.abs(cents) / 100)}`;
  return cents < 0 ? MINUS + NO_BREAK + amount : amount;
}

/** A cost as a deduction: `− R$ 4,09` for 409 cents, and `R$ 0,00` for zero. */
export function formatDeduction(cents: number | null | undefined): string {
  return formatMoney(cents == null || cents === 0 ? cents : -cents);
}

/** The change of a balance, with its sign: `+ R$ 408,81`, `− R$ 40,00`. */
export function formatChange(cents: number): string {
  return cents > 0 ? `+${NO_BREAK}${formatMoney(cents)}` : formatMoney(cents);
}

/** Integer cents in compact reais, without the currency: `3 mil`, `1,5 mil`, `40`. */
export function formatCompactReais(cents: number): string {
  return compactFormat.format(cents / 100);
}

/** The label of an amount on the axis of a chart. Only the label at the top has the currency: `R$ 3 mil`. */
export function formatAxisReais(cents: number, isTopLabel: boolean): string {
  return isTopLabel && cents > 0 ? `R$${NO_BREAK}${formatCompactReais(cents)}` : formatCompactReais(cents);
}

/** A count with points between the thousands: `1.405`. */
export function formatCount(count: number): string {
  return integerFormat.format(count);
}

/**
 * A share of a whole as `91,4%`, always with one decimal. Only zero is shown as `0,0%`, and only the whole as `100,0%`.
 * Any other share that rounds to zero is `<0,1%`.
 */
export function formatShare(part: number, whole: number): string {
  if (part <= 0 || whole <= 0) return '0,0%';
  const maxTenths = part < whole ? 999 : 1000;
  const tenths = Math.min(Math.round((part * 1000) / whole), maxTenths);
  if (tenths === 0) return '<0,1%';
  return `${Math.floor(tenths / 10)},${tenths % 10}%`;
}

/** The parts of a fee that are not zero, `0,99% + R$ 0,10`, or undefined when there is no fee. */
export function formatFee({ rate, fixedCents }: FeeTerms): string | undefined {
  const parts = [rate > 0 && formatRate(rate), fixedCents > 0 && formatMoney(fixedCents)].filter(
    (part) => part !== false,
  );
  return parts.length === 0 ? undefined : parts.join(' + ');
}

/** A rate in hundredths of a percent: 99 as `0,99%`, 150 as `1,5%`. */
export function formatRate(rate: number): string {
  const [whole, fraction = ''] = formatCentsDigits(rate).split(',');
  const decimals = fraction.replace(/0+$/, '');
  return decimals === '' ? `${whole}%` : `${whole},${decimals}%`;
}
