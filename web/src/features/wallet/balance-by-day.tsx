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

/** The available balance at each day's end. The day pointed at is written beside the title. */
export function BalanceByDay({ days, span, onSpan }: BalanceByDayProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const day = pointed === null ? undefined : days?.[pointed];
  const hidden = useBalanceHidden();
  const spoken = day ?? days?.at(-1);
  return (
    <DaysChartFrame
      className="md:pt-5"
      title="Saldo por dia"
      pointed={
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
        <ChartPlace />
      ) : (
        <>
          <Suspense fallback={<ChartPlace />}>
            <StepChart
              amounts={days.map(({ balanceCents }) => balanceCents)}
              dateLabel={(at) => formatChartDay(days, at)}
              amountLabel={hidden ? () => '••••' : formatAxisReais}
              label="Saldo por dia"
              valueText={
                spoken
                  ? `${formatWeekday(spoken.day)}, ${hidden ? 'escondido' : formatMoney(spoken.balanceCents)}`
                  : ''
              }
              active={day === undefined ? null : pointed}
              onActive={setPointed}
              place={<ChartPlace />}
            />
          </Suspense>
          <DaysTable days={days} />
        </>
      )}
    </DaysChartFrame>
  );
}

/** The place of the chart before its data: a level, since a curve would be invented. */
function ChartPlace() {
  return (
    <div aria-hidden="true" className="flex h-[180px] items-end pb-[26px] pl-[60px]">
      <Skeleton className="h-18 w-full" />
    </div>
  );
}

function DaysTable({ days }: { days: DayModel[] }) {
  return (
    // A table takes no height but its own: hidden by itself it would lengthen the page.
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
