import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildStale } from '../../../tools/build.ts';
import { sizesOf, sumOf } from './body.ts';
import { assetsOf } from './built-page.ts';

describe('of the built dashboard', () => {
  const dist = fileURLToPath(new URL('../../../web/dist', import.meta.url));

  beforeAll(buildStale);

  test.for([
    ['login.html', 130_000],
    ['register.html', 130_000],
    // It is read without a script: what it has of one is for copying.
    ['docs.html', 12_000],
  ] as const)('%s needs at most %d bytes of JS and CSS, gzipped', ([page, budgetBytes]) => {
    const assets = assetsOf(dist, page);
    const kinds = new Set(assets.map(({ path }) => path.split('.').at(-1)));
    expect([...kinds].sort()).toEqual(['css', 'js']);
    expect(sumOf(assets.map(({ body }) => sizesOf(body, 'text'))).gzip).toBeLessThanOrEqual(budgetBytes);
  });
});

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

  test('is what its HTML names and what its scripts import statically, each once', () => {
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

  test('must be there: a page that names a file of another build has no weight', () => {
    write({ 'page.html': '<script type="module" src="/assets/gone.js"></script>' });
    expect(() => assetsOf(dist, 'page.html')).toThrow('gone.js');
  });
});
