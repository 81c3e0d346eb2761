import { expect, test } from 'vitest';
import { isWithinJsonBounds } from './json-bounds.ts';

const bounds = { depth: 3, values: 6 };

test.each([
  ['a value', '1'],
  ['a list of the maximum depth', '[{"a":[1]}]'],
  ['a list of lists side by side', '[[],[],[]]'],
  ['a list with the maximum number of values', '[1,2,3,4,5,6]'],
  ['brackets and commas in a text', '{"a":"[[[[{{{{,,,,,,,,,"}'],
  ['brackets and commas after an escaped quote', '{"a\\"[[[[":"\\\\\\"[[[[,,,,,,,,"}'],
  ['a text that ends in a backslash', '["\\\\","[[[["]'],
  ['a text without an end, which the parser refuses', '["[[[['],
])('within the bounds: %s', (_name, json) => {
  expect(isWithinJsonBounds(json, bounds)).toBe(true);
});

test.each([
  ['lists too deep', '[[[[]]]]'],
  ['objects too deep', '{"a":{"b":{"c":{}}}}'],
  ['lists too deep after texts', '["\\\\\\"",[[[1]]]]'],
  ['too many values', '[1,2,3,4,5,6,7]'],
  ['too many empty lists', '[[],[],[],[],[]]'],
  ['very many opening brackets', '['.repeat(100_000)],
])('not within the bounds: %s', (_name, json) => {
  expect(isWithinJsonBounds(json, bounds)).toBe(false);
});
