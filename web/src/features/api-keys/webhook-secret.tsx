import { rotateWebhookSecret, webhookSecret } from '@jangada/contract';
import { call } from '../../api/client.ts';
import { useSupports } from '../../api/provider.ts';
import { SigningSecret } from '../../panel/secret/signing-secret.tsx';
import { Code, SectionHeader } from '../../ui/index.ts';

/** The secret that signs the account's webhooks. Renders nothing if the provider has no such secret. */
export function WebhookSecret() {
  if (!useSupports('webhookSecret')) return null;
  return (
    <section aria-labelledby="webhook-secret">
      <SectionHeader id="webhook-secret" title="Segredo dos webhooks" />
      <p className="mt-1 text-muted">
        Cada aviso que enviamos à sua loja vai assinado com este segredo, no padrão Standard Webhooks. Confira
        a assinatura do cabeçalho <Code className="text-base-content">webhook-signature</Code> antes de
        confiar no aviso.
      </p>
      <SigningSecret read={() => call(webhookSecret, {})} rotate={() => call(rotateWebhookSecret, {})} />
    </section>
  );
}
