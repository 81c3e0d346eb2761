import { DAILY_STATS_DAYS, type DayModel, type DaySpan } from '@jangada/contract';
import { lazy, Suspense, useState } from 'react';
import { formatCalendarDay, formatChartDay, formatWeekday } from '../../format/date.ts';
import { formatAxisReais, formatMoney } from '../../format/money.ts';
import { Balance } from '../../panel/balance.tsx';
import { useBalanceHidden } from '../../session/balance-privacy.ts';
import { DaysChartFrame, Skeleton } from '../../ui/index.ts';

const StepChart = lazy(async () => ({ default: (await import('../../ui/chart/step-chart.tsx')).StepChart }));

type BalanceByDayProps = {
  /** Oldest first, today last; undefined while loading. */
  days: DayModel[] | undefined;
  span: DaySpan;
  onSpan: (span: DaySpan) => void;
};

/** A chart of the available balance at each day's end. The day under the pointer is written beside the title. */
export function BalanceByDay({ days, span, onSpan }: BalanceByDayProps) {
  const [pointedIndex, setPointedIndex] = useState<number | null>(null);
  const day = pointedIndex === null ? undefined : days?.[pointedIndex];
  const isHidden = useBalanceHidden();
  // Screen readers get the latest day while no day is pointed at.
  const spokenDay = day ?? days?.at(-1);
  return (
    <DaysChartFrame
      className="md:pt-5"
      title="Saldo por dia"
      pointedText={
        day && (
          <>
            {formatWeekday(day.day)} ·{' '}
            <strong className="font-strong text-base-content">
              <Balance cents={day.balanceCents} />
            </strong>
          </>
        )
      }
      spans={DAILY_STATS_DAYS}
      span={span}
      onSpan={onSpan}
    >
      {days === undefined ? (
        <ChartSkeleton />
      ) : (
        <>
          <Suspense fallback={<ChartSkeleton />}>
            <StepChart
              amounts={days.map(({ balanceCents }) => balanceCents)}
              dateLabel={(index) => formatChartDay(days, index)}
              amountLabel={isHidden ? () => '••••' : formatAxisReais}
              label="Saldo por dia"
              valueText={
                spokenDay
                  ? `${formatWeekday(spokenDay.day)}, ${isHidden ? 'escondido' : formatMoney(spokenDay.balanceCents)}`
                  : ''
              }
              activeDay={day === undefined ? null : pointedIndex}
              onActiveDay={setPointedIndex}
              placeholder={<ChartSkeleton />}
            />
          </Suspense>
          <DaysTable days={days} />
        </>
      )}
    </DaysChartFrame>
  );
}

/** The skeleton of the chart: a flat block, because a curve would suggest data that is not known. */
function ChartSkeleton() {
  return (
    <div aria-hidden="true" className="flex h-[180px] items-end pb-[26px] pl-[60px]">
      <Skeleton className="h-18 w-full" />
    </div>
  );
}

function DaysTable({ days }: { days: DayModel[] }) {
  return (
    // The wrapper is hidden rather than the table: a table ignores the height of `sr-only` and would lengthen the page.
    <div className="sr-only">
      <table>
        <caption>Saldo por dia</caption>
        <thead>
          <tr>
            <th scope="col">Dia</th>
            <th scope="col">Saldo no fim do dia</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, balanceCents }) => (
            <tr key={day}>
              <th scope="row">{formatCalendarDay(day)}</th>
              <td>
                <Balance cents={balanceCents} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
