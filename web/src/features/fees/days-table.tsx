import type { FeeDay } from '@jangada/contract';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { feesText } from '../../panel/fees/fee-parts.tsx';
import { type Column, Table } from '../../ui/index.ts';

const columns: readonly Column<FeeDay>[] = [
  { key: 'day', head: 'Dia', cell: ({ day }) => formatCalendarDay(day) },
  { key: 'fees', head: 'Tarifas', cell: ({ fees }) => formatCount(fees), align: 'end', tone: 'muted' },
  { key: 'amount', head: 'Valor', cell: ({ amount }) => formatMoney(centsOf(amount)), align: 'end' },
];

/** The fees of some days, one line for each. */
export function DaysTable({ days, label }: { days: readonly FeeDay[]; label: string }) {
  return (
    <Table
      label={label}
      columns={columns}
      rows={days}
      rowKey={({ day }) => day}
      narrowRowContent={({ day, fees, amount }) => ({
        start: formatCalendarDay(day),
        startDetail: feesText(fees),
        end: formatMoney(centsOf(amount)),
      })}
    />
  );
}
