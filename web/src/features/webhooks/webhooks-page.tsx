import { WEBHOOK_LIMITS } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { useNow } from '../../panel/use-now.ts';
import { Button, Code, CopyButton, Dialog, EmptyState } from '../../ui/index.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { EndpointPage } from './endpoint-page.tsx';
import { EndpointsTable } from './endpoints-table.tsx';
import { CALLBACK, endpointSearchFrom } from './webhook-search.ts';
import { WebhooksHeader } from './webhook-tabs.tsx';
import { endpointActions, endpointsQuery } from './webhooks-queries.ts';

const MINUTE_MS = 60_000;

/** The form for a new endpoint, or the dialog that shows the secret of the endpoint just created. */
type OpenDialog = { kind: 'create' } | { kind: 'secret'; id: string; secret: string } | null;

/** The merchant's webhook endpoints, or the page of the endpoint whose `id` is in the URL. */
export function WebhooksPage() {
  const { id } = useSearch(endpointSearchFrom);
  const endpoints = useQuery(endpointsQuery);
  if (endpoints.data === undefined && endpoints.isError) return <EndpointsNotLoaded query={endpoints} />;
  return id === undefined ? (
    <EndpointList />
  ) : (
    <EndpointPage
      key={id}
      endpoint={endpoints.data?.endpoints.find((endpoint) => endpoint.id === id)}
      isLoading={endpoints.data === undefined}
    />
  );
}

function EndpointList() {
  const navigate = useNavigate();
  const { data } = useQuery(endpointsQuery);
  const now = useNow(true, MINUTE_MS);
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const openEndpoint = (id: string) => void navigate({ to: paths.webhooks, search: { id } });
  const isLimitReached = data !== undefined && data.endpoints.length >= data.limit;
  const addButton = (
    <Button
      variant="primary"
      disabled={isLimitReached}
      icon={<Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => setOpenDialog({ kind: 'create' })}
    >
      Adicionar endereço
    </Button>
  );
  return (
    <>
      <WebhooksHeader
        sentence="Avisamos seu sistema assim que algo acontece com o seu dinheiro."
        actions={data !== undefined && data.endpoints.length > 0 && addButton}
      />
      {data?.endpoints.length === 0 ? (
        <EmptyState drawing="nothing-yet" title="Nenhum endereço ainda" action={addButton}>
          Adicione a rota do seu servidor que recebe avisos de pagamentos, estornos, saques e disputas.
        </EmptyState>
      ) : (
        <EndpointsTable endpoints={data?.endpoints} now={now} onOpen={({ id }) => openEndpoint(id)} />
      )}
      {isLimitReached && (
        <p className="mt-3 text-muted">
          São no máximo {data.limit} endereços. Para adicionar outro, remova um antes.
        </p>
      )}
      <CallbackNote />
      {openDialog?.kind === 'create' && (
        <EndpointDialog
          endpoint={null}
          onClose={() => setOpenDialog(null)}
          onSend={async (body) => {
            const { id, secret } = await endpointActions.create(body);
            setOpenDialog({ kind: 'secret', id, secret });
          }}
        />
      )}
      {openDialog?.kind === 'secret' && (
        <NewSecretDialog secret={openDialog.secret} onClose={() => openEndpoint(openDialog.id)} />
      )}
    </>
  );
}

/** Explains the callback of a single charge, which is a URL of its own and not an endpoint. */
function CallbackNote() {
  return (
    <section aria-labelledby="callbacks" className="mt-10 max-w-160">
      <h2 id="callbacks" className="font-strong">
        Callback de cada cobrança
      </h2>
      <p className="mt-1 text-muted">
        Uma cobrança criada com <code className="font-mono text-xs">callback_url</code> avisa também esse
        endereço, assinado com o segredo da conta, que está em{' '}
        <Link to={paths.apiKeys} className="link">
          Chaves de API
        </Link>
        . As entregas dela estão em{' '}
        <Link to={paths.webhookDeliveries} search={{ endpoint: CALLBACK }} className="link">
          Entregas
        </Link>
        . O que não foi aceito é tentado de novo por mais de 24 horas, e o registro guarda{' '}
        {WEBHOOK_LIMITS.logDays} dias.
      </p>
    </section>
  );
}

type FailedQuery = { error: unknown; isFetching: boolean; refetch: () => unknown };

function EndpointsNotLoaded({ query }: { query: FailedQuery }) {
  return (
    <>
      <WebhooksHeader sentence="Avisamos seu sistema assim que algo acontece com o seu dinheiro." />
      <LoadFailure
        query={query}
        title="Erro ao buscar os endereços"
        reassurance="Os avisos continuam sendo enviados."
        notOffered="Este provedor não oferece endereços de webhook. O callback de cada cobrança continua valendo."
      />
    </>
  );
}

/** Shows the secret of a new endpoint. To see the secret again later, the user must give the password. */
function NewSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Endereço adicionado"
      footer={
        <>
          <Button onClick={onClose}>Continuar</Button>
          <CopyButton variant="primary" text={secret} label="Copiar segredo" />
        </>
      }
    >
      <p className="mb-4 text-muted">
        Guarde este segredo no seu servidor. Com ele, seu código confere o cabeçalho{' '}
        <Code className="text-base-content">webhook-signature</Code> e sabe que o aviso veio de nós.
      </p>
      <code className="block rounded-field border border-base-300 bg-base-200 p-3 font-mono text-xs leading-5 break-all select-all">
        {secret}
      </code>
      <p className="mt-4 text-muted">
        Cada endereço tem o seu. Depois de fechar, ele só aparece de novo com a sua senha.
      </p>
    </Dialog>
  );
}
