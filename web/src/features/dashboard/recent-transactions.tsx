import { PAGE_SIZE, type TransactionModel } from '@jangada/contract';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { chargeBadge } from '../../format/charge-status.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { Link, useNavigate } from '../../navigation/index.ts';
import { type Column, SectionHeader, StatusBadge, Table } from '../../ui/index.ts';

const columns: readonly Column<TransactionModel>[] = [
  {
    key: 'id',
    head: 'ID',
    cell: ({ id }) => (
      <Link to={paths.transactions} search={{ id }} className="font-mono text-xs hover:underline">
        {shortId(id)}
      </Link>
    ),
    width: 'w-[23%]',
    skeleton: 'w-16',
  },
  {
    key: 'status',
    head: 'Status',
    cell: ({ status }) => <Status status={status} />,
    width: 'w-[23%]',
    skeleton: 'h-5.5 w-20',
  },
  {
    key: 'amount',
    head: 'Valor',
    cell: ({ amountCents }) => formatMoney(amountCents),
    width: 'w-[24%]',
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'date',
    head: 'Data',
    cell: ({ createdAt }) => formatDateTime(createdAt),
    align: 'end',
    tone: 'muted',
    skeleton: 'w-32',
  },
];

function Status({ status }: { status: string }): ReactNode {
  const { glyph, label } = chargeBadge(status);
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

/** The newest charges; `transactions` is undefined while loading. A row opens its charge on the transactions page. */
export function RecentTransactions({ transactions }: { transactions: TransactionModel[] | undefined }) {
  const navigate = useNavigate();
  return (
    <section aria-labelledby="recent-transactions">
      <SectionHeader
        id="recent-transactions"
        title="Transações recentes"
        aside={
          transactions && (
            <Link to={paths.transactions} className="link">
              Ver todas
            </Link>
          )
        }
      />
      <Table
        label="Transações recentes"
        columns={columns}
        rows={transactions}
        rowKey={({ id }) => id}
        skeletonRows={PAGE_SIZE.recentTransactions}
        narrowRowContent={({ id, status, amountCents, createdAt }) => ({
          start: <Status status={status} />,
          startDetail: formatDateTime(createdAt),
          end: formatMoney(amountCents),
          endDetail: <span className="font-mono">{shortId(id)}</span>,
        })}
        onOpen={({ id }) => navigate({ to: paths.transactions, search: { id } })}
      />
    </section>
  );
}
