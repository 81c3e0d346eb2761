import { expect, test } from 'vitest';
import { adminDisputesFilterFrom } from './list-filters.ts';

const id = '5e92fa10-2f60-4a53-9d0e-5a1b7c3e9f12';

test.each([
  ['12', 12],
  [12, 12],
  ['0', 0],
  [0, 0],
  ['u7', 'u7'],
])('the merchant %j of a dispute is read from the URL as %j', (user, parsedUser) => {
  expect(adminDisputesFilterFrom({ id, user })).toEqual({ id, user: parsedUser });
});

test('a dispute without its merchant, and a merchant without a dispute, are dropped', () => {
  expect(adminDisputesFilterFrom({ id })).toEqual({});
  expect(adminDisputesFilterFrom({ user: 12 })).toEqual({});
});
