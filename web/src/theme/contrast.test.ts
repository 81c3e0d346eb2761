// Every colour of the theme is legible on each background on which it is used.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrast, type Rgb, rgbFromOklch } from './contrast.ts';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** The colours that one theme declares, by name. */
function coloursOf(theme: 'corporate' | 'dark'): Map<string, Rgb> {
  const [, block = ''] = css.split(`[data-theme="${theme}"] {`);
  const declarations = (block.split('}')[0] ?? '').matchAll(/--color-([\w-]+): (oklch\([^)]*\));/g);
  return new Map([...declarations].map(([, name = '', value = '']) => [name, rgbFromOklch(value)]));
}

/** The minimum contrasts of text and of shapes (WCAG 2.2, level AA). */
const TEXT = 4.5;
const SHAPE = 3;
const backgrounds = ['base-100', 'base-200', 'raised', 'hover'];
/** The colours that have a tint of their own, which is used as a background. */
const tintedColours = ['primary', 'success', 'warning', 'error', 'slate', 'grey'];

const pairs: [colour: string, background: string, minContrast: number][] = [
  ...['base-content', 'muted', ...tintedColours].flatMap((name) =>
    backgrounds.map((background): [string, string, number] => [name, background, TEXT]),
  ),
  ...tintedColours.map((name): [string, string, number] => [name, `${name}-tint`, TEXT]),
  ...tintedColours.map((name): [string, string, number] => ['muted', `${name}-tint`, TEXT]),
  ...tintedColours.flatMap((name): [string, string, number][] => [
    [`${name}-glyph`, 'base-100', SHAPE],
    [`${name}-glyph`, `${name}-tint`, SHAPE],
  ]),
  ...['base-100', 'base-200', 'raised'].map((background): [string, string, number] => [
    'control',
    background,
    SHAPE,
  ]),
  ['primary-dim', 'base-100', SHAPE],
  ['primary-content', 'primary', TEXT],
  ['success-content', 'success', TEXT],
  ['warning-content', 'warning', TEXT],
  ['error-content', 'error', TEXT],
  ['base-100', 'base-content', TEXT],
];

describe.each(['corporate', 'dark'] as const)('%s', (theme) => {
  const colours = coloursOf(theme);
  const colour = (name: string): Rgb => {
    const found = colours.get(name);
    if (found === undefined) throw new Error(`${theme} has no ${name}`);
    return found;
  };
  test.each(pairs)('%s on %s reaches %d', (name, background, minContrast) => {
    expect(contrast(colour(name), colour(background))).toBeGreaterThanOrEqual(minContrast);
  });
});

test('the computation agrees with published ratios', () => {
  const white: Rgb = [1, 1, 1];
  expect(contrast(white, [0, 0, 0])).toBe(21);
  // oklch(44% 0.09 236) is #0c597d, whose contrast to white is 7.7.
  expect(contrast(white, rgbFromOklch('oklch(44% 0.09 236)'))).toBeCloseTo(7.7, 1);
});
