import { expect, test } from 'vitest';
import { isTest, sources } from './sources.ts';

const written = /idempotency-?key'?: ['"]?([\w-]+)['"]/gi;

test('no two documents use the same idempotency key with different bodies, since readers try them one after the other', () => {
  const documents = [
    ...sources('docs', '.md'),
    ...sources('sdk', 'README.md'),
    ...sources('examples', '.md', '.mjs', '.html'),
    ...sources('contract/src/docs', '.ts').filter(({ path }) => !isTest(path)),
  ];
  const shown = documents.flatMap(({ path, text }) =>
    Array.from(text.matchAll(written), ([, key = '']) => ({ path, key })),
  );
  expect(shown.length).toBeGreaterThan(4);
  const places = Map.groupBy(shown, ({ key }) => key).values();
  expect([...places].filter((those) => those.length > 1)).toEqual([]);
});
