import {
  type BodyInput,
  createScopedKey,
  listScopedKeys,
  revokeScopedKey,
  rotateScopedKey,
  type ScopedKey,
  updateScopedKey,
} from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { updateCacheFrom } from '../../api/query.ts';

const scopedKeysQuery = queryOptions({
  queryKey: ['scoped-keys'],
  queryFn: async ({ signal }) => (await call(listScopedKeys, { signal })).keys,
});

/**
 * Applies the response of an operation to the cached list, so that a new key is listed before the list is fetched
 * again.
 */
const updateList = <Result>(
  operation: Promise<Result>,
  updateKeys: (keys: ScopedKey[], result: Result) => ScopedKey[],
) => updateCacheFrom(scopedKeysQuery.queryKey, operation, updateKeys);

/** Puts a new key at the top of the list. */
const withNewKey = (keys: ScopedKey[], { key }: { key: ScopedKey }) => [
  key,
  ...keys.filter(({ id }) => id !== key.id),
];

/** The scoped keys, which are one API key for each system of the merchant, and the operations on them. */
export function useScopedKeys() {
  return {
    query: useQuery(scopedKeysQuery),
    create: (body: BodyInput<typeof createScopedKey>) =>
      updateList(call(createScopedKey, { body }), withNewKey),
    update: (id: string, body: BodyInput<typeof updateScopedKey>) =>
      updateList(call(updateScopedKey, { params: { id }, body }), (keys, { key }) =>
        keys.map((scopedKey) => (scopedKey.id === id ? key : scopedKey)),
      ),
    rotate: (id: string, overlap_hours: number) =>
      updateList(call(rotateScopedKey, { params: { id }, body: { overlap_hours } }), withNewKey),
    revoke: (id: string) =>
      updateList(call(revokeScopedKey, { params: { id } }), (keys) =>
        keys.filter((scopedKey) => scopedKey.id !== id),
      ),
  };
}

export type ScopedKeys = ReturnType<typeof useScopedKeys>;
