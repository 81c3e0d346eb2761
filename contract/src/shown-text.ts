import * as z from 'zod/mini';

/**
 * Characters that change the reading direction of surrounding text (Unicode 17, 23.2), and control characters except
 * line breaks and tabs. They could make a text look like another one to whoever reads it: a payer, or an administrator.
 */
const misleading = /(?![\n\r\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The check of a text that somebody other than its author reads: it contains no misleading characters. */
export function showsAsWritten(rule = 'O texto tem caracteres invisíveis que mudam o que se lê.') {
  return z.refine<string>((text) => !misleading.test(text), rule);
}
