import type { WebhookDelivery } from '@jangada/contract';
import { Square, SquareCheck } from 'lucide-react';
import { formatDateTimeToSecond } from '../../format/date.ts';
import { type Column, StatusBadge, Table, useMediaQuery } from '../../ui/index.ts';
import { badgeOf, outcomeText, urlWithoutScheme } from './delivery-words.ts';
import { eventLabel } from './event-words.ts';

type Selection = {
  /** The ids of the selected deliveries. */
  selected: ReadonlySet<string>;
  canSelect: (delivery: WebhookDelivery) => boolean;
  onToggle: (id: string) => void;
};

type DeliveriesTableProps = {
  label: string;
  /** Undefined while loading. */
  deliveries: readonly WebhookDelivery[] | undefined;
  skeletonRows?: number;
  /** True when all rows have the same URL, which is then not shown. */
  hidesUrl?: boolean;
  /** The selection in progress: pressing a row selects it instead of opening it. */
  selection?: Selection | undefined;
  onOpen: (delivery: WebhookDelivery) => void;
};

/** A table of webhook deliveries, with the event, the URL and the outcome of each. */
export function DeliveriesTable(props: DeliveriesTableProps) {
  const { label, deliveries, skeletonRows = 8, hidesUrl = false, selection, onOpen } = props;
  const isWide = useMediaQuery('(width >= 64rem)');
  const columns = columnsFor({ selection, hidesUrl, isWide });
  return (
    <Table
      label={label}
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      skeletonRows={skeletonRows}
      {...(selection === undefined
        ? { onOpen, openLabel: 'Detalhes' }
        : { onOpen: ({ id }: WebhookDelivery) => selection.onToggle(id), canOpen: selection.canSelect })}
      narrowRowContent={(delivery) => ({
        start: (
          <span className="flex items-center gap-2.5">
            {selection !== undefined && <SelectionMark delivery={delivery} selection={selection} />}
            <span className="font-medium">{eventLabel(delivery.type)}</span>
          </span>
        ),
        startDetail: (
          <>
            {!hidesUrl && <span className="block break-all">{urlWithoutScheme(delivery.url)}</span>}
            <span className="block">
              {formatDateTimeToSecond(delivery.created_at)}
              {delivery.resent && ' · reenviada'}
            </span>
          </>
        ),
        end: <DeliveryState delivery={delivery} />,
        endDetail: outcomeText(delivery.last_status, delivery.last_error),
      })}
    />
  );
}

type ColumnOptions = {
  selection: DeliveriesTableProps['selection'];
  hidesUrl: boolean;
  isWide: boolean;
};

function columnsFor({ selection, hidesUrl, isWide }: ColumnOptions): readonly Column<WebhookDelivery>[] {
  return [
    ...(selection === undefined ? [] : [checkColumn(selection)]),
    {
      key: 'event',
      head: 'Evento',
      cell: ({ type, resent }) => (
        <span className="block py-2">
          <span className="block font-medium">{eventLabel(type)}</span>
          {resent && <span className="block text-xs text-muted">reenviada</span>}
        </span>
      ),
      skeleton: 'w-36',
    },
    ...(hidesUrl || !isWide
      ? []
      : [
          {
            key: 'url',
            head: 'Endereço',
            cell: ({ url }: WebhookDelivery) => (
              <span className="block max-w-72 truncate" title={url}>
                {urlWithoutScheme(url)}
              </span>
            ),
            skeleton: 'w-52',
          },
        ]),
    {
      key: 'state',
      head: 'Estado',
      cell: (delivery) => <DeliveryState delivery={delivery} />,
      skeleton: 'h-5.5 w-20',
    },
    {
      key: 'answer',
      head: 'Resposta',
      cell: ({ last_status, last_error, attempts }) => (
        <>
          {outcomeText(last_status, last_error)}
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

type DeliveryStateProps = { delivery: Pick<WebhookDelivery, 'state' | 'attempts'> };

/** The badge of a delivery's state. */
export function DeliveryState({ delivery }: DeliveryStateProps) {
  const { label, glyph } = badgeOf(delivery);
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

function checkColumn(selection: Selection): Column<WebhookDelivery> {
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
          aria-label={`Escolher ${eventLabel(type)}, ${formatDateTimeToSecond(created_at)}`}
          checked={selection.selected.has(id)}
          disabled={!selection.canSelect(delivery)}
          // Otherwise the row would handle the same click and undo the selection.
          onClick={(event) => event.stopPropagation()}
          onChange={() => selection.onToggle(id)}
        />
      );
    },
  };
}

/** On a phone the whole row is the control; this mark only shows and announces whether the row is selected. */
function SelectionMark({ delivery, selection }: { delivery: WebhookDelivery; selection: Selection }) {
  if (!selection.canSelect(delivery)) return <span className="size-5 shrink-0" />;
  const isSelected = selection.selected.has(delivery.id);
  const Icon = isSelected ? SquareCheck : Square;
  return (
    <>
      <Icon
        className={isSelected ? 'size-5 shrink-0 text-primary' : 'size-5 shrink-0 text-muted'}
        strokeWidth={1.75}
        aria-hidden="true"
      />
      <span className="sr-only">{isSelected ? 'Escolhida:' : 'Não escolhida:'}</span>
    </>
  );
}
