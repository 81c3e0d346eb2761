import { expect, test } from 'vitest';
import { pageCountOf, pageFrom } from './url-params.ts';

test('pages are counted by the list’s own limit, as far as they can be opened', () => {
  expect(pageCountOf({ total: 0, limit: 10 })).toBe(1);
  expect(pageCountOf({ total: 31, limit: 10 })).toBe(4);
  expect(pageCountOf({ total: 1e9, limit: 10 })).toBe(1000);
  expect(pageCountOf({ total: 1e9, limit: 10 }, 100)).toBe(100);
});

test.each([undefined, '', 'x', '1', 0, -3, 2.5])('the page %j of a URL means the first', (page) => {
  expect(pageFrom({ page })).toEqual({});
});

test('a page beyond the limit becomes the last one', () => {
  expect(pageFrom({ page: '3' })).toEqual({ page: 3 });
  expect(pageFrom({ page: 1e9 })).toEqual({ page: 1000 });
});
