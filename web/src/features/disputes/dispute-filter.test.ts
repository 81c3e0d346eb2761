import { expect, test } from 'vitest';
import { disputeFilterFrom } from './dispute-filter.ts';

test('a filter is read from the URL, without invalid values', () => {
  expect(disputeFilterFrom({ status: 'open', page: '2', id: 'd1' })).toEqual({
    status: 'open',
    page: 2,
    id: 'd1',
  });
  expect(disputeFilterFrom({ status: 'stolen', page: 0, id: null })).toEqual({});
  expect(disputeFilterFrom({ page: 'NaN' })).toEqual({});
});
