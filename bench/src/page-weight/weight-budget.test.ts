import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PaymentPage, RenderedPage } from '@jangada/contract';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildStaleWorkspaces } from '../../../tools/build.ts';
import { sizesOf, sumOf } from './body.ts';
import { assetsOf } from './built-page.ts';

describe('the built dashboard', () => {
  const dist = fileURLToPath(new URL('../../../web/dist', import.meta.url));

  beforeAll(buildStaleWorkspaces);

  test.for([
    ['login.html', 92_200],
    ['register.html', 101_500],
    // The page works without its script, which only copies examples.
    ['docs.html', 12_000],
  ] as const)('%s needs at most %d bytes of JS and CSS, gzipped', ([page, budgetBytes]) => {
    const assets = assetsOf(dist, page);
    const kinds = new Set(assets.map(({ path }) => path.split('.').at(-1)));
    expect([...kinds].sort()).toEqual(['css', 'js']);
    expect(sumOf(assets.map(({ body }) => sizesOf(body, 'text'))).gzip).toBeLessThanOrEqual(budgetBytes);
  });

  test.for([
    ['/dashboard', 182_700],
    ['/wallet', 174_400],
    ['/transactions', 178_300],
  ] as const)(
    '%s needs at most %d bytes of JS and CSS, gzipped, before its figures',
    ([path, budgetBytes]) => {
      const screens: Record<string, string[]> = JSON.parse(readFileSync(join(dist, 'screens.json'), 'utf8'));
      const announced = screens[path] ?? [];
      expect(announced.length).toBeGreaterThan(0);
      const bodies = [
        ...assetsOf(dist, 'index.html').map(({ body }) => body),
        ...announced.map((script) => readFileSync(join(dist, script))),
      ];
      expect(sumOf(bodies.map((body) => sizesOf(body, 'text'))).gzip).toBeLessThanOrEqual(budgetBytes);
    },
  );

  // Payer pages are rendered on each visit: HTML with inlined styles, and one small script.
  test('a payment page needs at most 16 kB with its styles and its script, gzipped, and a script of 15 kB', async () => {
    const { renderPage } = await import(join(dist, 'checkout', 'render.js'));
    const drawn: RenderedPage = renderPage(payment, { bankUrl: 'http://localhost:3001' });
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(drawn.html) ?? [];
    const source = readFileSync(join(dist, script));
    expect(source.length).toBeLessThanOrEqual(15_000);
    const needed = [Buffer.from(drawn.html), source].map((body) => sizesOf(body, 'text'));
    expect(sumOf(needed).gzip).toBeLessThanOrEqual(16_000);
  });
});

const payment: PaymentPage = {
  kind: 'payment',
  payee: {
    name: 'Empório Capibaribe',
    legalName: 'Empório Capibaribe Comércio Ltda',
    document: { type: 'CNPJ', text: '12.345.678/0001-95' },
    colour: '#0c597d',
    logo: null,
  },
  id: '0000000a7f3a9c2e51d84b0aa6e2Ab12',
  state: 'waiting',
  amountCents: 125_000,
  due: null,
  description: 'Pedido 1043',
  code: '00020101021226930014br.gov.bcb.pix2571qr.example.com/v2/cobv/9d36b84fc70b478fb95c12729b90ca255204000053039865802BR5918EMPORIO CAPIBARIBE6006RECIFE62070503***6304A13F',
  nameInCode: null,
  institution: 'Banco Sandbox',
  now: '2026-11-22T12:00:00.000Z',
  expiresAt: '2026-11-22T12:30:00.000Z',
  paidAt: null,
  endToEndId: null,
  successUrl: null,
  linkUrl: null,
};

describe('what a page needs', () => {
  let dist = '';

  beforeEach(() => {
    dist = mkdtempSync(join(tmpdir(), 'jangada-bench-'));
    mkdirSync(join(dist, 'assets'));
  });

  afterEach(() => rmSync(dist, { recursive: true, force: true }));

  function write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text);
  }

  test('is what the HTML names and what the scripts import statically, each once', () => {
    write({
      'page.html': `<link rel="stylesheet" crossorigin href="/assets/all.css"><link rel="icon" href="/icon.svg">
        <link rel="modulepreload" href="/assets/shared.js"><script type="module" src="/assets/main.js"></script>`,
      'assets/all.css': 'a{}',
      'assets/main.js': 'import{a as t}from"./shared.js";import"./effect.js";t(()=>import("./later.js"));',
      'assets/shared.js': 'export*from"./deep.js";',
      'assets/effect.js': 'import{b}from"../assets/shared.js";b()',
      'assets/deep.js': 'export const a=1,b=2',
      'assets/later.js': 'export const never=1',
    });
    const paths = assetsOf(dist, 'page.html').map(({ path }) => path);
    const expected = ['all.css', 'deep.js', 'effect.js', 'main.js', 'shared.js'];
    expect(paths.sort()).toEqual(expected.map((name) => `/assets/${name}`));
  });

  test('must exist: a page that references a missing file is an error', () => {
    write({ 'page.html': '<script type="module" src="/assets/gone.js"></script>' });
    expect(() => assetsOf(dist, 'page.html')).toThrow('gone.js');
  });
});
