import { expect, test } from 'vitest';
import {
  controlRatios,
  hasStableControls,
  type MeasuredWithControls,
  type Round,
  validMeasurementsOf,
  voidingReasons,
} from './judge-round.ts';
import type { Measured } from './measure-figure.ts';
import { summarize } from './summarize.ts';

const measurement = (changes: Partial<Measured>): Measured => ({
  kind: 'settle',
  name: 'one',
  acknowledged: 1000,
  seconds: 1,
  perSecond: 1000,
  latencyMs: { p50: 1, p99: 2, highest: 3 },
  backlogMs: 0,
  processorMsPerThousand: { gateway: 1, postgres: 2, bank: 3, load: 4 },
  faults: [],
  ...changes,
});
const withControls = (
  before: number,
  after: number,
  changes: Partial<Measured> = {},
): MeasuredWithControls => ({
  ...measurement(changes),
  controls: { before, after },
});
const round = (figures: MeasuredWithControls[], faults: string[] = []): Round => ({ figures, faults });
const figure = {
  kind: 'create',
  name: 'one',
  label: 'one',
  target: 1,
  connections: 1,
  picture: false,
  preparedPerSecond: 1,
} as const;

test('a figure does not count where the controls before and after it differ by more than a quarter of the lower one', () => {
  expect(hasStableControls(withControls(4000, 5000))).toBe(true);
  expect(hasStableControls(withControls(5000, 4000))).toBe(true);
  expect(hasStableControls(withControls(4000, 5001))).toBe(false);
  expect(hasStableControls(withControls(6000, 4000))).toBe(false);
  expect(hasStableControls(withControls(0, 4000))).toBe(false);
});

test('unstable controls around one figure do not void the other figures of the round', () => {
  const noisy = round([withControls(100, 100, { name: 'a' }), withControls(100, 200, { name: 'b' })]);
  expect(voidingReasons(noisy)).toEqual([]);
  expect(validMeasurementsOf('a', [noisy])).toHaveLength(1);
  expect(validMeasurementsOf('b', [noisy])).toEqual([]);
});

test('a failed call or wrong books void the whole round, and are named', () => {
  const faulty = round(
    [withControls(100, 100, { name: 'x', faults: ['3 answers 503'] }), withControls(100, 100)],
    ['books'],
  );
  expect(voidingReasons(faulty)).toEqual(['x: 3 answers 503', 'books']);
  expect(validMeasurementsOf('one', [faulty])).toEqual([]);
});

test('a ratio is relative to the mean of the controls around the figure, and its median is taken over rounds', () => {
  const rounds = [
    round([withControls(900, 1100, { perSecond: 500 })]),
    round([withControls(450, 550, { perSecond: 1000 })]),
    round([withControls(1000, 1000, { perSecond: 900 })]),
    round([withControls(1000, 2000, { perSecond: 9000 })]),
  ];
  const [summary] = summarize([figure, { ...figure, name: 'never measured' }], rounds);
  expect(summary?.ratio).toEqual({ median: 0.9, lowest: 0.5, highest: 2 });
  expect(summary?.perSecond).toEqual({ median: 900, lowest: 500, highest: 1000 });
  expect(summary?.counted).toBe(3);
  expect(summarize([{ ...figure, name: 'never measured' }], rounds)).toEqual([]);
});

test('the noise of the control is each slice relative to the mean of the slices before and after it', () => {
  expect(
    controlRatios([round([withControls(100, 150), withControls(150, 200), withControls(200, 200)])]),
  ).toEqual([1, 200 / 175]);
  expect(controlRatios([round([withControls(100, 150)]), round([])])).toEqual([]);
});
