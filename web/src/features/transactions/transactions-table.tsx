import type { TransactionModel } from '@jangada/contract';
import { chargeBadge, wasCredited } from '../../format/charge-status.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { Code, type Column, CopyButton, StatusBadge, Table } from '../../ui/index.ts';

const columns: readonly Column<TransactionModel>[] = [
  { key: 'id', head: 'ID', cell: ({ id }) => <IdCell id={id} />, width: 'w-[15.5%]', skeleton: 'w-16' },
  {
    key: 'date',
    head: 'Data',
    cell: ({ createdAt }) => formatDateTime(createdAt),
    width: 'w-[17%]',
    skeleton: 'w-32',
  },
  {
    key: 'net',
    head: 'Valor líquido',
    cell: ({ status, creditedCents }) => formatMoney(wasCredited(status) ? creditedCents : null),
    width: 'w-[17%]',
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'gross',
    head: 'Valor bruto',
    cell: ({ amountCents }) => formatMoney(amountCents),
    width: 'w-[16.5%]',
    align: 'end',
    tone: 'muted',
  },
  {
    key: 'status',
    head: 'Status',
    cell: (transaction) => <StatusCell {...transaction} />,
    width: 'w-[18%]',
    skeleton: 'h-5.5 w-20',
  },
];

function StatusCell(transaction: TransactionModel) {
  const note = refundNote(transaction);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <Status status={transaction.status} />
      {note !== undefined && <span className="text-xs text-muted">{note}</span>}
    </span>
  );
}

/** A note with the refunded amount, for a payment that remains paid because only a part was refunded. */
function refundNote({ status, refundedCents }: TransactionModel): string | undefined {
  return status === 'paid' && refundedCents > 0 ? `${formatMoney(refundedCents)} devolvido` : undefined;
}

function Status({ status }: { status: string }) {
  const { glyph, label } = chargeBadge(status);
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

/** The shortened id, with a copy button that appears on hover and on keyboard focus. */
function IdCell({ id }: { id: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps a press of the button from opening the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button handles the keyboard itself
    <span className="flex items-center gap-1" onClick={(event) => event.stopPropagation()}>
      <Code>{shortId(id)}</Code>
      <span className="opacity-0 group-hover:opacity-100 focus-within:opacity-100">
        <CopyButton iconOnly text={id} label={`Copiar ID ${shortId(id)}`} />
      </span>
    </span>
  );
}

type TransactionsTableProps = {
  /** Undefined while loading. */
  transactions: TransactionModel[] | undefined;
  onOpen: (transaction: TransactionModel) => void;
};

/** The table of charges. The net amount stands out from the gross one, because the merchant receives the net amount. */
export function TransactionsTable({ transactions, onOpen }: TransactionsTableProps) {
  return (
    <Table
      label="Transações"
      columns={columns}
      rows={transactions}
      rowKey={({ id }) => id}
      openLabel="Detalhes"
      onOpen={onOpen}
      narrowRowContent={(transaction) => ({
        start: <Status status={transaction.status} />,
        startDetail: (
          <>
            {formatDateTime(transaction.createdAt)} ·{' '}
            <span className="font-mono">{shortId(transaction.id)}</span>
          </>
        ),
        end: formatMoney(transaction.amountCents),
        endDetail:
          refundNote(transaction) ??
          (wasCredited(transaction.status) ? `líquido ${formatMoney(transaction.creditedCents)}` : undefined),
      })}
    />
  );
}
