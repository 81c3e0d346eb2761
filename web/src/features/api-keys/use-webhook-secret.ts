import { rotateWebhookSecret, webhookSecret } from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { PasswordWanted } from '../../panel/confirm/wants-password.ts';

const secretQuery = queryOptions({
  queryKey: ['webhook-secret'],
  queryFn: ({ signal }) => call(webhookSecret, { signal }),
});

/** The secret that signs webhooks, null until the password is given again. `read` and `rotate` may want it too. */
export function useWebhookSecret() {
  const query = useQuery(secretQuery);
  const keep = ({ secret }: { secret: string | null }) => {
    if (secret === null) throw new PasswordWanted();
    queryClient.setQueryData(secretQuery.queryKey, { secret });
    return secret;
  };
  return {
    query,
    read: () => call(webhookSecret, {}).then(keep),
    rotate: () => call(rotateWebhookSecret, {}).then(keep),
  };
}
