import * as z from 'zod/mini';

/** The largest amount in cents that any field of the API accepts: R$ 10 billion less a cent, well below 2^53. */
export const MAX_CENTS = 999_999_999_999;

/**
 * Converts a BRL amount of the API (a JSON number with at most two decimals) to integer cents.
 * Returns undefined if the amount is not an exact number of cents, or if its absolute value in cents exceeds `cap`.
 */
export function centsFromBrl(brl: number, cap = MAX_CENTS): number | undefined {
  const cents = Math.round(100 * brl);
  return cents / 100 === brl && Math.abs(cents) <= cap ? cents : undefined;
}

/** Converts integer cents to a BRL number of the API. */
export function brlFromCents(cents: number): number {
  return cents / 100;
}

/**
 * Converts a BRL amount or sum in a response to integer cents. Rounds to the nearest cent, because a provider may send
 * more than two decimals. A sum may exceed MAX_CENTS; returns undefined only above 2^53, where integers are inexact.
 */
export function centsFromResponse(brl: number): number | undefined {
  const cents = Math.round(100 * brl);
  return Number.isSafeInteger(cents) ? cents : undefined;
}

/** Converts a rate in hundredths of a percent to the API's number of percent: 99 becomes 0.99. */
export function percentFromRate(rate: number): number {
  return rate / 100;
}

/** Converts the API's number of percent to hundredths of a percent; undefined above 100 % or with more decimals. */
export function rateFromPercent(percent: number): number | undefined {
  return centsFromBrl(percent, 10_000);
}

const anyBrl = z.number({ error: 'Informe um valor em reais, como 10.50.' });
const isWholeCents = z.refine<number>(
  (value) => centsFromBrl(value, Number.MAX_SAFE_INTEGER) !== undefined,
  'Use no máximo duas casas decimais.',
);

/** A BRL amount of the API: a number with at most two decimals. */
export const brl = anyBrl.check(
  z.refine((value) => Math.abs(value) <= brlFromCents(MAX_CENTS), {
    error: 'Use no máximo R$ 9.999.999.999,99.',
    abort: true,
  }),
  isWholeCents,
);

// `check()` without arguments copies a schema, so that OpenAPI can give each copy bounds of its own.

/** A positive BRL amount in a request. Each operation itself refuses zero and below, with a message of its own. */
export const positiveBrl = brl.check();

/** A BRL amount to be charged. */
export const chargeBrl = brl.check();

/** A balance or other sum in BRL in a response. Unlike an amount, a sum may exceed MAX_CENTS. */
export const brlSum = anyBrl.check(isWholeCents);

/** A balance in a request that changes it. Any balance that a response contained can be sent back. */
export const balanceBrl = brlSum.check();

/** A percentage of the API, 0 to 100, with at most two decimals. */
export const percent = z.number({ error: 'Informe um percentual, como 0.99.' }).check(
  z.minimum(0, 'O percentual não pode ser negativo.'),
  z.maximum(100, 'O percentual não pode passar de 100.'),
  z.refine((value) => rateFromPercent(value) !== undefined, 'Use no máximo duas casas decimais.'),
);

/**
 * Converts an amount as typed in Brazil ("1.250,00", "R$ 86,4", "12") to integer cents; undefined for anything else.
 * The digits of the cents are appended to those of the reais, so no fraction is ever a floating-point number.
 */
export function centsFromText(text: string): number | undefined {
  const parts = /^(?:R\$\s*)?(\d{1,3}(?:\.\d{3})+|\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (parts?.[1] === undefined) return undefined;
  const cents = Number(parts[1].replaceAll('.', '') + (parts[2] ?? '').padEnd(2, '0'));
  return cents <= MAX_CENTS ? cents : undefined;
}
