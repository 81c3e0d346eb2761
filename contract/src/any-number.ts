import * as z from 'zod/mini';

/** A number of an answer: JSON's own, or as text ("12.50"), which is how decimals of a database reach many providers. */
export const anyNumber = z.union([
  z.number(),
  z.pipe(z.string().check(z.regex(/^-?\d+(\.\d+)?$/)), z.transform(Number)),
]);
