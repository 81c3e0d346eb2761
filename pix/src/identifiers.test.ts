import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alphanumericText } from '../test/arbitraries.ts';
import { PROPERTY_RUNS } from '../test/property-runs.ts';
import vectorFile from '../vectors/documents.json' with { type: 'json' };
import {
  formatEndToEndId,
  formatReturnId,
  isChargeTxid,
  isEndToEndId,
  isRecurrenceId,
  isReturnId,
  isStaticTxid,
  isTxid,
  parseEndToEndId,
} from './identifiers.ts';
import { PixRefusal } from './pix-refusal.ts';

const VALIDATORS: Record<string, (text: string) => boolean> = {
  endToEndId: isEndToEndId,
  rtrId: isReturnId,
  txid_cob: isChargeTxid,
  idRec: isRecurrenceId,
};

test.each(vectorFile.vectors.filter(({ type }) => type in VALIDATORS))(
  '$id $type $value is $valid',
  (vector) => {
    expect(VALIDATORS[vector.type]?.(vector.value)).toBe(vector.valid);
  },
);

test('every vector is of a type that some test uses', () => {
  const testedTypes = new Set([...Object.keys(VALIDATORS), 'cpf', 'cnpj', 'pix_key']);
  expect(vectorFile.vectors.filter(({ type }) => !testedTypes.has(type))).toEqual([]);
});

const parts = fc.record({
  ispb: fc.string({ unit: fc.constantFrom(...'0123456789ABCXYZ'), minLength: 8, maxLength: 8 }),
  at: fc
    .date({ min: new Date('0000-01-01T00:00Z'), max: new Date('9999-12-31T23:59Z'), noInvalidDate: true })
    .map((date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000)),
  suffix: alphanumericText(11, 11),
});

test('an id is made of its parts and read back into them', () => {
  fc.assert(
    fc.property(parts, (idParts) => {
      const id = formatEndToEndId(idParts);
      expect(isEndToEndId(id)).toBe(true);
      expect(parseEndToEndId(id)).toEqual(idParts);
      expect(formatReturnId(idParts)).toBe(`D${id.slice(1)}`);
      expect(isReturnId(formatReturnId(idParts))).toBe(true);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});

test('the minute is written in UTC', () => {
  const at = new Date('2026-03-01T22:07:59-03:00');
  expect(formatEndToEndId({ ispb: '12345678', at, suffix: 'abcdefghijk' })).toBe(
    'E12345678202603020107abcdefghijk',
  );
});

test.each([
  'E12345678202602301200abcdefghijk',
  'E12345678202602282400abcdefghijk',
  'E12345678202602281260abcdefghijk',
  'e12345678202602281200abcdefghijk',
  'E12345678202602281200abcdefghij-',
  'E12345678202602281200abcdefghijk\n',
  'D12345678202602281200abcdefghijk',
])('%j is no EndToEndId', (text) => {
  expect(isEndToEndId(text)).toBe(false);
  expect(() => parseEndToEndId(text)).toThrow(PixRefusal);
});

test.each([
  { ispb: '1234567' },
  { ispb: '1234567a' },
  { suffix: 'abc' },
  { at: new Date(Number.NaN) },
  { at: new Date('-000001-01-01T00:00Z') },
  { at: new Date('+010000-01-01T00:00Z') },
])('no id is made of %o', (change) => {
  const idParts = { ispb: '12345678', at: new Date(0), suffix: 'abcdefghijk', ...change };
  expect(() => formatEndToEndId(idParts)).toThrow(expect.objectContaining({ code: 'END_TO_END_ID_FORMAT' }));
  expect(() => formatReturnId(idParts)).toThrow(expect.objectContaining({ code: 'RETURN_ID_FORMAT' }));
});

test.each([
  [0, false, false, false],
  [1, true, true, false],
  [25, true, true, false],
  [26, true, false, true],
  [35, true, false, true],
  [36, false, false, false],
])(
  'a text of %d characters is a txid: %s, of a static code: %s, of a charge: %s',
  (length, isAny, isStatic, isOfCharge) => {
    const text = 'a'.repeat(length);
    expect([isTxid(text), isStaticTxid(text), isChargeTxid(text)]).toEqual([isAny, isStatic, isOfCharge]);
  },
);

test('the txid of a charge never fits a static code', () => {
  fc.assert(
    fc.property(alphanumericText(0, 40), (text) => {
      expect(isChargeTxid(text) && isStaticTxid(text)).toBe(false);
      expect(isTxid(text)).toBe(isChargeTxid(text) || isStaticTxid(text));
    }),
    { numRuns: PROPERTY_RUNS },
  );
  expect([isTxid('***'), isStaticTxid('a_b'), isChargeTxid('é'.repeat(30))]).toEqual([false, false, false]);
});
