import * as z from 'zod/mini';

/** The largest amount that any field of the API accepts, in cents (R$ 10 billion less a cent): far below 2^53. */
export const MAX_CENTS = 999_999_999_999;

/**
 * Converts a BRL amount of the API (a JSON number with at most two decimals) to integer cents.
 * Returns undefined if it is not an exact number of cents, or if its absolute value exceeds `cap`.
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
 * Converts a BRL amount or sum of a response to integer cents, rounded to the nearest cent, because a provider may use
 * more decimals. Unlike an amount of a request, it may exceed MAX_CENTS. Undefined if its cents are no exact integer.
 */
export function centsOfAnswer(brl: number): number | undefined {
  const cents = Math.round(100 * brl);
  return Number.isSafeInteger(cents) ? cents : undefined;
}

/** Converts a rate in hundredths of a percent (0.99 % = 99) to the percent number of the API, and back. */
export function percentFromRate(rate: number): number {
  return rate / 100;
}

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

/** A positive BRL amount in a request. The operation, not this schema, refuses zero and below, with its own message. */
export const positiveBrl = brl.check();

/** A BRL amount to be charged. */
export const chargeBrl = brl.check();

/** A balance or other sum in BRL in a response: it may exceed the largest amount that a request may contain. */
export const brlSum = anyBrl.check(isWholeCents);

/** A balance sent back in order to change it: any amount that a response contained is accepted. */
export const balanceBrl = brlSum.check();

/** A percentage of the API, 0 to 100, with at most two decimals. */
export const percent = z.number({ error: 'Informe um percentual, como 0.99.' }).check(
  z.minimum(0, 'O percentual não pode ser negativo.'),
  z.maximum(100, 'O percentual não pode passar de 100.'),
  z.refine((value) => rateFromPercent(value) !== undefined, 'Use no máximo duas casas decimais.'),
);

/**
 * Parses an amount as typed in Brazil ("1.250,00", "R$ 86,4", "12") to integer cents; undefined for
 * anything else. No fraction passes through floating point.
 */
export function centsFromText(text: string): number | undefined {
  const parts = /^(?:R\$\s*)?(\d{1,3}(?:\.\d{3})+|\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (parts?.[1] === undefined) return undefined;
  const cents = Number(parts[1].replaceAll('.', '') + (parts[2] ?? '').padEnd(2, '0'));
  return cents <= MAX_CENTS ? cents : undefined;
}
