import { DAILY_STATS_DAYS, type DayModel, type DaySpan } from '@jangada/contract';
import { lazy, Suspense, useState } from 'react';
import { formatCalendarDay, formatChartDay, formatWeekday } from '../../format/date.ts';
import { formatAxisReais, formatMoney } from '../../format/money.ts';
import { DaysChartFrame, Skeleton, useIsNarrow } from '../../ui/index.ts';
import { dayInWords, paymentsInWords } from './figures.ts';

const BarChart = lazy(async () => ({ default: (await import('../../ui/chart/bar-chart.tsx')).BarChart }));

type ReceivedByDayProps = {
  /** The days, oldest first and today last; undefined while loading. */
  days: DayModel[] | undefined;
  span: DaySpan;
  onSpan: (span: DaySpan) => void;
};

/** The chart of the amounts received by day. The day that the user points at is shown beside the title. */
export function ReceivedByDay({ days, span, onSpan }: ReceivedByDayProps) {
  const [pointedIndex, setPointedIndex] = useState<number | null>(null);
  const pointedDay = pointedIndex === null ? undefined : days?.[pointedIndex];
  // If the user points at no day, screen readers announce the latest one.
  const announcedDay = pointedDay ?? days?.at(-1);
  return (
    <DaysChartFrame
      title="Recebido por dia"
      pointedText={
        pointedDay && (
          <>
            {formatWeekday(pointedDay.day)} ·{' '}
            <strong className="font-strong text-base-content">{formatMoney(pointedDay.receivedCents)}</strong>{' '}
            em {paymentsInWords(pointedDay.count)}
          </>
        )
      }
      spans={DAILY_STATS_DAYS}
      span={span}
      onSpan={onSpan}
    >
      {days === undefined ? (
        <EqualBars />
      ) : (
        <>
          <Suspense fallback={<EqualBars />}>
            <BarChart
              amounts={days.map(({ receivedCents }) => receivedCents)}
              dateLabel={(index) => formatChartDay(days, index)}
              amountLabel={formatAxisReais}
              label="Recebido por dia"
              valueText={announcedDay ? dayInWords(announcedDay) : ''}
              // After a change to a shorter span, the pointed index may lie beyond the last day.
              activeIndex={pointedDay === undefined ? null : pointedIndex}
              onActiveIndex={setPointedIndex}
              placeholder={<EqualBars />}
            />
          </Suspense>
          <DaysTable days={days} />
        </>
      )}
    </DaysChartFrame>
  );
}

/** The placeholder of the chart. Its bars are equal, because unequal bars would look like real figures. */
function EqualBars() {
  const isNarrow = useIsNarrow();
  return (
    <div aria-hidden="true" className="flex h-[162px] items-end justify-between pb-[26px] pl-[60px]">
      {Array.from({ length: isNarrow ? 15 : 30 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal bars have nothing but their position
        <Skeleton key={index} className="h-16 w-1/60" />
      ))}
    </div>
  );
}

/** The days of the chart as a table, which only screen readers find. */
function DaysTable({ days }: { days: DayModel[] }) {
  return (
    // Hidden inside a wrapper, because a visually hidden table keeps its own height and would lengthen the page.
    <div className="sr-only">
      <table>
        <caption>Recebido por dia</caption>
        <thead>
          <tr>
            <th scope="col">Dia</th>
            <th scope="col">Recebido</th>
            <th scope="col">Pagamentos</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, receivedCents, count }) => (
            <tr key={day}>
              <th scope="row">{formatCalendarDay(day)}</th>
              <td>{formatMoney(receivedCents)}</td>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
