import { rotateWebhookSecret, webhookSecret } from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NotOffered } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { queryClient } from '../../api/query.ts';
import { Button, Code, CopyButton, SectionHeader, Skeleton, toast, toastError } from '../../ui/index.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { maskSecret } from './mask-secret.ts';
import { SecretWell } from './secret-well.tsx';

const secretQuery = queryOptions({
  queryKey: ['webhook-secret'],
  queryFn: ({ signal }) => call(webhookSecret, { signal }),
});
const LOAD_ERROR = 'Erro ao buscar o segredo dos webhooks.';

/** The secret that signs webhooks: show, copy, rotate. Left out where the provider has none. */
export function WebhookSecret() {
  const query = useQuery(secretQuery);
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  if (query.error instanceof NotOffered) return null;
  const secret = query.data?.secret;

  const rotate = async () => {
    queryClient.setQueryData(secretQuery.queryKey, await call(rotateWebhookSecret, {}));
    toast('Segredo trocado');
  };
  return (
    <section aria-labelledby="webhook-secret">
      <SectionHeader id="webhook-secret" title="Segredo dos webhooks" />
      <p className="mt-1 text-muted">
        Cada aviso que enviamos à sua loja vai assinado com este segredo, no padrão Standard Webhooks. Confira
        a assinatura do cabeçalho <Code className="text-base-content">webhook-signature</Code> antes de
        confiar no aviso.
      </p>
      <div className="mt-3">
        {secret !== undefined ? (
          <SecretWell
            name="segredo"
            text={shown ? secret : maskSecret(secret)}
            shown={shown}
            onToggle={() => setShown(!shown)}
            copy={
              <CopyButton
                iconOnly
                text={secret}
                label="Copiar segredo"
                onFailed={() => toastError('Falha ao copiar para a área de transferência.')}
              />
            }
          />
        ) : query.isError ? (
          <div role="alert" className="flex flex-wrap items-center gap-3">
            <p className="text-error">{errorText(query.error, LOAD_ERROR)}</p>
            <Button size="small" onClick={() => query.refetch()}>
              Tentar Novamente
            </Button>
          </div>
        ) : (
          <Skeleton className="h-10.5 w-full" />
        )}
      </div>
      <Button className="mt-4" disabled={secret === undefined} onClick={() => setAsking(true)}>
        Trocar segredo
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Trocar o segredo?"
        confirm="Trocar segredo"
        onConfirm={rotate}
        failure="Erro ao trocar o segredo dos webhooks."
      >
        Por 24 horas os avisos vão assinados com os dois. Nesse tempo, ponha o novo no seu sistema.
      </ConfirmDialog>
    </section>
  );
}
