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

/** A new key is shown without waiting for the list. */
const changed = <Answer>(
  answer: Promise<Answer>,
  change: (keys: ScopedKey[], answer: Answer) => ScopedKey[],
) => updateCacheFrom(scopedKeysQuery.queryKey, answer, change);

const withNew = (keys: ScopedKey[], { key }: { key: ScopedKey }) => [
  key,
  ...keys.filter(({ id }) => id !== key.id),
];

/** The keys of the merchant's systems, and what can be done with them. */
export function useScopedKeys() {
  return {
    query: useQuery(scopedKeysQuery),
    create: (body: BodyInput<typeof createScopedKey>) => changed(call(createScopedKey, { body }), withNew),
    update: (id: string, body: BodyInput<typeof updateScopedKey>) =>
      changed(call(updateScopedKey, { params: { id }, body }), (keys, { key }) =>
        keys.map((one) => (one.id === id ? key : one)),
      ),
    rotate: (id: string, overlap_hours: number) =>
      changed(call(rotateScopedKey, { params: { id }, body: { overlap_hours } }), withNew),
    revoke: (id: string) =>
      changed(call(revokeScopedKey, { params: { id } }), (keys) => keys.filter((one) => one.id !== id)),
  };
}

export type ScopedKeys = ReturnType<typeof useScopedKeys>;
