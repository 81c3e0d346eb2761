import { expect, test } from 'vitest';
import { isTest, readSources } from './sources.ts';

const keyInText = /idempotency-?key'?: ['"]?([\w-]+)['"]/gi;

test('no idempotency key occurs twice in the documents, since readers try their examples one after the other', () => {
  const documents = [
    ...readSources('docs', '.md'),
    ...readSources('sdk', 'README.md'),
    ...readSources('examples', '.md', '.mjs', '.html'),
    ...readSources('contract/src/docs', '.ts').filter(({ path }) => !isTest(path)),
  ];
  const keys = documents.flatMap(({ path, text }) =>
    Array.from(text.matchAll(keyInText), ([, key = '']) => ({ path, key })),
  );
  expect(keys.length).toBeGreaterThan(4);
  const placesByKey = Map.groupBy(keys, ({ key }) => key).values();
  expect([...placesByKey].filter((places) => places.length > 1)).toEqual([]);
});
