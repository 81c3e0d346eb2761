const CPF_FORM = /^\d{11}$|^\d{3}\.\d{3}\.\d{3}-\d{2}$/;
const CNPJ_FORM = /^[\dA-Z]{12}\d{2}$|^[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2}$/;
/** Documents of a single repeated digit pass the check digits, but are never issued. */
const ALL_EQUAL = /^(.)\1*$/;

/**
 * Computes the check digit of a text by modulus 11. The weights run from 2 at the end of the text up to the highest,
 * and then start over at 2. A character's value is its ASCII code minus 48.
 */
function checkDigit(text: string, highestWeight: number): string {
  let weight = 2;
  let sum = 0;
  for (let index = text.length - 1; index >= 0; index--) {
    sum += (text.charCodeAt(index) - 48) * weight;
    weight = weight === highestWeight ? 2 : weight + 1;
  }
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}

function hasCheckDigits(document: string, highestWeight: number): boolean {
  const first = checkDigit(document.slice(0, -2), highestWeight);
  const second = checkDigit(document.slice(0, -2) + first, highestWeight);
  return !ALL_EQUAL.test(document) && document.endsWith(first + second);
}

/**
 * Removes the mask from a CPF or CNPJ: drops white space, `.`, `-` and `/`, and upper-cases a to z. Does not
 * validate. Only ASCII letters change case: by the rules of Unicode `ſ` and `ı` would become the letters S and I.
 */
export function normalizeDocument(text: string): string {
  return text.replace(/[\s.\-/]/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Whether a text is a CPF (a person's tax number) with correct check digits, bare or in its mask `000.000.000-00`. */
export function isCpf(text: string): boolean {
  return CPF_FORM.test(text) && hasCheckDigits(normalizeDocument(text), 11);
}

/**
 * Whether a text is a CNPJ (a company's tax number) with correct check digits, numeric or alphanumeric (IN RFB
 * 2.229/2024), in upper case, bare or in its mask `00.000.000/0000-00`.
 */
export function isCnpj(text: string): boolean {
  return CNPJ_FORM.test(text) && hasCheckDigits(normalizeDocument(text), 9);
}

/** Formats a CPF with its mask; returns a text without the shape of a CPF unchanged. */
export function formatCpf(text: string): string {
  const document = normalizeDocument(text);
  return /^\d{11}$/.test(document) ? document.replace(/^(...)(...)(...)/, '$1.$2.$3-') : text;
}

/** Formats a CNPJ with its mask; returns a text without the shape of a CNPJ unchanged. */
export function formatCnpj(text: string): string {
  const document = normalizeDocument(text);
  return /^[\dA-Z]{12}\d{2}$/.test(document)
    ? document.replace(/^(..)(...)(...)(....)/, '$1.$2.$3/$4-')
    : text;
}

/**
 * Formats a CPF or CNPJ with its mask. Their lengths differ, so no type is needed. Returns any other text unchanged.
 */
export function formatDocument(text: string): string {
  return formatCnpj(formatCpf(text));
}

/**
 * Formats a document as a receipt shows it to others. Of a CPF only the middle six digits remain (`***.456.789-**`). A
 * CNPJ is public and stays complete. A CPF that a bank has already masked is returned unchanged, and any other text as
 * `***`.
 */
export function maskDocument(text: string): string {
  const formatted = formatDocument(text);
  if (/^\d{3}\.\d{3}\.\d{3}-\d{2}$/.test(formatted)) return `***${formatted.slice(3, 12)}**`;
  if (/^\*{3}\.\d{3}\.\d{3}-\*{2}$/.test(text) || CNPJ_FORM.test(formatted)) return formatted;
  return '***';
}
