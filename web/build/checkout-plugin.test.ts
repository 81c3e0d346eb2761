import { expect, test } from 'vitest';
import { byPreference } from './checkout-plugin.ts';

test('the dark theme is the browser’s preference on a screen, and never on paper', () => {
  expect(byPreference(':root,[data-theme=corporate]{--a:1}[data-theme=dark]{--a:2}p{}')).toBe(
    ':root,[data-theme=corporate]{--a:1}@media screen and (prefers-color-scheme:dark){:root{--a:2}}p{}',
  );
  expect(() => byPreference(':root{--a:1}')).toThrow('dark theme');
});
