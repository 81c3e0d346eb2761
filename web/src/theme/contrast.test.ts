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

const TEXT = 4.5;
const SHAPE = 3;
const grounds = ['base-100', 'base-200', 'raised', 'hover'];
const tinted = ['primary', 'success', 'warning', 'error', 'slate', 'grey'];

const pairs: [ink: string, ground: string, least: number][] = [
  ...['base-content', 'muted', ...tinted].flatMap((ink) =>
    grounds.map((ground): [string, string, number] => [ink, ground, TEXT]),
  ),
  ...tinted.map((ink): [string, string, number] => [ink, `${ink}-tint`, TEXT]),
  ...tinted.map((ink): [string, string, number] => ['muted', `${ink}-tint`, TEXT]),
  ...tinted.flatMap((ink): [string, string, number][] => [
    [`${ink}-glyph`, 'base-100', SHAPE],
    [`${ink}-glyph`, `${ink}-tint`, SHAPE],
  ]),
  ...['base-100', 'base-200', 'raised'].map((ground): [string, string, number] => ['control', ground, SHAPE]),
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
  test.each(pairs)('%s on %s reaches %d', (ink, ground, least) => {
    expect(contrast(colour(ink), colour(ground))).toBeGreaterThanOrEqual(least);
  });
});

test('the computation agrees with published ratios', () => {
  const white: Rgb = [1, 1, 1];
  expect(contrast(white, [0, 0, 0])).toBe(21);
  // oklch(44% 0.09 236) is #0c597d, whose contrast to white is 7.7.
  expect(contrast(white, rgbFromOklch('oklch(44% 0.09 236)'))).toBeCloseTo(7.7, 1);
});
