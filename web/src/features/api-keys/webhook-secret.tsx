import { rotateWebhookSecret, webhookSecret } from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { NotOffered } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { PasswordWanted } from '../../panel/confirm/password-dialog.tsx';
import { SigningSecret } from '../../panel/secret/signing-secret.tsx';
import { Code, SectionHeader } from '../../ui/index.ts';

/** The secret that signs the account's webhooks; renders nothing if the provider has none. */
export function WebhookSecret() {
  const secret = useWebhookSecret();
  if (secret.query.error instanceof NotOffered) return null;
  return (
    <section aria-labelledby="webhook-secret">
      <SectionHeader id="webhook-secret" title="Segredo dos webhooks" />
      <p className="mt-1 text-muted">
        Cada aviso que enviamos à sua loja vai assinado com este segredo, no padrão Standard Webhooks. Confira
        a assinatura do cabeçalho <Code className="text-base-content">webhook-signature</Code> antes de
        confiar no aviso.
      </p>
      <SigningSecret {...secret} />
    </section>
  );
}

const secretQuery = queryOptions({
  queryKey: ['webhook-secret'],
  queryFn: ({ signal }) => call(webhookSecret, { signal }),
});

/**
 * The secret that signs webhooks; null until the password is given again, which `read` and `rotate` may require too.
 */
function useWebhookSecret() {
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
