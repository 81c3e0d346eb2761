import type { ReactNode } from 'react';
import { type AmountLabel, amountAxis, chartHeight, plotWithin, yScale } from './axis.ts';
import { ChartCursor } from './cursor.tsx';
import { AmountLines, DateLabels } from './lines.tsx';

const PLOT_HEIGHT = 146;
const HEIGHT = chartHeight(PLOT_HEIGHT);

type StepChartProps = {
  /** One balance per day, oldest first. The last is the current balance. */
  amounts: readonly number[];
  /** The label below the baseline for the day with this index. */
  dateLabel: (day: number) => string;
  amountLabel: AmountLabel;
  /** The accessible name of the chart. */
  label: string;
  /** The active day, or today while no day is active, and its balance in words, for screen readers. */
  valueText: string;
  /** The index of the day that the user points at; null while the user points at none. */
  activeIndex: number | null;
  onActiveIndex: (day: number | null) => void;
  /** The placeholder shown until the chart is drawn. */
  placeholder: ReactNode;
};

/** A chart of a balance by day, drawn as steps, because a balance stays the same until it changes. */
export function StepChart(props: StepChartProps) {
  const { amounts, dateLabel, amountLabel, label, valueText, activeIndex, onActiveIndex, placeholder } =
    props;
  const count = amounts.length;
  const axis = amountAxis(amounts, 2, amountLabel);
  // All positions follow from the width of the chart, which is known only once the chart is on the page.
  const plotOf = (width: number) => {
    const plot = plotWithin(width, PLOT_HEIGHT, axis.labelLength);
    // Leaves space for the right half of today's dot.
    return { ...plot, right: plot.right - 5 };
  };
  const dayWidth = (width: number) => (plotOf(width).right - plotOf(width).left) / Math.max(count - 1, 1);
  return (
    <ChartCursor
      count={count}
      activeIndex={activeIndex}
      onActiveIndex={onActiveIndex}
      label={label}
      valueText={valueText}
      height={HEIGHT}
      placeholder={placeholder}
      nearest={(x, width) => Math.round((x - plotOf(width).left) / dayWidth(width))}
    >
      {(width) => {
        const plot = plotOf(width);
        const y = yScale(axis, plot);
        const x = (day: number) => plot.left + dayWidth(width) * day;
        const line = stepPath(amounts.map((amount, day) => ({ x: x(day), y: y(amount) })));
        const dotDay = activeIndex ?? count - 1;
        return (
          <svg width={plot.width} height={plot.height} aria-hidden="true" className="block">
            <path d={`${line}V${plot.bottom}H${plot.left}Z`} className="fill-primary-tint" />
            <AmountLines plot={plot} axis={axis} y={y} />
            <path d={line} fill="none" strokeWidth="1.75" className="stroke-primary" />
            <circle
              cx={x(dotDay)}
              cy={y(amounts[dotDay] ?? 0)}
              r="4"
              strokeWidth="2"
              className="fill-primary stroke-base-100"
            />
            <DateLabels plot={plot} ticks={[0, count - 1]} x={x} count={count} dateLabel={dateLabel} />
          </svg>
        );
      }}
    </ChartCursor>
  );
}

/** An SVG path of steps: the line stays at the height of each point until the next point. */
export function stepPath(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  return `M${first.x} ${first.y}${rest.map(({ x, y }) => `H${x}V${y}`).join('')}`;
}
