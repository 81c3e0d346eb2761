import type { WebhookDelivery } from '@jangada/contract';
import { Square, SquareCheck } from 'lucide-react';
import { formatDateTimeToSecond } from '../../format/date.ts';
import { type Column, StatusBadge, Table, useMediaQuery } from '../../ui/index.ts';
import { lookOf, outcomeWord, shortAddress } from './delivery-words.ts';
import { eventWord } from './event-words.ts';

type Choice = {
  chosen: ReadonlySet<string>;
  /** True when a row can be selected. */
  allows: (delivery: WebhookDelivery) => boolean;
  onToggle: (id: string) => void;
};

type DeliveriesTableProps = {
  label: string;
  /** Undefined while loading. */
  deliveries: readonly WebhookDelivery[] | undefined;
  skeletonRows?: number;
  /** All rows have the same address, so it is not shown. */
  ofOneEndpoint?: boolean;
  /** The selection in progress: pressing a row selects it instead of opening it. */
  choice?: Choice | undefined;
  onOpen: (delivery: WebhookDelivery) => void;
};

/** The deliveries: event, endpoint and outcome. */
export function DeliveriesTable(props: DeliveriesTableProps) {
  const { label, deliveries, skeletonRows = 8, ofOneEndpoint = false, choice, onOpen } = props;
  const roomy = useMediaQuery('(width >= 64rem)');
  const columns = columnsFor({ choice, ofOneEndpoint, roomy });
  return (
    <Table
      label={label}
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      skeletonRows={skeletonRows}
      {...(choice === undefined
        ? { onOpen, openLabel: 'Detalhes' }
        : { onOpen: ({ id }: WebhookDelivery) => choice.onToggle(id), opens: choice.allows })}
      listRow={(delivery) => ({
        start: (
          <span className="flex items-center gap-2.5">
            {choice !== undefined && <Mark of={delivery} choice={choice} />}
            <span className="font-medium">{eventWord(delivery.type)}</span>
          </span>
        ),
        startDetail: (
          <>
            {!ofOneEndpoint && <span className="block break-all">{shortAddress(delivery.url)}</span>}
            <span className="block">
              {formatDateTimeToSecond(delivery.created_at)}
              {delivery.resent && ' · reenviada'}
            </span>
          </>
        ),
        end: <DeliveryState of={delivery} />,
        endDetail: outcomeWord(delivery.last_status, delivery.last_error),
      })}
    />
  );
}

type ColumnsForOptions = { choice: DeliveriesTableProps['choice']; ofOneEndpoint: boolean; roomy: boolean };

function columnsFor({ choice, ofOneEndpoint, roomy }: ColumnsForOptions): readonly Column<WebhookDelivery>[] {
  return [
    ...(choice === undefined ? [] : [checkColumn(choice)]),
    {
      key: 'event',
      head: 'Evento',
      cell: ({ type, resent }) => (
        <span className="block py-2">
          <span className="block font-medium">{eventWord(type)}</span>
          {resent && <span className="block text-xs text-muted">reenviada</span>}
        </span>
      ),
      skeleton: 'w-36',
    },
    ...(ofOneEndpoint || !roomy
      ? []
      : [
          {
            key: 'url',
            head: 'Endereço',
            cell: ({ url }: WebhookDelivery) => (
              <span className="block max-w-72 truncate" title={url}>
                {shortAddress(url)}
              </span>
            ),
            skeleton: 'w-52',
          },
        ]),
    {
      key: 'state',
      head: 'Estado',
      cell: (delivery) => <DeliveryState of={delivery} />,
      skeleton: 'h-5.5 w-20',
    },
    {
      key: 'answer',
      head: 'Resposta',
      cell: ({ last_status, last_error, attempts }) => (
        <>
          {outcomeWord(last_status, last_error)}
          {attempts > 1 && <span className="ml-1.5 text-xs text-muted">{attempts} tentativas</span>}
        </>
      ),
      skeleton: 'w-16',
    },
    {
      key: 'at',
      head: 'Criada em',
      cell: ({ created_at }) => formatDateTimeToSecond(created_at),
      align: 'end',
      tone: 'muted',
      skeleton: 'w-32',
    },
  ];
}

export function DeliveryState({ of }: { of: Pick<WebhookDelivery, 'state' | 'attempts'> }) {
  const { word, glyph } = lookOf(of);
  return <StatusBadge status={glyph}>{word}</StatusBadge>;
}

function checkColumn(choice: Choice): Column<WebhookDelivery> {
  return {
    key: 'choice',
    head: '',
    width: 'w-12',
    cell: (delivery) => {
      const { id, type, created_at } = delivery;
      return (
        <input
          type="checkbox"
          className="block size-5 cursor-pointer accent-primary disabled:cursor-default"
          aria-label={`Escolher ${eventWord(type)}, ${formatDateTimeToSecond(created_at)}`}
          checked={choice.chosen.has(id)}
          disabled={!choice.allows(delivery)}
          // The row handles the press too, and would undo it.
          onClick={(event) => event.stopPropagation()}
          onChange={() => choice.onToggle(id)}
        />
      );
    },
  };
}

/** On a phone the whole row is the control; this only shows and announces its state. */
function Mark({ of, choice }: { of: WebhookDelivery; choice: Choice }) {
  if (!choice.allows(of)) return <span className="size-5 shrink-0" />;
  const chosen = choice.chosen.has(of.id);
  const Icon = chosen ? SquareCheck : Square;
  return (
    <>
      <Icon
        className={chosen ? 'size-5 shrink-0 text-primary' : 'size-5 shrink-0 text-muted'}
        strokeWidth={1.75}
        aria-hidden="true"
      />
      <span className="sr-only">{chosen ? 'Escolhida:' : 'Não escolhida:'}</span>
    </>
  );
}
