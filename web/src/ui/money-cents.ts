/** Parses an amount as people write it into cents; undefined for anything else. */
export type ReadAmount = (text: string) => number | undefined;

const reais = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The text of a money field for its cents: 125000 → "1.250,00"; null → "". */
export function centsAsTyped(cents: number | null): string {
  return cents === null ? '' : reais.format(cents / 100);
}

/**
 * The cents for typed digits, each of which shifts in from the right: "125" → 125. An empty text, or more than
 * `maxCents`, is null.
 */
export function centsFromDigits(text: string, maxCents: number): number | null {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  if (digits === '') return /\d/.test(text) ? 0 : null;
  const cents = Number(digits);
  return cents > maxCents ? null : cents;
}

/**
 * The text after a separator was typed at the end: the digits so far become whole reais, followed by that separator.
 * "1,50," → "150,"; "," → "0,".
 */
export function wholeFromTyped(text: string): string {
  const wholeReais = text.replace(/\D/g, '').replace(/^0+/, '');
  return wholeReais === '' ? '0,' : `${wholeReais}${text.slice(-1)}`;
}

/**
 * The cents of an amount typed with a separator or after R$, even if its cents are incomplete: "150,", "150,5", "R$
 * 20"; else undefined.
 */
export function centsFromReais(text: string, readAmount: ReadAmount): number | undefined {
  const beforeSeparator = /^((?:R\$\s*)?(?:\d{1,3}(?:\.\d{3})+|\d+))[.,]$/.exec(text)?.[1];
  return readAmount(beforeSeparator ?? text);
}

/** True for the currency sign R$ or its beginning, with no amount after it yet. */
export function isSignOfReais(text: string): boolean {
  return /^(?:R|R?\$)\s*$/i.test(text);
}
