import { expect, test } from 'vitest';
import { statementFilterFrom } from './statement-filter.ts';

test('a whole filter is read from the address', () => {
  const address = { account: 'blocked', kind: 'dispute', from: '2026-10-01', to: '2026-10-31' };
  expect(statementFilterFrom(address)).toEqual(address);
});

test('what does not fit is left out, and the available balance needs no name', () => {
  const address = { account: 'available', kind: 'bribes', from: 'ontem', to: '2026-10-31', page: 3 };
  expect(statementFilterFrom(address)).toEqual({ to: '2026-10-31' });
  expect(statementFilterFrom({ account: 'fees' })).toEqual({});
});
