import * as z from 'zod/mini';
import { centsFromResponse } from './money.ts';

/*
 * Schemas for responses of any provider of the API, not only of our own gateway. They accept every form in which a
 * provider may send a number or an id.
 */

/** A JSON number, or a number as text ("12.50"), because many database drivers return decimals as text. */
export const anyNumber = z.union([
  z.number(),
  z.pipe(z.string().check(z.regex(/^-?\d+(\.\d+)?$/)), z.transform(Number)),
]);

/** An amount in BRL, converted to integer cents; 0 if it is missing. */
export const anyAmountAsCents = z.pipe(
  z.nullish(anyNumber),
  z.transform((brl: number | null | undefined) => centsFromResponse(brl ?? 0) ?? 0),
);
/** A count; 0 if it is missing. */
export const anyCount = z.pipe(
  z.nullish(anyNumber),
  z.transform((value: number | null | undefined) => value ?? 0),
);

/** An id as text. Some providers send ids as numbers. */
export const anyId = z.union([z.string(), z.pipe(z.number(), z.transform(String))]);
