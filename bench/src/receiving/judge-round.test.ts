import { expect, test } from 'vitest';
import { type Round, reasonsAgainst } from './judge-round.ts';
import type { Measured } from './measure-figure.ts';
import { summarize } from './summarize.ts';

const measured = (more: Partial<Measured>): Measured => ({
  kind: 'settle',
  name: 'one',
  acknowledged: 1000,
  seconds: 1,
  perSecond: 1000,
  latencyMs: { p50: 1, p99: 2, highest: 3 },
  backlogMs: 0,
  processorMsPerThousand: { gateway: 1, postgres: 2, bank: 3, load: 4 },
  faults: [],
  ...more,
});
const round = (before: number, after: number, figures: Measured[] = [], faults: string[] = []): Round => ({
  controls: { before, after },
  figures,
  faults,
});
const figure = {
  kind: 'create',
  name: 'one',
  label: 'one',
  target: 1,
  connections: 1,
  picture: false,
  preparedPerSecond: 1,
} as const;

test('a round whose controls differ by more than a quarter of the lower is void, whichever is higher', () => {
  expect(reasonsAgainst(round(4000, 5000))).toEqual([]);
  expect(reasonsAgainst(round(5000, 4000))).toEqual([]);
  expect(reasonsAgainst(round(4000, 5001))).toEqual(['the controls differ by 25 % (more than 25 %)']);
  expect(reasonsAgainst(round(6000, 4000))).toEqual(['the controls differ by 50 % (more than 25 %)']);
  expect(reasonsAgainst(round(0, 4000))).toHaveLength(1);
});

test('a call that failed or books that are wrong make a round void, and are named', () => {
  const bad = round(100, 100, [measured({ name: 'x', faults: ['3 answers 503'] }), measured({})], ['books']);
  expect(reasonsAgainst(bad)).toEqual(['x: 3 answers 503', 'books']);
});

test('a ratio is to the mean of the controls of its own round, and the median is over rounds', () => {
  const rounds = [
    round(900, 1100, [measured({ perSecond: 500 })]),
    round(400, 600, [measured({ perSecond: 1000 })]),
    round(1000, 1000, [measured({ perSecond: 900 })]),
  ];
  const [summary] = summarize([figure, { ...figure, name: 'never measured' }], rounds);
  expect(summary?.ratio).toEqual({ median: 0.9, lowest: 0.5, highest: 2 });
  expect(summary?.perSecond).toEqual({ median: 900, lowest: 500, highest: 1000 });
  expect(summarize([{ ...figure, name: 'never measured' }], rounds)).toEqual([]);
});
