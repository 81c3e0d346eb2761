import * as z from 'zod/mini';

/** The largest amount that any field of the API takes, in cents (R$ 10 billion less a cent): far inside 2^53. */
export const MAX_CENTS = 999_999_999_999;

/**
 * Reads an amount in BRL as it stands on the wire (a JSON number with at most two decimals) into integer cents.
 * Answers undefined for anything that is not exactly a number of cents, or whose size passes `cap`.
 */
export function centsFromBrl(brl: number, cap = MAX_CENTS): number | undefined {
  const cents = Math.round(100 * brl);
  return cents / 100 === brl && Math.abs(cents) <= cap ? cents : undefined;
}

/** Integer cents to the BRL number of the wire. */
export function brlFromCents(cents: number): number {
  return cents / 100;
}

/**
 * Reads an amount of an answer into integer cents. A sum has no cap but that of exact integers, and the nearest cent is
 * taken, since a provider may count in more decimals. Undefined for what is no amount.
 */
export function centsOfAnswer(brl: number): number | undefined {
  const cents = Math.round(100 * brl);
  return Number.isSafeInteger(cents) ? cents : undefined;
}

/** A rate in hundredths of a percent (0.99 % = 99) to the percent number of the wire, and back. */
export function percentFromRate(rate: number): number {
  return rate / 100;
}

export function rateFromPercent(percent: number): number | undefined {
  return centsFromBrl(percent, 10_000);
}

const anyBrl = z.number({ error: 'Informe um valor em reais, como 10.50.' });
const inCents = z.refine<number>(
  (value) => centsFromBrl(value, Number.MAX_SAFE_INTEGER) !== undefined,
  'Use no máximo duas casas decimais.',
);

/** An amount in BRL on the wire: a number, two decimals at most. */
export const brl = anyBrl.check(
  z.refine((value) => Math.abs(value) <= brlFromCents(MAX_CENTS), {
    error: 'Use no máximo R$ 9.999.999.999,99.',
    abort: true,
  }),
  inCents,
);

/** The same where it is asked for: what is zero or below is refused by the rules of the call, in its own words. */
export const positiveBrl = brl.check();

/** The same for what is to be charged. */
export const chargeBrl = brl.check();

/** A balance or another sum in BRL, as answers have it: it may be larger than any amount that is asked for. */
export const brlSum = anyBrl.check(inCents);

/** The same where it comes back, to be changed: what was answered is taken. */
export const balanceBrl = brlSum.check();

/** A percentage on the wire, 0 to 100, two decimals at most. */
export const percent = z.number({ error: 'Informe um percentual, como 0.99.' }).check(
  z.minimum(0, 'O percentual não pode ser negativo.'),
  z.maximum(100, 'O percentual não pode passar de 100.'),
  z.refine((value) => rateFromPercent(value) !== undefined, 'Use no máximo duas casas decimais.'),
);

/**
 * Reads an amount as people type it in Brazil ("1.250,00", "R$ 86,4", "12") into integer cents; undefined for
 * anything else. No fraction passes through floating point.
 */
export function centsFromText(text: string): number | undefined {
  const parts = /^(?:R\$\s*)?(\d{1,3}(?:\.\d{3})+|\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (parts?.[1] === undefined) return undefined;
  const cents = Number(parts[1].replaceAll('.', '') + (parts[2] ?? '').padEnd(2, '0'));
  return cents <= MAX_CENTS ? cents : undefined;
}
