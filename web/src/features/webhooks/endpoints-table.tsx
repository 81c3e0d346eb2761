import type { WebhookEndpoint } from '@jangada/contract';
import { formatDateAtTime, formatRelative } from '../../format/date.ts';
import { type Column, StatusBadge, Table } from '../../ui/index.ts';
import { urlWithoutScheme } from './delivery-words.ts';
import { eventsSummary } from './event-words.ts';

type EndpointsTableProps = {
  /** Undefined while loading. */
  endpoints: readonly WebhookEndpoint[] | undefined;
  now: number;
  onOpen: (endpoint: WebhookEndpoint) => void;
};

/** The merchant's webhook endpoints, with their events and their state. */
export function EndpointsTable({ endpoints, now, onOpen }: EndpointsTableProps) {
  const columns: readonly Column<WebhookEndpoint>[] = [
    {
      key: 'url',
      head: 'Endereço',
      cell: ({ url, description }) => (
        <span className="block py-2.5 whitespace-normal">
          <span className="block font-medium break-all">{urlWithoutScheme(url)}</span>
          {description !== '' && (
            <span className="block text-xs wrap-anywhere text-muted">{description}</span>
          )}
        </span>
      ),
      width: 'w-[36%]',
      skeleton: 'w-56',
    },
    {
      key: 'events',
      head: 'Eventos',
      cell: ({ events }) => <span className="whitespace-normal">{eventsSummary(events)}</span>,
      width: 'w-[20%]',
      skeleton: 'w-36',
    },
    {
      key: 'state',
      head: 'Estado',
      cell: (endpoint) => <StateCell endpoint={endpoint} />,
      width: 'w-[18%]',
      skeleton: 'h-5.5 w-20',
    },
    {
      key: 'last',
      head: 'Última entrega',
      cell: (endpoint) => lastDeliveryText(endpoint, now),
      align: 'end',
      tone: 'muted',
      skeleton: 'w-24',
    },
  ];
  return (
    <Table
      label="Endereços de webhook"
      columns={columns}
      rows={endpoints}
      rowKey={({ id }) => id}
      skeletonRows={3}
      onOpen={onOpen}
      openLabel="Detalhes"
      narrowRowContent={(endpoint) => ({
        start: <span className="font-medium break-all">{urlWithoutScheme(endpoint.url)}</span>,
        startDetail: (
          <>
            {endpoint.description !== '' && <span className="block">{endpoint.description}</span>}
            <span className="block">{eventsSummary(endpoint.events)}</span>
            <span className="block">
              {troubleText(endpoint) ?? `Última entrega: ${lastDeliveryText(endpoint, now)}`}
            </span>
          </>
        ),
        end: <EndpointState endpoint={endpoint} />,
      })}
    />
  );
}

function StateCell({ endpoint }: { endpoint: WebhookEndpoint }) {
  const trouble = troubleText(endpoint);
  return (
    <span className="block py-2">
      <EndpointState endpoint={endpoint} />
      {trouble !== undefined && (
        <span className="mt-0.5 block text-xs whitespace-normal text-muted">{trouble}</span>
      )}
    </span>
  );
}

function lastDeliveryText({ last_delivered_at }: WebhookEndpoint, now: number): string {
  return last_delivered_at === null ? 'nenhuma' : formatRelative(last_delivered_at, new Date(now));
}

/** The badge of an endpoint's state. */
export function EndpointState({ endpoint: { state, failing_since } }: { endpoint: WebhookEndpoint }) {
  if (state === 'off') return <StatusBadge status="gone">Desligado</StatusBadge>;
  return failing_since === null ? (
    <StatusBadge status="done">Ligado</StatusBadge>
  ) : (
    <StatusBadge status="failed">Falhando</StatusBadge>
  );
}

/** Why an endpoint is off, or how often it has failed, in a few words; undefined while it works. */
function troubleText({ state, off_reason, off_at, failing_since, failures }: WebhookEndpoint) {
  if (state === 'off') {
    const when = off_at === null ? '' : ` em ${formatDateAtTime(off_at)}`;
    if (off_reason === 'gone') return `Respondeu 410${when}`;
    return off_reason === 'failing' ? `Só falhava${when}` : `Por você${when}`;
  }
  if (failing_since === null) return undefined;
  return `${failures === 1 ? '1 falha' : `${failures} falhas`} desde ${formatDateAtTime(failing_since)}`;
}
