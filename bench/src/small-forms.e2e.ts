import { expect, test } from 'vitest';
import { lentStack } from '../../e2e/stack.ts';
import { benches } from './benches.ts';
import { expectedOf } from './expected-counts.ts';
import { smallFormsBeside } from './run-small.ts';

test('every bench of a running product completes in its small form', async () => {
  const { url } = await lentStack();
  const beside = benches.filter(({ small }) => small.on === 'a product');
  expect(await smallFormsBeside(url, beside)).toEqual(expectedOf(beside.map(({ name }) => name)));
});
