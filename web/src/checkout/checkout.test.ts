import { generate } from 'lean-qr';
import { expect, test } from 'vitest';
import { brandStyle, inkOn } from './brand-style.ts';
import { rowsOf } from './qr-code.tsx';

const channel = (value: number) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const light = (rgb: readonly number[]) =>
  rgb.reduce((sum, value, at) => sum + channel(value) * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0);

test('text on any colour that a merchant chooses has a contrast of at least 4.5', () => {
  const steps = Array.from({ length: 16 }, (_, step) => step * 17);
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const rgb = [red, green, blue];
        const colour = `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
        const ink = inkOn(colour) === '#ffffff' ? 1 : 0;
        const [low = 0, high = 0] = [light(rgb), ink].sort((a, b) => a - b);
        expect((high + 0.05) / (low + 0.05), colour).toBeGreaterThanOrEqual(4.5);
      }
});

test('only a colour becomes a style', () => {
  expect(brandStyle('#ffcc00')).toBe(':root{--brand:#ffcc00;--brand-content:#000000}');
  for (const other of ['red', '#fc0', '#FFCC00', '#ffcc00}*{color:red', ''])
    expect(() => brandStyle(other)).toThrow(RangeError);
});

test('the lines of a QR Code cover its dark modules and no other', () => {
  const qr = generate('00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986');
  const drawn = new Set<string>();
  let [x, y] = [0, 0];
  for (const [, move, first = '', second = ''] of rowsOf(qr).matchAll(/([Mmh])(\d+)(?: ([\d.]+))?/g)) {
    if (move === 'M') [x, y] = [Number(first), Number(second) - 0.5];
    else if (move === 'm') x += Number(first);
    else for (const end = x + Number(first); x < end; x += 1) drawn.add(`${x} ${y}`);
  }
  const dark = new Set<string>();
  for (let row = 0; row < qr.size; row += 1)
    for (let column = 0; column < qr.size; column += 1) if (qr.get(column, row)) dark.add(`${column} ${row}`);
  expect(dark.size).toBeGreaterThan(100);
  expect(drawn).toEqual(dark);
});
