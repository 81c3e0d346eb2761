import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const source = new URL('../', import.meta.url);

/**
 * The component files that `file` renders, and `file` itself: all .tsx files that `file` imports, statically or
 * dynamically, and those that they import in turn.
 */
function renderedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(new URL(file, source), 'utf8');
  for (const [, path = ''] of text.matchAll(/(?:from |import\()'(\.[^']+\.tsx)'/g)) {
    renderedBy(new URL(path, new URL(file, source)).href.slice(source.href.length), seen);
  }
  return seen;
}

test.each([
  ['public.css', 'prerender.tsx'],
  ['docs.css', 'features/api-docs/public-docs.tsx'],
  ['checkout.css', 'checkout/render-page.tsx'],
  ['offline.css', 'offline/offline-page.tsx'],
])('%s lists exactly the files that its prerendered pages render', (stylesheet, entry) => {
  const css = readFileSync(new URL(`./${stylesheet}`, import.meta.url), 'utf8');
  const sources = [...css.matchAll(/@source "\.\.\/([^"]+)";/g)].map(([, path]) => path);
  expect(sources.toSorted()).toEqual([...renderedBy(entry)].toSorted());
});

const folder = new URL('./', import.meta.url);

test('no rule styles descendants of a page-wide :has(), because every change would restyle the whole page', () => {
  const sheets = readdirSync(folder).filter((file) => file.endsWith('.css'));
  const rules = sheets.flatMap((file) =>
    [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(
        /^\s*((?:html|body|:root)[^{;]*:has\([^{;]*)\{/gm,
      ),
    ].map(([, selector = '']) => selector.trim()),
  );
  expect(rules.length).toBeGreaterThan(0);
  // Without its parentheses, a selector has a gap or a sign between two parts only where it styles another element.
  const bare = (selector: string) => selector.replace(/\((?:[^()]|\([^()]*\))*\)/g, '');
  expect(rules.filter((selector) => /\S[\s>+~]+\S/.test(bare(selector)))).toEqual([]);
});
