import { expect, test } from 'vitest';
import { isTest, sources } from './sources.ts';

/** The client's types are printed from the contract, and the client itself may import nobody. */
const copy = 'sdk/src/contract.ts';
/** It prints what it seems to export. */
const printer = 'tools/db-types.ts';

test('an exported type has its name alone: one name has one meaning', () => {
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
