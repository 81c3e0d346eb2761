import { expect, test } from 'vitest';
import {
  feedFilterFrom,
  feedQueryOf,
  hasPeriodOrSearch,
  pageCountOf,
  rangeOf,
  summaryOf,
} from './feed-filter.ts';

const counted = (total: number) => ({ total, counted: true });

test('a whole filter is read from the URL', () => {
  const urlParams = {
    status: 'paid',
    page: '3',
    from: '2026-10-23',
    to: '2026-11-21',
    search: ' b307 ',
    id: 'x',
  };
  expect(feedFilterFrom(urlParams)).toEqual({
    status: 'paid',
    page: 3,
    from: '2026-10-23',
    to: '2026-11-21',
    search: 'b307',
    id: 'x',
  });
});

test('invalid values are dropped, so that a broken link still opens', () => {
  const urlParams = { status: 'stolen', page: '-1', from: '23/10', to: '2026-99-99', search: '', id: null };
  expect(feedFilterFrom(urlParams)).toEqual({});
  expect(feedFilterFrom({ page: 1 })).toEqual({});
  expect(feedFilterFrom({ page: 'NaN', search: 12 })).toEqual({ search: '12' });
});

test('a period that ends before it begins is reversed', () => {
  const urlParams = { from: '2026-11-21', to: '2026-10-23' };
  expect(feedFilterFrom(urlParams)).toEqual({ from: '2026-10-23', to: '2026-11-21' });
});

test('a page beyond the deepest one opens the deepest one', () => {
  expect(feedFilterFrom({ page: 5000 })).toEqual({ page: 1001 });
  expect(feedQueryOf({ page: 1001 }).offset).toBe(10_000);
  expect(pageCountOf(1_000_000)).toBe(1001);
});

test('a page has ten rows', () => {
  expect(feedQueryOf({})).toEqual({ offset: 0, limit: 10 });
  expect(feedQueryOf({ status: 'pending', page: 2 })).toEqual({ offset: 10, limit: 10, status: 'pending' });
  expect(pageCountOf(1405)).toBe(141);
  expect(pageCountOf(0)).toBe(1);
});

test('the summary shows the range of the rows and the total', () => {
  expect(summaryOf({}, 10, counted(1405))).toBe('Transações 1–10 de 1.405');
  expect(summaryOf({ page: 141 }, 5, counted(1405))).toBe('Transações 1.401–1.405 de 1.405');
  expect(rangeOf({}, 10, counted(1405))).toBe('1–10 de 1.405');
});

test('a list narrowed by a search or a period shows no total that was not counted', () => {
  expect(summaryOf({ search: 'b3' }, 10, counted(11))).toBe('Transações 1–10 de mais de 10');
  expect(summaryOf({ search: 'b3', page: 2 }, 4, counted(14))).toBe('Transações 11–14 de 14');
  expect(hasPeriodOrSearch({ status: 'paid' })).toBe(false);
  expect(hasPeriodOrSearch({ from: '2026-10-23' })).toBe(true);
});
