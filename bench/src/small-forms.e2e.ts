import { expect, test } from 'vitest';
import { borrowStack } from '../../e2e/stack.ts';
import { benches } from './benches.ts';
import { expectedCountsOf } from './expected-counts.ts';
import { runSmallFormsOnProduct } from './run-benches.ts';

test('every bench of a running product completes in its small form', async () => {
  const { url } = await borrowStack();
  const onProduct = benches.filter(({ smallForm }) => smallForm?.target === 'running product');
  const expected = expectedCountsOf(onProduct.map(({ name }) => name));
  expect(await runSmallFormsOnProduct(url, onProduct)).toEqual(expected);
});
