import { kycSides, type PendingKycModel } from '@jangada/contract';
import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDateTime, formatRelative } from '../../format/date.ts';
import { Email, formatUserDocument } from '../../panel/users/user-display.tsx';
import {
  Button,
  type Column,
  IconButton,
  Skeleton,
  StatusBadge,
  Table,
  useIsNarrow,
  useMediaQuery,
} from '../../ui/index.ts';

export type PendingListProps = {
  /** Undefined while loading. */
  items: readonly PendingKycModel[] | undefined;
  onView: (pending: PendingKycModel) => void;
  onReject: (pending: PendingKycModel) => void;
  onApprove: (pending: PendingKycModel) => void;
};

/**
 * The list of pending verifications. In each row, the button to view the documents ("Ver") stands out, because an
 * administrator should look at the documents before deciding.
 */
export function PendingList(props: PendingListProps) {
  return useIsNarrow() ? <PendingCards {...props} /> : <PendingTable {...props} />;
}

export function PendingBadge() {
  return <StatusBadge status="waiting">Pendente</StatusBadge>;
}

function PendingTable({ items, ...handlers }: PendingListProps) {
  const hasRoomForPictures = useMediaQuery('(width >= 80rem)');
  const columns = columnsWith(handlers).filter(({ key }) => hasRoomForPictures || key !== 'pictures');
  return (
    <Table
      label="Verificações pendentes"
      columns={columns}
      rows={items}
      rowKey={rowKey}
      onOpen={handlers.onView}
      skeletonRows={6}
      // `Table` calls `listRow` only on narrow screens, and there `PendingCards` replaces this table.
      narrowRowContent={() => ({ start: null, end: null })}
    />
  );
}

/** Includes the submission, so that newer documents of the same user make a new row. */
const rowKey = ({ userId, submission }: PendingKycModel) => `${userId} ${submission}`;

function columnsWith(handlers: Omit<PendingListProps, 'items'>): readonly Column<PendingKycModel>[] {
  return [
    {
      key: 'user',
      head: 'Usuário',
      cell: ({ name, email }) => (
        <span className="block py-2.5 whitespace-normal">
          <span className="block font-medium wrap-anywhere">{name}</span>
          <span className="block text-xs text-muted *:wrap-anywhere">
            <Email address={email} />
          </span>
        </span>
      ),
      skeleton: 'w-36 lg:w-56',
    },
    {
      key: 'document',
      head: 'Documento',
      cell: (pending) => (
        <>
          <span>{formatUserDocument(pending)}</span>{' '}
          <span className="ml-1 text-xs text-muted">{pending.docType}</span>
        </>
      ),
      skeleton: 'w-28 lg:w-36',
    },
    {
      key: 'pictures',
      head: 'Imagens',
      cell: ({ thumbnails }) => (
        <span className="flex gap-1.5">
          {kycSides.map((side) =>
            thumbnails[side] === '' ? null : (
              <img
                key={side}
                src={thumbnails[side]}
                alt=""
                className="h-8 w-12 max-w-none shrink-0 rounded-[4px] border border-base-300 object-cover"
              />
            ),
          )}
        </span>
      ),
      skeleton: 'h-8 w-36',
    },
    {
      key: 'submitted',
      head: 'Enviado em',
      cell: ({ submittedAt }) => (
        <>
          <span className="block">{formatDateTime(submittedAt)}</span>
          <span className="block text-xs text-muted">{formatRelative(submittedAt, new Date())}</span>
        </>
      ),
      skeleton: 'w-28',
    },
    { key: 'status', head: 'Status', cell: () => <PendingBadge />, skeleton: 'h-5.5 w-20' },
    {
      key: 'actions',
      head: 'Ações',
      align: 'end',
      cell: (pending) => <Actions pending={pending} {...handlers} />,
      skeleton: 'h-8 w-28',
    },
  ];
}

function Actions(props: Omit<PendingListProps, 'items'> & { pending: PendingKycModel }) {
  const { pending, onView, onReject, onApprove } = props;
  return (
    <RowActions>
      <Button size="small" aria-label={`Ver ${pending.name}`} onClick={() => onView(pending)}>
        Ver
      </Button>
      <IconButton
        size="small"
        className="text-error"
        label={`Rejeitar ${pending.name}`}
        icon={<X className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => onReject(pending)}
      />
      <IconButton
        size="small"
        className="-mr-1.5 text-success"
        label={`Aprovar ${pending.name}`}
        icon={<Check className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => onApprove(pending)}
      />
    </RowActions>
  );
}

/** Keeps a click on one of the buttons from also opening the row. */
function RowActions({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside handle the keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside handle the keyboard
    <span className="inline-flex items-center gap-0.5" onClick={(event) => event.stopPropagation()}>
      {children}
    </span>
  );
}

function PendingCards({ items, onView }: PendingListProps) {
  return (
    <ul
      className="card divide-y divide-base-300"
      aria-label="Verificações pendentes"
      aria-busy={items === undefined}
    >
      {items === undefined
        ? Array.from({ length: 5 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows have nothing but their position
            <li key={index} className="grid gap-2 p-4">
              <Skeleton className="h-3 w-52" />
              <Skeleton className="h-2 w-40" />
              <Skeleton className="mt-2 h-2 w-32" />
              <Skeleton className="h-2 w-44" />
            </li>
          ))
        : items.map((pending) => (
            <li key={rowKey(pending)} className="p-4">
              <div className="flex items-start justify-between gap-4">
                <div className="min-w-0">
                  <p className="font-medium wrap-anywhere">{pending.name}</p>
                  <p className="mt-0.5 text-xs text-muted">
                    <Email address={pending.email} />
                  </p>
                </div>
                <PendingBadge />
              </div>
              <div className="mt-2 flex items-end justify-between gap-4">
                <p className="text-xs text-muted tabular-nums">
                  {pending.docType} {formatUserDocument(pending)}
                  <br />
                  {formatDateTime(pending.submittedAt)} · {formatRelative(pending.submittedAt, new Date())}
                </p>
                <Button size="small" aria-label={`Ver ${pending.name}`} onClick={() => onView(pending)}>
                  Ver
                </Button>
              </div>
            </li>
          ))}
    </ul>
  );
}
