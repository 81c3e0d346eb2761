import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('without options everything is measured in full', () => {
  expect(readOptions([])).toMatchObject({ plan: { quick: false }, only: undefined, profile: undefined });
});

test('options may be combined', () => {
  expect(readOptions(['--only', 'create,lone-payment', '--quick', '--profile', 'there'])).toMatchObject({
    plan: { quick: true, rounds: 1 },
    only: ['create', 'lone-payment'],
    profile: 'there',
  });
});

test('an unknown option is refused with a list of the valid ones', () => {
  expect(() => readOptions(['--only', 'nothing'])).toThrow('There are: one-per-call, hundred-per-call');
  expect(() => readOptions(['--fast'])).toThrow('There are --quick');
  expect(() => readOptions(['--only'])).toThrow('--only needs a value');
});
