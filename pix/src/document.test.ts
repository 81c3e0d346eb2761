import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cnpjs, cpfs } from '../test/arbitraries.ts';
import { PROPERTY_RUNS } from '../test/property-runs.ts';
import vectorFile from '../vectors/documents.json' with { type: 'json' };
import {
  formatCnpj,
  formatCpf,
  formatDocument,
  isCnpj,
  isCpf,
  maskDocument,
  normalizeDocument,
} from './document.ts';

const numRuns = PROPERTY_RUNS;
const VALIDATORS: Record<string, (text: string) => boolean> = { cpf: isCpf, cnpj: isCnpj };
const documents = vectorFile.vectors.filter(({ type }) => type in VALIDATORS);

test.each(documents)('$id $type $value is $valid as given, $valid_normalized without mask', (vector) => {
  const normalized = normalizeDocument(vector.value);
  expect(normalized).toBe(vector.normalized);
  expect(VALIDATORS[vector.type]?.(vector.value)).toBe(vector.valid);
  expect(VALIDATORS[vector.type]?.(normalized)).toBe(vector.valid_normalized);
});

test('the example of Receita Federal is a CNPJ in its mask', () => {
  expect(isCnpj('12.ABC.345/01DE-35')).toBe(true);
  expect(formatCnpj('12abc34501de35')).toBe('12.ABC.345/01DE-35');
});

const digits = (count: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: count, maxLength: count });
const cnpjTexts = fc
  .tuple(
    fc.string({
      unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
      minLength: 12,
      maxLength: 12,
    }),
    digits(2),
  )
  .map(([base, check]) => base + check);
const isAllEqual = (text: string) => new Set(text).size === 1;

test('another implementation agrees on every CPF', () => {
  fc.assert(
    fc.property(fc.oneof(digits(11), cpfs), (text) => {
      expect(isCpf(text)).toBe(isValidCpf(text));
    }),
    { numRuns },
  );
});

test('another implementation agrees on every numeric and alphanumeric CNPJ that is not one character repeated', () => {
  const texts = fc.oneof(digits(14), cnpjTexts, cnpjs).filter((text) => !isAllEqual(text));
  fc.assert(
    fc.property(texts, (text) => {
      expect(isCnpj(text)).toBe(isValidCnpj(text, { version: 2 }));
    }),
    { numRuns },
  );
});

test('documents of one repeated character are refused', () => {
  for (const character of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    expect(isCpf(character.repeat(11))).toBe(false);
    expect(isCnpj(character.repeat(14))).toBe(false);
  }
});

// Modulus 11 maps the remainders 0 and 1 to the same digit 0, so the check digits cannot detect every change. A wrong last
// digit is always detected.
test('a wrong last digit is detected', () => {
  fc.assert(
    fc.property(fc.oneof(cpfs, cnpjs), fc.integer({ min: 1, max: 9 }), (document, step) => {
      const changed = document.slice(0, -1) + ((Number(document.at(-1)) + step) % 10);
      expect(isCpf(changed) || isCnpj(changed)).toBe(false);
    }),
    { numRuns },
  );
});

test('adding and removing a mask loses nothing', () => {
  fc.assert(
    fc.property(cpfs, cnpjs, (cpf, cnpj) => {
      expect(normalizeDocument(formatCpf(cpf))).toBe(cpf);
      expect(normalizeDocument(formatCnpj(cnpj))).toBe(cnpj);
      expect(isCpf(formatDocument(cpf)) && isCnpj(formatDocument(cnpj))).toBe(true);
    }),
    { numRuns },
  );
});

test('letters outside ASCII are not turned into letters that a CNPJ may contain', () => {
  expect(normalizeDocument('ſıK')).toBe('ſıK');
});

test('a text that is not shaped like a document is left unformatted', () => {
  expect(formatDocument('abc')).toBe('abc');
  expect(formatCpf('11222333000181')).toBe('11222333000181');
});

test('a masked CPF shows only its middle digits, and an unknown document shows nothing', () => {
  expect(maskDocument('12345678909')).toBe('***.456.789-**');
  expect(maskDocument('123.456.789-09')).toBe('***.456.789-**');
  expect(maskDocument('***.456.789-**')).toBe('***.456.789-**');
  expect(maskDocument('12abc34501de35')).toBe('12.ABC.345/01DE-35');
  expect(maskDocument('1234567890')).toBe('***');
  expect(maskDocument('***.456.789-09')).toBe('***');
});
