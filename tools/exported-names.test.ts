import { expect, test } from 'vitest';
import { isTest, sources } from './sources.ts';

/** The client's types are generated from the contract, and the client must not import other workspaces. */
const copy = 'sdk/src/contract.ts';
/** The exports in this file are part of its printed text. */
const printer = 'tools/db-types.ts';

test("an exported type's name is unique in the repository", () => {
  const places = new Map<string, string[]>();
  for (const { path, text } of sources('', '.ts', '.tsx')) {
    if (isTest(path) && !path.startsWith('bench/src/') && !path.startsWith('e2e/')) continue;
    if (path === copy || path === printer) continue;
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
