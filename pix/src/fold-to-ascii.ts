import { PixRefusal } from './pix-refusal.ts';

/** Typographic characters, and the ASCII characters that stand for them. */
const TYPOGRAPHIC = new Map([
  ['‘', "'"],
  ['’', "'"],
  ['“', '"'],
  ['”', '"'],
  ['–', '-'],
  ['—', '-'],
]);

/**
 * Converts a text to printable ASCII, because the strictest payer apps refuse BR Codes with anything else
 * (bacen/pix-api issues 128, 634, 635). Removes accents, collapses white space and cuts the text to `maxLength`
 * characters. Throws `PixRefusal` EMPTY_TEXT for `field` if no characters are left.
 */
export function foldToAscii(text: string, maxLength: number, field?: string): string {
  let folded = '';
  for (const character of text) {
    if (folded.length >= maxLength) break;
    for (const letter of foldCharacter(character)) {
      if (letter !== ' ' || !(folded === '' || folded.endsWith(' '))) folded += letter;
    }
  }
  folded = folded.slice(0, maxLength).trim();
  if (folded === '')
    throw new PixRefusal('EMPTY_TEXT', 'Nothing printable in ASCII is left of the text', field);
  return folded;
}

/**
 * Converts one character to ASCII: a combining mark to an empty text, a character without an ASCII form to a space.
 * Normalising to NFKD first turns characters such as `º` and `ﬁ` into their letters.
 */
function foldCharacter(character: string): string {
  return (TYPOGRAPHIC.get(character) ?? character)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x21-\x7e]/gu, ' ');
}
