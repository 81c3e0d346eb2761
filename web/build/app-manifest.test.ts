import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paths } from '../src/app/paths.ts';
import { rgbFromOklch } from '../src/theme/contrast.ts';
import { themeColours } from '../src/theme/theme-colours.ts';

const file = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url));

type Icon = { src: string; sizes: string; type: string; purpose?: string };
type Manifest = Record<string, string> & {
  icons: Icon[];
  shortcuts: { name: string; url: string; icons: Icon[] }[];
};
const manifest: Manifest = JSON.parse(file('public/app.webmanifest').toString());

test('the app is installed as Jangada, in Portuguese, and opens on the first screen in a window of its own', () => {
  expect(manifest).toMatchObject({
    id: '/',
    name: 'Jangada',
    short_name: 'Jangada',
    lang: 'pt-BR',
    start_url: paths.dashboard,
    scope: '/',
    display: 'standalone',
    theme_color: themeColours.corporate,
    background_color: themeColours.corporate,
  });
  expect(manifest.shortcuts.map(({ name, url }) => [name, url])).toEqual([
    ['Criar Pagamento', paths.pixPayment],
    ['Transações', paths.transactions],
  ]);
});

test('each icon is there and as large as the manifest says, and two sizes fill any shape', () => {
  const icons = [...manifest.icons, ...manifest.shortcuts.flatMap(({ icons }) => icons)];
  for (const { src, sizes, type } of icons) {
    const bytes = file(`public${src}`);
    if (type === 'image/svg+xml') expect(bytes.toString()).toContain('<svg');
    // Width and height of a PNG stand in its first chunk.
    else expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
  const sizesFor = (purpose: string | undefined) =>
    manifest.icons.filter((icon) => icon.purpose === purpose).map(({ sizes }) => sizes);
  expect(sizesFor(undefined)).toEqual(expect.arrayContaining(['192x192', '512x512']));
  expect(sizesFor('maskable')).toEqual(['192x192', '512x512']);
});

test.each(['corporate', 'dark'] as const)('around the page stands the ground of the theme %s', (theme) => {
  const tokens = file('src/theme/tokens.css').toString();
  const [, block = ''] = tokens.split(`[data-theme="${theme}"] {`);
  const [, ground = ''] = /--color-base-100: ([^;]+);/.exec(block) ?? [];
  const hex = rgbFromOklch(ground).map((linear) => {
    const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  });
  expect(`#${hex.join('')}`).toBe(themeColours[theme]);
});
