import * as z from 'zod/mini';

/**
 * Characters that change the reading direction of surrounding text (Unicode 17, 23.2), and control characters except
 * line breaks and tabs. With them, a text can look to a payer or an administrator like a different text.
 */
const misleadingCharacter = /(?![\n\r\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A check that refuses misleading characters, for texts that somebody other than their author reads. */
export function withoutMisleadingCharacters(
  message = 'O texto tem caracteres invisíveis que mudam o que se lê.',
) {
  return z.refine<string>((text) => !misleadingCharacter.test(text), message);
}
