import { expect, test } from 'vitest';
import { amountAxis, dateTicks, plotWithin, yScale } from './axis.ts';
import { stepPath } from './step-chart.tsx';

const plot = plotWithin(1080, 128, 8);
const formatLabel = (amount: number, isTop: boolean) => `${isTop ? 'R$ ' : ''}${amount / 100}`;

test('an axis has round amounts, and the highest value is at the top of the plot', () => {
  const axis = amountAxis([120_000, 315_000, 45_000], 3, formatLabel);
  const y = yScale(axis, plot);
  expect(axis.ticks).toEqual([0, 100_000, 200_000, 300_000]);
  expect(axis.labels).toEqual(['0', '1000', '2000', 'R$ 3000']);
  expect(y(0)).toBe(plot.bottom);
  expect(y(315_000)).toBe(plot.top);
});

test('a value far above the last gridline adds a gridline', () => {
  const axis = amountAxis([290_000], 3, formatLabel);
  expect(axis.ticks.at(-1)).toBe(300_000);
  expect(yScale(axis, plot)(300_000)).toBe(plot.top);
});

test('days without money leave one line at zero', () => {
  const axis = amountAxis([0, 0, 0], 3, formatLabel);
  expect(axis.ticks).toEqual([0]);
  expect(yScale(axis, plot)(0)).toBe(plot.bottom);
});

test('the longer the amount labels, the more space the plot leaves at its left', () => {
  expect(plotWithin(500, 128, 12).left).toBeGreaterThan(plotWithin(500, 128, 6).left);
});

test('dates count back from today by weeks, and in a chart of one week by days', () => {
  expect(dateTicks(30, plot)).toEqual([29, 22, 15, 8, 1]);
  expect(dateTicks(7, plot)).toEqual([6, 5, 4, 3, 2, 1, 0]);
});

test('dates are never closer than the minimum gap', () => {
  const narrow = plotWithin(318, 128, 8);
  const ticks = dateTicks(90, narrow);
  const dayWidth = (narrow.right - narrow.left) / 90;
  expect(ticks[0]).toBe(89);
  for (const [index, tick] of ticks.slice(1).entries())
    expect(((ticks[index] ?? 0) - tick) * dayWidth).toBeGreaterThanOrEqual(44);
});

test('a balance keeps its value until the next one', () => {
  expect(
    stepPath([
      { x: 0, y: 9 },
      { x: 5, y: 4 },
      { x: 10, y: 7 },
    ]),
  ).toBe('M0 9H5V4H10V7');
  expect(stepPath([])).toBe('');
});
