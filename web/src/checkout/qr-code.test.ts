import { generate } from 'lean-qr';
import { expect, test } from 'vitest';
import { rowsOf } from './qr-code.tsx';

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
