import * as z from 'zod/mini';
import { centsOfAnswer } from './money.ts';

/*
 * Schemas for responses of any provider of the API, not only our own gateway: they accept every form in which a
 * provider may write a number or an id.
 */

/** A number: in JSON, or as text ("12.50"), because many database drivers return decimals as text. */
export const anyNumber = z.union([
  z.number(),
  z.pipe(z.string().check(z.regex(/^-?\d+(\.\d+)?$/)), z.transform(Number)),
]);

/** An amount in BRL, parsed into integer cents; 0 when missing. */
export const amount = z.pipe(
  z.nullish(anyNumber),
  z.transform((brl: number | null | undefined) => centsOfAnswer(brl ?? 0) ?? 0),
);
/** A count; 0 when missing. */
export const count = z.pipe(
  z.nullish(anyNumber),
  z.transform((value: number | null | undefined) => value ?? 0),
);

/** An id: a text, or a number, as some providers send it. */
export const id = z.union([z.string(), z.pipe(z.number(), z.transform(String))]);
