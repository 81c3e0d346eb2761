// The parts of the payers' pages that compute something: the text colour on a merchant's colour, and the QR code.

import { generate } from 'lean-qr';
import { expect, test } from 'vitest';
import { brandStyle, textColourOn } from './brand-style.ts';
import { darkRunsPath } from './qr-code.tsx';

/** The relative luminance of WCAG 2.2, computed here independently of the code under test. */
const linearChannel = (value: number) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const luminanceOf = (rgb: readonly number[]) =>
  rgb.reduce((sum, value, index) => sum + linearChannel(value) * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);

test('text on any colour that a merchant chooses has a contrast of at least 4.5', () => {
  const steps = Array.from({ length: 16 }, (_, step) => step * 17);
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const rgb = [red, green, blue];
        const colour = `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
        const textLuminance = textColourOn(colour) === '#ffffff' ? 1 : 0;
        const [darker = 0, lighter = 0] = [luminanceOf(rgb), textLuminance].sort((a, b) => a - b);
        expect((lighter + 0.05) / (darker + 0.05), colour).toBeGreaterThanOrEqual(4.5);
      }
});

test('only a colour of six lower-case hexadecimal digits becomes a style', () => {
  expect(brandStyle('#ffcc00')).toBe(':root{--brand:#ffcc00;--brand-content:#000000}');
  for (const invalid of ['red', '#fc0', '#FFCC00', '#ffcc00}*{color:red', ''])
    expect(() => brandStyle(invalid)).toThrow(RangeError);
});

test('the lines of a QR Code cover its dark modules and no other', () => {
  const qr = generate('00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986');
  const drawnModules = new Set<string>();
  // Follows the pen along the path: `M` moves it to a module, `m` moves it on, and `h` draws a run of modules.
  let [x, y] = [0, 0];
  for (const [, move, first = '', second = ''] of darkRunsPath(qr).matchAll(/([Mmh])(\d+)(?: ([\d.]+))?/g)) {
    if (move === 'M') [x, y] = [Number(first), Number(second) - 0.5];
    else if (move === 'm') x += Number(first);
    else for (const end = x + Number(first); x < end; x += 1) drawnModules.add(`${x} ${y}`);
  }
  const darkModules = new Set<string>();
  for (let row = 0; row < qr.size; row += 1)
    for (let column = 0; column < qr.size; column += 1)
      if (qr.get(column, row)) darkModules.add(`${column} ${row}`);
  expect(darkModules.size).toBeGreaterThan(100);
  expect(drawnModules).toEqual(darkModules);
});
