import { expect, expectTypeOf, test } from 'vitest';
import { paths } from '../app/paths.ts';
import type { ScreenTarget } from '../app/screen-searches.ts';
import { screenUrl, searchText, searchValues } from './address.ts';

test.each([
  [{}, ''],
  [{ status: 'paid', page: 3 }, '?status=paid&page=3'],
  [{ closing: true, search: undefined }, '?closing=true'],
  // Texts that would be read as a number or a word of JSON are in quotes.
  [{ user: '12', search: 'true', id: '"x"' }, '?user=%2212%22&search=%22true%22&id=%22%5C%22x%5C%22%22'],
  [{ search: 'João & filhos', action: 'user updated' }, '?search=Jo%C3%A3o+%26+filhos&action=user+updated'],
  [{ search: '' }, '?search='],
  [
    { id: '0000000a7f3a9c2e51d84b0aa6e2Ab12', from: '2026-10-01' },
    '?id=0000000a7f3a9c2e51d84b0aa6e2Ab12&from=2026-10-01',
  ],
])('the search parameters %j are written as %j, and read the same', (values, query) => {
  expect(searchText(values)).toBe(query);
  const { ...defined } = JSON.parse(JSON.stringify(values));
  expect(searchValues(query)).toEqual(defined);
});

test.each([
  ['?page=07&id=1e3', { page: '07', id: 1000 }],
  ['?search=a%20b&open=null', { search: 'a b', open: null }],
  ['?token=%7Bbroken', { token: '{broken' }],
  ['?__proto__=1&page', { ['__proto__']: 1, page: '' }],
])('%j, which anybody can write, is read as %j', (query, values) => {
  expect(Object.entries(searchValues(query))).toEqual(Object.entries(values));
});

test('a screen takes its own search parameters, and no others', () => {
  expect(screenUrl(paths.transactions, { status: 'paid' })).toBe('/transactions?status=paid');
  expectTypeOf<{ to: '/transactions'; search: { status: 'paid' } }>().toExtend<ScreenTarget>();
  expectTypeOf<{ to: '/transactions'; search: { status: 'lost' } }>().not.toExtend<ScreenTarget>();
  expectTypeOf<{ to: '/wallet'; search: { status: 'paid' } }>().not.toExtend<ScreenTarget>();
  expectTypeOf<{ to: '/nowhere' }>().not.toExtend<ScreenTarget>();
});
