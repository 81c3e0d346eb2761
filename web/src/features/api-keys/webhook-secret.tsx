import { NotOffered } from '../../api/api-error.ts';
import { SigningSecret } from '../../panel/secret/signing-secret.tsx';
import { Code, SectionHeader } from '../../ui/index.ts';
import { useWebhookSecret } from './use-webhook-secret.ts';

/** The secret that signs webhooks of the account. Left out where the provider has none. */
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
