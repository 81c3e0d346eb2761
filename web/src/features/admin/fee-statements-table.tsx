import type { AdminFeeStatement } from '@jangada/contract';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay, formatDate } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { FeeBadge, monthTitle } from '../../panel/fees/fee-parts.tsx';
import { type Column, Table } from '../../ui/index.ts';

const columns: readonly Column<AdminFeeStatement>[] = [
  {
    key: 'merchant',
    head: 'Lojista',
    cell: ({ merchant, number }) => (
      <span className="block py-2">
        <span className="block max-w-36 truncate lg:max-w-48 xl:max-w-72" title={merchant.name}>
          {merchant.name}
        </span>
        <span className="block text-xs text-muted">{number}</span>
      </span>
    ),
    tone: 'strong',
    skeleton: 'w-36',
  },
  { key: 'month', head: 'Mês', cell: ({ month }) => monthTitle(month), tone: 'muted', skeleton: 'w-28' },
  {
    key: 'amount',
    head: 'Valor',
    cell: ({ amount }) => formatMoney(centsOf(amount)),
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'status',
    head: 'Situação',
    cell: (statement) => <FeeBadge {...statement} />,
    skeleton: 'h-5.5 w-24',
  },
  {
    key: 'due',
    head: 'Vencimento',
    cell: ({ paid_at, due_on }) =>
      paid_at === null ? formatCalendarDay(due_on) : `paga em ${formatDate(paid_at)}`,
    skeleton: 'w-24',
  },
];

type FeeStatementsTableProps = {
  /** Undefined while loading. */
  statements: AdminFeeStatement[] | undefined;
  onOpen: (statement: AdminFeeStatement) => void;
};

/** The table of merchants' fee statements. */
export function FeeStatementsTable({ statements, onOpen }: FeeStatementsTableProps) {
  return (
    <Table
      label="Faturas"
      columns={columns}
      rows={statements}
      rowKey={({ id }) => id}
      openLabel="Detalhes"
      onOpen={onOpen}
      narrowRowContent={(statement) => ({
        start: <span className="block max-w-[11rem] truncate">{statement.merchant.name}</span>,
        startDetail: <FeeBadge {...statement} />,
        end: formatMoney(centsOf(statement.amount)),
        endDetail: monthTitle(statement.month),
      })}
    />
  );
}
