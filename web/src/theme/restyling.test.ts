import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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
