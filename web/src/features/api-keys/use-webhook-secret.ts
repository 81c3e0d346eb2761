import { rotateWebhookSecret, webhookSecret } from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { wantsPassword } from './wants-password.ts';

const secretQuery = queryOptions({
  queryKey: ['webhook-secret'],
  queryFn: ({ signal }): Promise<{ secret: string | null }> =>
    call(webhookSecret, { signal }).catch((failure: unknown) => {
      if (wantsPassword(failure)) return { secret: null };
      throw failure;
    }),
});

/** The secret that signs webhooks, null until the password is given again. `read` and `rotate` may want it too. */
export function useWebhookSecret() {
  const query = useQuery(secretQuery);
  const keep = (answer: { secret: string }) => {
    queryClient.setQueryData(secretQuery.queryKey, answer);
    return answer.secret;
  };
  return {
    query,
    read: () => call(webhookSecret, {}).then(keep),
    rotate: () => call(rotateWebhookSecret, {}).then(keep),
  };
}
