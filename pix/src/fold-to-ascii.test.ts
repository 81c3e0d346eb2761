import fc from 'fast-check';
import { expect, test } from 'vitest';
import { names } from '../test/arbitraries.ts';
import { PROPERTY_RUNS } from '../test/property-runs.ts';
import { foldToAscii } from './fold-to-ascii.ts';

test('a folded text is printable ASCII within the limit, without spare white space, and folds to itself', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 40 }), (text, maxLength) => {
      const folded = foldToAscii(text, maxLength);
      expect(folded.length).toBeLessThanOrEqual(maxLength);
      expect(folded).toMatch(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/);
      expect(foldToAscii(folded, maxLength)).toBe(folded);
    }),
    { numRuns: PROPERTY_RUNS },
  );
});

test.each([
  ['São João do Açaí', 25, 'Sao Joao do Acai'],
  ['  Padaria \t do\u00a0Zé ', 25, 'Padaria do Ze'],
  ['D’Ávila – 1º Ofício', 25, "D'Avila - 1o Oficio"],
  ['Loja 🚣 Jangada', 25, 'Loja Jangada'],
  ['São Miguel do Oeste', 15, 'Sao Miguel do O'],
  ['abcd efgh', 5, 'abcd'],
  ['㎲㎲', 3, 's s'],
])('%s in %d characters is %s', (text, maxLength, folded) => {
  expect(foldToAscii(text, maxLength)).toBe(folded);
});

test('a text that folds to nothing is refused', () => {
  expect(() => foldToAscii('船 🚣', 25, 'merchantName')).toThrow(
    expect.objectContaining({ code: 'EMPTY_TEXT', field: 'merchantName' }),
  );
});
