import { documentedEndpoints } from '@jangada/contract/docs';
import { expect, test } from 'vitest';
import { operations } from '../src/contract.ts';
import { printContract } from './print-contract.ts';

test('the client’s types match the contract (vitest -u reprints them)', async () => {
  await expect(printContract()).toMatchFileSnapshot('../src/contract.ts');
});

test('every call available to an API key is in the client', () => {
  const promised = documentedEndpoints.map(({ name, method, path, idempotent = false }) => [
    name,
    { method, path, keyed: idempotent },
  ]);
  expect(operations).toEqual(Object.fromEntries(promised));
});
