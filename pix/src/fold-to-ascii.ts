import { PixRefusal } from './pix-refusal.ts';

const TYPOGRAPHIC = new Map([
  ['‘', "'"],
  ['’', "'"],
  ['“', '"'],
  ['”', '"'],
  ['–', '-'],
  ['—', '-'],
]);

/**
 * A text as a BR Code may carry it: printable ASCII, accents dropped, white space collapsed, cut to
 * `maxLength` characters. Strict payer apps refuse anything else (bacen/pix-api issues 128, 634, 635).
 * Compatibility decomposition keeps what `1º` and `ﬁ` say. Throws `PixRefusal` EMPTY_TEXT when nothing is left.
 */
export function foldToAscii(text: string, maxLength: number, field?: string): string {
  const folded = text
    .replace(/[‘’“”–—]/g, (mark) => TYPOGRAPHIC.get(mark) ?? ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, maxLength)
    .trim();
  if (folded === '')
    throw new PixRefusal('EMPTY_TEXT', 'Nothing printable in ASCII is left of the text', field);
  return folded;
}
