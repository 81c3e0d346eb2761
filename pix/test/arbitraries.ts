import fc from 'fast-check';
import { isCnpj, isCpf, type StaticBrCodeInput } from '../src/index.ts';

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function textOf(alphabet: string, minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength, size: 'max' });
}

/**
 * Appends valid check digits, found by trial so that the generator does not repeat the algorithm under test. Returns undefined if
 * no check digits are valid.
 */
function withCheckDigits(base: string, isValid: (text: string) => boolean): string | undefined {
  return Array.from({ length: 100 }, (_, pair) => base + String(pair).padStart(2, '0')).find(isValid);
}

function documents(base: fc.Arbitrary<string>, isValid: (text: string) => boolean): fc.Arbitrary<string> {
  return base.map((text) => withCheckDigits(text, isValid)).filter((document) => document !== undefined);
}

export const alphanumericText = (min: number, max: number) => textOf(ALPHANUMERIC, min, max);
export const cpfs = documents(textOf('0123456789', 9, 9), isCpf);
export const cnpjs = documents(textOf(ALPHANUMERIC.slice(0, 36), 12, 12), isCnpj);
export const phones = fc
  .tuple(textOf('123456789', 2, 2), fc.constantFrom('9', '2', '3'), textOf('0123456789', 8, 8))
  .map(([area, first, rest]) => `+55${area}${first}${first === '9' ? rest : rest.slice(1)}`);
export const emails = fc
  .tuple(alphanumericText(1, 30), alphanumericText(1, 20), alphanumericText(2, 10))
  .map(([name, host, top]) => `${name}@${host}.${top}`.toLowerCase());
export const canonicalKeys = fc.oneof(cpfs, cnpjs, phones, emails, fc.uuid());

/** Any text of which something is left after folding it to printable ASCII. */
export const names = fc
  .tuple(
    fc.string({ unit: 'grapheme', maxLength: 40, size: 'max' }),
    fc.constantFrom('a', 'Ç', 'São Tomé', "D'Ávila"),
  )
  .map(([padding, printable]) => padding + printable + padding)
  .filter((text) => text.isWellFormed());

export const urls = fc
  .tuple(fc.constantFrom('pix.example.com', 'localhost:5001', 'qr-h.example.com.br'), alphanumericText(1, 50))
  .map(([host, path]) => `${host}/v2/${path}`);

const merchant = {
  merchantName: names,
  merchantCity: names,
  postalCode: fc.option(textOf('0123456789', 8, 8), { nil: undefined }),
};
const amountCents = fc.option(fc.integer({ min: 1, max: 999_999_999_999 }), { nil: undefined });

export const staticInputs: fc.Arbitrary<StaticBrCodeInput> = fc.record({
  ...merchant,
  amountCents,
  key: canonicalKeys,
  txid: fc.option(alphanumericText(1, 25), { nil: undefined }),
  info: fc.option(alphanumericText(1, 90), { nil: undefined }),
  reusable: fc.boolean(),
});

export const dynamicInputs = fc.record({
  ...merchant,
  amountCents,
  url: urls,
  recurrenceUrl: fc.option(urls, { nil: undefined }),
  reusable: fc.boolean(),
});

export const recurrenceInputs = fc.record({ ...merchant, recurrenceUrl: urls });
