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
 * Folds a text to what a BR Code may contain: printable ASCII, without accents, with white space collapsed, cut to
 * `maxLength` characters. Strict payer apps refuse anything else (bacen/pix-api issues 128, 634, 635). Throws
 * `PixRefusal` EMPTY_TEXT, with `field`, when nothing is left.
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
 * Returns an empty text for a combining mark, and a space for a character without an ASCII form. Normalising to NFKD
 * first keeps the letters of characters such as `º` and `ﬁ`.
 */
function foldCharacter(character: string): string {
  return (TYPOGRAPHIC.get(character) ?? character)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x21-\x7e]/gu, ' ');
}
