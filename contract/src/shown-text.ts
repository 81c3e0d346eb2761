import * as z from 'zod/mini';

/**
 * Characters that turn the direction in which the text around them is read (Unicode 17, 23.2), and control characters but
 * for line ends and tabs. They would let one text look like another to who reads it: a payer, or an administrator.
 */
const misleading = /(?![\n\r\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** For a text that somebody else reads than who wrote it. */
export function showsAsWritten(rule = 'O texto tem caracteres invisíveis que mudam o que se lê.') {
  return z.refine<string>((text) => !misleading.test(text), rule);
}
