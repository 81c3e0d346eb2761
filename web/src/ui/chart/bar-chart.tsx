import type { ReactNode } from 'react';
import { type AmountLabel, amountAxis, chartHeight, dateTicks, plotWithin, yScale } from './axis.ts';
import { ChartCursor } from './cursor.tsx';
import { AmountLines, DateLabels } from './lines.tsx';

const PLOT_HEIGHT = 128;
const HEIGHT = chartHeight(PLOT_HEIGHT);
const MAX_BAR_WIDTH = 22;
/** The share of a day's width that its bar fills. */
const BAR_SHARE = 0.64;

type BarChartProps = {
  /** One amount per day, oldest first. The last amount is for today, which is not over. */
  amounts: readonly number[];
  /** The label below the baseline for the day with this index. */
  dateLabel: (day: number) => string;
  amountLabel: AmountLabel;
  /** The accessible name of the chart. */
  label: string;
  /** The active day, or today while no day is active, and its amount in words, for screen readers. */
  valueText: string;
  /** The index of the day that the user points at; null while the user points at none. */
  activeIndex: number | null;
  onActiveIndex: (day: number | null) => void;
  /** The placeholder shown until the chart is drawn. */
  placeholder: ReactNode;
};

/** A bar chart by day. While a day is active, the bars of the other days are dimmed. Today's bar is dashed. */
export function BarChart(props: BarChartProps) {
  const { amounts, dateLabel, amountLabel, label, valueText, activeIndex, onActiveIndex, placeholder } =
    props;
  const count = amounts.length;
  const axis = amountAxis(amounts, 3, amountLabel);
  const plotOf = (width: number) => plotWithin(width, PLOT_HEIGHT, axis.labelLength);
  // All positions follow from the width of the chart, which is known only once the chart is on the page.
  const dayWidth = (width: number) => (plotOf(width).right - plotOf(width).left) / count;
  return (
    <ChartCursor
      count={count}
      activeIndex={activeIndex}
      onActiveIndex={onActiveIndex}
      label={label}
      valueText={valueText}
      height={HEIGHT}
      placeholder={placeholder}
      nearest={(x, width) => Math.floor((x - plotOf(width).left) / dayWidth(width))}
    >
      {(width) => {
        const plot = plotOf(width);
        const y = yScale(axis, plot);
        const centreOf = (day: number) => plot.left + dayWidth(width) * (day + 0.5);
        const barWidth = Math.max(1, Math.min(MAX_BAR_WIDTH, Math.round(dayWidth(width) * BAR_SHARE)));
        return (
          <svg width={plot.width} height={plot.height} aria-hidden="true" className="block">
            <AmountLines plot={plot} axis={axis} y={y} />
            {amounts.map((amount, day) => (
              <Bar
                // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its day
                key={day}
                x={centreOf(day) - barWidth / 2}
                width={barWidth}
                top={y(amount)}
                bottom={plot.bottom}
                emphasis={emphasisOf(day, activeIndex)}
                isToday={day === count - 1}
              />
            ))}
            <DateLabels
              plot={plot}
              ticks={dateTicks(count, plot)}
              x={centreOf}
              count={count}
              dateLabel={dateLabel}
            />
          </svg>
        );
      }}
    </ChartCursor>
  );
}

/** While the user points at a day, its bar is `active` and the others are `dim`. Otherwise every bar is at `rest`. */
type Emphasis = 'rest' | 'dim' | 'active';

function emphasisOf(day: number, activeIndex: number | null): Emphasis {
  if (activeIndex === null) return 'rest';
  return day === activeIndex ? 'active' : 'dim';
}

const fills: Record<Emphasis, string> = {
  rest: 'fill-primary-glyph',
  dim: 'fill-primary-dim',
  active: 'fill-primary',
};

type BarProps = {
  x: number;
  width: number;
  top: number;
  bottom: number;
  emphasis: Emphasis;
  isToday: boolean;
};

function Bar({ x, width, top, bottom, emphasis, isToday }: BarProps) {
  const height = bottom - top;
  // A bar of less than half a pixel could not be told from the baseline.
  if (height < 0.5) return null;
  // The radius of the two upper corners.
  const r = Math.min(2, width / 2, height);
  const path = `M${x} ${bottom}V${top + r}q0 ${-r} ${r} ${-r}h${width - 2 * r}q${r} 0 ${r} ${r}V${bottom}Z`;
  // A bar of less than 3 px has no room for a dashed border.
  const isDashed = isToday && width >= 3;
  if (!isDashed) return <path d={path} className={fills[emphasis]} />;
  const fill = emphasis === 'active' ? 'fill-primary' : 'fill-primary-tint';
  const stroke = emphasis === 'active' ? 'stroke-primary' : 'stroke-primary-glyph';
  return <path d={path} className={`${fill} ${stroke}`} strokeWidth="1.5" strokeDasharray="3 3" />;
}
