import { expect, test } from 'vitest';
import { isTest, readSources } from './sources.ts';

/**
 * The types of the API's client are a printed copy of the contract's, since the client may import no other
 * workspace.
 */
const printedCopy = 'sdk/src/contract.ts';
/** A file that contains exports only as text to print. */
const printer = 'tools/db-types.ts';

test("an exported type's name is unique in the repository", () => {
  const places = new Map<string, string[]>();
  for (const { path, text } of readSources('', '.ts', '.tsx')) {
    if (isTest(path) && !path.startsWith('bench/src/') && !path.startsWith('e2e/')) continue;
    if (path === printedCopy || path === printer) continue;
    for (const [, name = ''] of text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm,
    ))
      places.set(name, [...(places.get(name) ?? []), path]);
  }
  const shared = [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`);
  expect(shared).toEqual([]);
});
