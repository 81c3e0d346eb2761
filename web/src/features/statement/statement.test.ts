import type { StatementLineModel } from '@jangada/contract';
import { expect, test } from 'vitest';
import { statementFilterFrom } from './statement-filter.ts';
import { groupByDay } from './statement-table.tsx';

const line = (id: string, at: string, balanceCents: number | null): StatementLineModel => ({
  id,
  at,
  kind: 'payment',
  description: 'Pagamento recebido',
  amountCents: 100,
  grossCents: null,
  feeCents: null,
  reservedCents: null,
  balanceCents,
  subject: null,
});

test('days change at midnight in São Paulo, and a day’s balance is that of its last movement', () => {
  const days = groupByDay([
    line('c', '2026-11-22T03:00:00Z', 300),
    line('b', '2026-11-22T02:59:59Z', 200),
    line('a', '2026-11-21T03:00:00Z', 100),
  ]);
  expect(days.map(({ day, lines, balanceCents }) => [day, lines.map(({ id }) => id), balanceCents])).toEqual([
    ['2026-11-22', ['c'], 300],
    ['2026-11-21', ['b', 'a'], 200],
  ]);
});

test('a complete filter is read from the URL', () => {
  const urlParams = { account: 'blocked', kind: 'dispute', from: '2026-10-01', to: '2026-10-31' };
  expect(statementFilterFrom(urlParams)).toEqual(urlParams);
});

test('invalid values are dropped, and any balance may be asked for', () => {
  const urlParams = { account: 'available', kind: 'bribes', from: 'ontem', to: '2026-10-31', page: 3 };
  expect(statementFilterFrom(urlParams)).toEqual({ account: 'available', to: '2026-10-31' });
  expect(statementFilterFrom({ account: 'fees' })).toEqual({});
});
