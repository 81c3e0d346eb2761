import type { adminReconciliation, ResponseOf } from '@jangada/contract';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay, formatDateTime } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { type Column, EmptyState, StatusBadge, Table } from '../../ui/index.ts';

type Day = ResponseOf<typeof adminReconciliation>['days'][number];

/**
 * The days for which the reconciliation compared our books with the bank's lists of Pix: the amounts of each day, and
 * whether the two agree. `days` is undefined while loading.
 */
export function DaysList({ days }: { days: Day[] | undefined }) {
  if (days?.length === 0)
    return (
      <EmptyState
        className="border-t border-base-300"
        drawing="nothing-yet"
        title="Nenhum dia comparado ainda"
      >
        Cada dia é comparado com as listas do banco, de madrugada, em três noites.
      </EmptyState>
    );
  return (
    <Table
      label="Dias"
      columns={columns}
      rows={days}
      rowKey={({ day }) => day}
      narrowRowContent={(day) => ({
        start: <span className="font-medium">{dayText(day)}</span>,
        startDetail: <DayBadge day={day} />,
        end: formatMoney(centsOf(day.received)),
        endDetail: `enviado ${formatMoney(centsOf(day.sent))}`,
      })}
    />
  );
}

const dayText = ({ day }: Day) => formatCalendarDay(day);

function DayBadge({ day: { differences } }: { day: Day }) {
  if (differences === 0) return <StatusBadge status="done">Confere</StatusBadge>;
  return (
    <StatusBadge status="failed">
      {differences === 1 ? '1 diferença' : `${formatCount(differences)} diferenças`}
    </StatusBadge>
  );
}

const columns: readonly Column<Day>[] = [
  { key: 'day', head: 'Dia', cell: dayText, tone: 'strong' },
  { key: 'received', head: 'Recebido', cell: ({ received }) => formatMoney(centsOf(received)), align: 'end' },
  {
    key: 'returned',
    head: 'Devolvido',
    cell: ({ returned }) => formatMoney(centsOf(returned)),
    align: 'end',
  },
  { key: 'sent', head: 'Enviado', cell: ({ sent }) => formatMoney(centsOf(sent)), align: 'end' },
  {
    key: 'differences',
    head: 'Resultado',
    cell: (day) => (
      <span className="lg:pl-6">
        <DayBadge day={day} />
      </span>
    ),
    width: 'lg:pl-10!',
    skeleton: 'h-5.5 w-20 lg:ml-6',
  },
  {
    key: 'compared',
    head: 'Comparado em',
    cell: ({ compared_at }) => formatDateTime(compared_at),
    tone: 'muted',
    align: 'end',
    skeleton: 'w-28',
  },
];
