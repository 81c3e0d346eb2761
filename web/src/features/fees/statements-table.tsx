import type { FeeStatement } from '@jangada/contract';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay, formatDate } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { FeeBadge, feesText, monthTitle } from '../../panel/fees/fee-parts.tsx';
import { type Column, Table } from '../../ui/index.ts';

const columns: readonly Column<FeeStatement>[] = [
  {
    key: 'month',
    head: 'Mês',
    cell: ({ month, number }) => (
      <span className="block py-2">
        {monthTitle(month)}
        <span className="block text-xs text-muted">{number}</span>
      </span>
    ),
    tone: 'strong',
    skeleton: 'w-32',
  },
  { key: 'fees', head: 'Tarifas', cell: ({ fees }) => formatCount(fees), align: 'end', tone: 'muted' },
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
  { key: 'due', head: 'Vencimento', cell: dateOf, skeleton: 'w-24' },
];

/** When the statement was paid, or until when it is due. */
function dateOf({ paid_at, due_on }: FeeStatement): string {
  return paid_at === null ? formatCalendarDay(due_on) : `paga em ${formatDate(paid_at)}`;
}

function dueText(statement: FeeStatement): string {
  return `${statement.is_overdue ? 'venceu' : 'vence'} ${dateOf(statement)}`;
}

type StatementsTableProps = {
  /** Undefined while loading. */
  statements: FeeStatement[] | undefined;
  onOpen: (statement: FeeStatement) => void;
};

/** The table of a merchant's monthly fee statements. */
export function StatementsTable({ statements, onOpen }: StatementsTableProps) {
  return (
    <Table
      label="Faturas"
      columns={columns}
      rows={statements}
      rowKey={({ id }) => id}
      openLabel="Detalhes"
      onOpen={onOpen}
      narrowRowContent={(statement) => ({
        start: monthTitle(statement.month),
        startDetail: <FeeBadge {...statement} />,
        end: formatMoney(centsOf(statement.amount)),
        endDetail: statement.paid_at === null ? dueText(statement) : feesText(statement.fees),
      })}
    />
  );
}
