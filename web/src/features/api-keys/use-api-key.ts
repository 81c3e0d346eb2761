import { generateApiKey, parseGeneratedKey, revealApiKey, revokeApiKey } from '@jangada/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, send } from '../../api/client.ts';
import { apiKeyQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { maskSecret } from '../../panel/secret/mask-secret.ts';

const { queryKey } = apiKeyQuery;

/** The account's API key: its state, and what can be done with it. */
export function useApiKey() {
  const status = useQuery(apiKeyQuery);
  const generate = useMutation({
    mutationFn: async (password?: string) =>
      parseGeneratedKey(await send(generateApiKey, { body: password === undefined ? {} : { password } })),
    onSuccess: ({ apiKey, active }) =>
      queryClient.setQueryData(queryKey, { hasKey: true, active, key: apiKey, masked: maskSecret(apiKey) }),
  });
  const revoke = useMutation({
    mutationFn: () => send(revokeApiKey, {}),
    onSuccess: () =>
      queryClient.setQueryData(queryKey, { hasKey: false, active: false, key: null, masked: null }),
  });
  const reveal = useMutation({
    mutationFn: (password: string) => call(revealApiKey, { body: { password } }),
    onSuccess: ({ key }) => queryClient.setQueryData(queryKey, (known) => known && { ...known, key }),
  });
  return { status, generate, revoke, reveal };
}
