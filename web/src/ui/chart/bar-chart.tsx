import type { ReactNode } from 'react';
import { type AmountLabel, amountAxis, chartHeight, dateTicks, heightOf, plotWithin } from './axis.ts';
import { ChartCursor } from './cursor.tsx';
import { AmountLines, DateLabels } from './lines.tsx';

const PLOT_HEIGHT = 128;
const HEIGHT = chartHeight(PLOT_HEIGHT);

type BarChartProps = {
  /** One amount per day, oldest first; the last is today, which is incomplete. */
  amounts: readonly number[];
  /** The label of a day below the baseline. */
  dateLabel: (at: number) => string;
  amountLabel: AmountLabel;
  label: string;
  valueText: string;
  active: number | null;
  onActive: (at: number | null) => void;
  /** The placeholder shown until the chart is drawn. */
  place: ReactNode;
};

/** A bar chart by day. All bars but the active one are dimmed; today is dashed. */
export function BarChart(props: BarChartProps) {
  const { amounts, dateLabel, amountLabel, label, valueText, active, onActive, place } = props;
  const count = amounts.length;
  const axis = amountAxis(amounts, 3, amountLabel);
  const plotOf = (width: number) => plotWithin(width, PLOT_HEIGHT, axis.labelLength);
  const slot = (width: number) => (plotOf(width).right - plotOf(width).left) / count;
  return (
    <ChartCursor
      count={count}
      active={active}
      onActive={onActive}
      label={label}
      valueText={valueText}
      height={HEIGHT}
      place={place}
      nearest={(x, width) => Math.floor((x - plotOf(width).left) / slot(width))}
    >
      {(width) => {
        const plot = plotOf(width);
        const y = heightOf(axis, plot);
        const centre = (at: number) => plot.left + slot(width) * (at + 0.5);
        const barWidth = Math.max(1, Math.min(22, Math.round(slot(width) * 0.64)));
        return (
          <svg width={plot.width} height={plot.height} aria-hidden="true" className="block">
            <AmountLines plot={plot} axis={axis} y={y} />
            {amounts.map((amount, at) => (
              <Bar
                // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
                key={at}
                x={centre(at) - barWidth / 2}
                width={barWidth}
                top={y(amount)}
                bottom={plot.bottom}
                ink={at === active ? 'pointed' : active === null ? 'rest' : 'dim'}
                today={at === count - 1}
              />
            ))}
            <DateLabels
              plot={plot}
              ticks={dateTicks(count, plot)}
              x={centre}
              count={count}
              dateLabel={dateLabel}
            />
          </svg>
        );
      }}
    </ChartCursor>
  );
}

const fills = { rest: 'fill-primary-glyph', dim: 'fill-primary-dim', pointed: 'fill-primary' };

type BarProps = {
  x: number;
  width: number;
  top: number;
  bottom: number;
  ink: keyof typeof fills;
  today: boolean;
};

function Bar({ x, width, top, bottom, ink, today }: BarProps) {
  const height = bottom - top;
  if (height < 0.5) return null;
  const r = Math.min(2, width / 2, height);
  const path = `M${x} ${bottom}V${top + r}q0 ${-r} ${r} ${-r}h${width - 2 * r}q${r} 0 ${r} ${r}V${bottom}Z`;
  if (!today || width < 3) return <path d={path} className={fills[ink]} />;
  const ground = ink === 'pointed' ? 'fill-primary' : 'fill-primary-tint';
  const edge = ink === 'pointed' ? 'stroke-primary' : 'stroke-primary-glyph';
  return <path d={path} className={`${ground} ${edge}`} strokeWidth="1.5" strokeDasharray="3 3" />;
}
