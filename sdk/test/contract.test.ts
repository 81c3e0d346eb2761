import { documentedEndpoints } from '@jangada/contract/docs';
import { expect, test } from 'vitest';
import { operations } from '../src/contract.ts';
import { printContract } from './print-contract.ts';

test('the client’s types are those of the contract (vitest -u prints them anew)', async () => {
  await expect(printContract()).toMatchFileSnapshot('../src/contract.ts');
});

test('every call that a key may make is one of the client’s', () => {
  const promised = documentedEndpoints.map(({ name, method, path, idempotent = false }) => [
    name,
    { method, path, keyed: idempotent },
  ]);
  expect(operations).toEqual(Object.fromEntries(promised));
});
