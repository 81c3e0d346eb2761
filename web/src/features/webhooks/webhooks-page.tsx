import { WEBHOOKS } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { LoadFailure } from '../../panel/load-failure.tsx';
import { useNow } from '../../panel/use-now.ts';
import { Button, EmptyState } from '../../ui/index.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { EndpointPage } from './endpoint-page.tsx';
import { EndpointsTable } from './endpoints-table.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';
import { WebhooksHeader } from './webhook-tabs.tsx';
import { endpointActions, endpointsQuery } from './webhooks-queries.ts';

const MINUTE_MS = 60_000;

type Opened = { what: 'create' } | { what: 'secret'; id: string; secret: string } | null;

/** The webhook endpoints; one of them is open when the address names it. */
export function WebhooksPage() {
  const { id }: { id?: string } = useSearch({ strict: false });
  const endpoints = useQuery(endpointsQuery);
  if (endpoints.data === undefined && endpoints.isError) return <NotLoaded query={endpoints} />;
  return id === undefined ? (
    <EndpointList />
  ) : (
    <EndpointPage
      key={id}
      endpoint={endpoints.data?.endpoints.find((one) => one.id === id)}
      loading={endpoints.data === undefined}
    />
  );
}

function EndpointList() {
  const navigate = useNavigate();
  const { data } = useQuery(endpointsQuery);
  const now = useNow(true, MINUTE_MS);
  const [opened, setOpened] = useState<Opened>(null);
  const open = (id: string) => void navigate({ to: paths.webhooks, search: { id } });
  const full = data !== undefined && data.endpoints.length >= data.limit;
  const add = (
    <Button
      variant="primary"
      disabled={full}
      icon={<Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => setOpened({ what: 'create' })}
    >
      Adicionar endereço
    </Button>
  );
  return (
    <>
      <WebhooksHeader
        sentence="Avisamos seu sistema assim que algo acontece com o seu dinheiro."
        actions={data !== undefined && data.endpoints.length > 0 && add}
      />
      {data?.endpoints.length === 0 ? (
        <EmptyState drawing="nothing-yet" title="Nenhum endereço ainda" action={add}>
          Adicione a rota do seu servidor que recebe avisos de pagamentos, estornos, saques e disputas.
        </EmptyState>
      ) : (
        <EndpointsTable endpoints={data?.endpoints} now={now} onOpen={({ id }) => open(id)} />
      )}
      {full && (
        <p className="mt-3 text-muted">
          São no máximo {data.limit} endereços. Para adicionar outro, remova um antes.
        </p>
      )}
      <CallbackNote />
      {opened?.what === 'create' && (
        <EndpointDialog
          of={null}
          onClose={() => setOpened(null)}
          onSend={async (body) => {
            const { id, secret } = await endpointActions.create(body);
            setOpened({ what: 'secret', id, secret });
          }}
        />
      )}
      {opened?.what === 'secret' && (
        <NewSecretDialog secret={opened.secret} onClose={() => open(opened.id)} />
      )}
    </>
  );
}

/** What endpoints are not. */
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
        <Link to={paths.webhookDeliveries} search={{ endpoint: 'callback' }} className="link">
          Entregas
        </Link>
        . O que não foi aceito é tentado de novo por mais de 24 horas, e o registro guarda {WEBHOOKS.logDays}{' '}
        dias.
      </p>
    </section>
  );
}

type Query = { error: unknown; isFetching: boolean; refetch: () => unknown };

function NotLoaded({ query }: { query: Query }) {
  return (
    <>
      <WebhooksHeader sentence="Avisamos seu sistema assim que algo acontece com o seu dinheiro." />
      <LoadFailure
        of={query}
        title="Erro ao buscar os endereços"
        meanwhile="Os avisos continuam sendo enviados."
        notOffered="Este provedor não oferece endereços de webhook. O callback de cada cobrança continua valendo."
      />
    </>
  );
}
