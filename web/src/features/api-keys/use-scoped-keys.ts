import {
  type BodyInput,
  createScopedKey,
  listScopedKeys,
  revokeScopedKey,
  rotateScopedKey,
  updateScopedKey,
} from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';

const scopedKeysQuery = queryOptions({
  queryKey: ['scoped-keys'],
  queryFn: async ({ signal }) => (await call(listScopedKeys, { signal })).keys,
});

async function changed<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  await queryClient.invalidateQueries(scopedKeysQuery);
  return given;
}

/** A new key is shown this once: at once, and not when the list has come. */
async function made<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  void queryClient.invalidateQueries(scopedKeysQuery);
  return given;
}

/** The keys of the merchant's systems, and what can be done with them; the list is read anew after each. */
export function useScopedKeys() {
  return {
    query: useQuery(scopedKeysQuery),
    create: (body: BodyInput<typeof createScopedKey>) => made(call(createScopedKey, { body })),
    update: (id: string, body: BodyInput<typeof updateScopedKey>) =>
      changed(call(updateScopedKey, { params: { id }, body })),
    rotate: (id: string, overlap_hours: number) =>
      made(call(rotateScopedKey, { params: { id }, body: { overlap_hours } })),
    revoke: (id: string) => changed(call(revokeScopedKey, { params: { id } })),
  };
}

export type ScopedKeys = ReturnType<typeof useScopedKeys>;
