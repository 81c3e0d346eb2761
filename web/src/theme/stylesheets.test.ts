import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const source = new URL('../', import.meta.url);

/** Every component that `file` draws, itself included: its relative .tsx imports, followed, late ones too. */
function drawnBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(new URL(file, source), 'utf8');
  for (const [, path = ''] of text.matchAll(/(?:from |import\()'(\.[^']+\.tsx)'/g)) {
    drawnBy(new URL(path, new URL(file, source)).href.slice(source.href.length), seen);
  }
  return seen;
}

test.each([
  ['public.css', 'prerender.tsx'],
  ['docs.css', 'features/api-docs/public-docs.tsx'],
  ['checkout.css', 'checkout/render-page.tsx'],
  ['offline.css', 'offline/offline-page.tsx'],
])('%s is made from what its prerendered pages draw, and from nothing else', (stylesheet, drawn) => {
  const css = readFileSync(new URL(`./${stylesheet}`, import.meta.url), 'utf8');
  const sources = [...css.matchAll(/@source "\.\.\/([^"]+)";/g)].map(([, path]) => path);
  expect(sources.toSorted()).toEqual([...drawnBy(drawn)].toSorted());
});

const folder = new URL('./', import.meta.url);

test('no rule reaches from the page with a :has() into it: each change of the page would restyle all of it', () => {
  const sheets = readdirSync(folder).filter((file) => file.endsWith('.css'));
  const rules = sheets.flatMap((file) =>
    [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(
        /^\s*((?:html|body|:root)[^{;]*:has\([^{;]*)\{/gm,
      ),
    ].map(([, selector = '']) => selector.trim()),
  );
  expect(rules.length).toBeGreaterThan(0);
  // Without what stands in parentheses, a selector for what stands inside has a gap.
  const bare = (selector: string) => selector.replace(/\((?:[^()]|\([^()]*\))*\)/g, '');
  expect(rules.filter((selector) => /\S[\s>+~]+\S/.test(bare(selector)))).toEqual([]);
});
