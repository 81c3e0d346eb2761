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
  /** How many days the chart covers. */
  span: DaySpan;
  onSpan: (span: DaySpan) => void;
};

/**
 * A chart of the available balance at the end of each day. Beside the title it shows the balance and date of the day
 * that the user points at.
 */
export function BalanceByDay({ days, span, onSpan }: BalanceByDayProps) {
  const [pointedIndex, setPointedIndex] = useState<number | null>(null);
  const pointedDay = pointedIndex === null ? undefined : days?.[pointedIndex];
  const isHidden = useBalanceHidden();
  // If the user points at no day, screen readers announce the latest one.
  const spokenDay = pointedDay ?? days?.at(-1);
  return (
    <DaysChartFrame
      className="md:pt-5"
      title="Saldo por dia"
      pointedText={
        pointedDay && (
          <>
            {formatWeekday(pointedDay.day)} ·{' '}
            <strong className="font-strong text-base-content">
              <Balance cents={pointedDay.balanceCents} />
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
              // After a change to a shorter span, the pointed index may lie beyond the last day.
              activeIndex={pointedDay === undefined ? null : pointedIndex}
              onActiveIndex={setPointedIndex}
              placeholder={<ChartSkeleton />}
            />
          </Suspense>
          <DaysTable days={days} />
        </>
      )}
    </DaysChartFrame>
  );
}

/** Shown while the chart loads: a flat block, because the shape of a chart could be mistaken for data. */
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
