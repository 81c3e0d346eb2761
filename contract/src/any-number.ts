import * as z from 'zod/mini';
import { centsOfAnswer } from './money.ts';

/** A number of an answer: JSON's own, or as text ("12.50"), which is how decimals of a database reach many providers. */
export const anyNumber = z.union([
  z.number(),
  z.pipe(z.string().check(z.regex(/^-?\d+(\.\d+)?$/)), z.transform(Number)),
]);

/** An amount in BRL, read into integer cents; 0 where none is told. */
export const amount = z.pipe(
  z.nullish(anyNumber),
  z.transform((brl: number | null | undefined) => centsOfAnswer(brl ?? 0) ?? 0),
);
/** A count; 0 where none is told. */
export const count = z.pipe(
  z.nullish(anyNumber),
  z.transform((value: number | null | undefined) => value ?? 0),
);
