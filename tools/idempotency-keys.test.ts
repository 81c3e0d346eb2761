import { expect, test } from 'vitest';
import { isTest, sources } from './sources.ts';

const keyInText = /idempotency-?key'?: ['"]?([\w-]+)['"]/gi;

test('no idempotency key occurs twice in the documents, since readers try their examples one after the other', () => {
  const documents = [
    ...sources('docs', '.md'),
    ...sources('sdk', 'README.md'),
    ...sources('examples', '.md', '.mjs', '.html'),
    ...sources('contract/src/docs', '.ts').filter(({ path }) => !isTest(path)),
  ];
  const keys = documents.flatMap(({ path, text }) =>
    Array.from(text.matchAll(keyInText), ([, key = '']) => ({ path, key })),
  );
  expect(keys.length).toBeGreaterThan(4);
  const placesByKey = Map.groupBy(keys, ({ key }) => key).values();
  expect([...placesByKey].filter((places) => places.length > 1)).toEqual([]);
});
