import { expect, test } from 'vitest';
import { isWithin } from './json-bounds.ts';

const bounds = { depth: 3, values: 6 };

test.each([
  ['a value', '1'],
  ['as deep as may be', '[{"a":[1]}]'],
  ['side by side', '[[],[],[]]'],
  ['as many values as may be', '[1,2,3,4,5,6]'],
  ['marks in a text', '{"a":"[[[[{{{{,,,,,,,,,"}'],
  ['marks behind an escaped quote', '{"a\\"[[[[":"\\\\\\"[[[[,,,,,,,,"}'],
  ['a text that ends in a backslash', '["\\\\","[[[["]'],
  ['a text without an end, which no parser takes', '["[[[['],
])('%s is within the bounds', (_name, json) => {
  expect(isWithin(json, bounds)).toBe(true);
});

test.each([
  ['too deep lists', '[[[[]]]]'],
  ['too deep objects', '{"a":{"b":{"c":{}}}}'],
  ['too deep behind texts', '["\\\\\\"",[[[1]]]]'],
  ['too many values', '[1,2,3,4,5,6,7]'],
  ['too many empty ones', '[[],[],[],[],[]]'],
  ['an endless text', '['.repeat(100_000)],
])('%s is not within the bounds', (_name, json) => {
  expect(isWithin(json, bounds)).toBe(false);
});
