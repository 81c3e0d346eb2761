import { expect, test } from 'vitest';
import { historyFilterFrom, historyQueryOf, replacementPage } from './history-filter.ts';

test('a filter is read from the URL, and invalid values are dropped', () => {
  expect(historyFilterFrom({ status: 'failed', page: '3', id: 'w1' })).toEqual({
    status: 'failed',
    page: 3,
    id: 'w1',
  });
  expect(historyFilterFrom({ status: 'paid', page: 'x', id: '' })).toEqual({});
  expect(historyFilterFrom({ page: 1 })).toEqual({});
  expect(historyFilterFrom({ page: 1e9 })).toEqual({ page: 1000 });
});

test('a page of ten is requested, with its status', () => {
  expect(historyQueryOf({})).toEqual({ page: 1, pageSize: 10 });
  expect(historyQueryOf({ page: 2, status: 'pending', id: 'w1' })).toEqual({
    page: 2,
    pageSize: 10,
    status: 'pending',
  });
});

test('a page beyond the end opens the last one', () => {
  const emptyPage = { withdrawals: [], total: 31, limit: 10 };
  expect(replacementPage({ page: 9 }, emptyPage)).toBe(4);
  expect(replacementPage({ page: 4 }, emptyPage)).toBeUndefined();
  expect(replacementPage({ page: 9 }, { ...emptyPage, total: 0 })).toBeUndefined();
});
