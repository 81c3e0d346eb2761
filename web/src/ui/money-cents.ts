// What a text means while a user types an amount into a money field. Amounts are integer cents.

/** Parses a complete amount in reais, written as people write it, into cents. Any other text gives undefined. */
export type ReadAmount = (text: string) => number | undefined;

const reaisFormat = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The text that a money field shows for its cents: "1.250,00" for 125000, and "" for null. */
export function textFromCents(cents: number | null): string {
  return cents === null ? '' : reaisFormat.format(cents / 100);
}

/**
 * The cents of digits that are typed without a separator: each digit enters at the right, so "125" is 125 cents. A text
 * without digits, or an amount of more than `maxCents`, gives null.
 */
export function centsFromDigits(text: string, maxCents: number): number | null {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  if (digits === '') return /\d/.test(text) ? 0 : null;
  const cents = Number(digits);
  return cents > maxCents ? null : cents;
}

/**
 * The new text of a field at whose end a separator was typed. The digits before that separator become whole reais:
 * "1,50," becomes "150,", and "," becomes "0,".
 */
export function wholeReaisFromTyped(text: string): string {
  const wholeReais = text.replace(/\D/g, '').replace(/^0+/, '');
  return wholeReais === '' ? '0,' : `${wholeReais}${text.slice(-1)}`;
}

/**
 * The cents of an amount that is typed with a separator or after the sign R$. The amount may be incomplete: "150,",
 * "150,5", "R$ 20". Any other text gives undefined.
 */
export function centsFromReais(text: string, readAmount: ReadAmount): number | undefined {
  // `readAmount` parses only complete amounts, so a separator at the end is left out.
  const beforeSeparator = /^((?:R\$\s*)?(?:\d{1,3}(?:\.\d{3})+|\d+))[.,]$/.exec(text)?.[1];
  return readAmount(beforeSeparator ?? text);
}

/** True for the currency sign R$, or a part of it, without an amount after it. */
export function isCurrencySign(text: string): boolean {
  return /^(?:R|R?\$)\s*$/i.test(text);
}
