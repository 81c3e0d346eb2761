import { expect, test } from 'vitest';
import { EngineReceiver } from './engine-receiver.ts';
import { playMany } from './play-many.ts';

/*
 * Plays random lives of mandates against the rule book and judges the engine of subscriptions. A violation names the seed of
 * its group. With LONG=1: 100,000 mandates of 24 cycles.
 */
const MANDATES = process.env['LONG'] ? 100_000 : 2_000;

test('the engine of subscriptions keeps every guarantee, whatever payers, banks and networks do', () => {
  const { broken, outcomes } = playMany(MANDATES, () => new EngineReceiver());
  expect(Object.fromEntries(broken)).toEqual({});
  expect([...outcomes.keys()].sort()).toEqual([
    'given up: cancelled',
    'given up: not-sent',
    'given up: rejected',
    'given up: unpaid',
    'never begun',
    'not-due',
    'paid',
  ]);
});
