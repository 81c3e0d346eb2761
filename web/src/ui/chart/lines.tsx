import type { AmountAxis, Plot } from './axis.ts';

/** How an amount is called on the axis; the top one may carry the unit. */
export type AmountLabel = (amount: number, top: boolean) => string;

type AmountLinesProps = { plot: Plot; axis: AmountAxis; amountLabel: AmountLabel };

/** The hairlines of a chart with their amounts, and the baseline. */
export function AmountLines({ plot, axis, amountLabel }: AmountLinesProps) {
  return axis.ticks.map((tick) => {
    const y = Math.round(axis.y(tick)) + 0.5;
    return (
      <g key={tick}>
        <line
          x1={plot.left}
          x2={plot.right}
          y1={y}
          y2={y}
          className={tick === 0 ? 'stroke-control' : 'stroke-base-300'}
        />
        <text x={plot.left - 12} y={y + 4} textAnchor="end" className="fill-muted text-xs tabular-nums">
          {amountLabel(tick, tick === axis.ticks.at(-1))}
        </text>
      </g>
    );
  });
}

type DateLabelsProps = {
  plot: Plot;
  ticks: readonly number[];
  x: (at: number) => number;
  count: number;
  dateLabel: (at: number) => string;
};

/** Dates under the baseline. Today ends flush with the plot and is the strong one. */
export function DateLabels({ plot, ticks, x, count, dateLabel }: DateLabelsProps) {
  return ticks.map((at) => {
    const today = at === count - 1;
    return (
      <text
        key={at}
        x={today ? plot.right : Math.max(x(at), plot.left + 12)}
        y={plot.bottom + 19}
        textAnchor={today ? 'end' : 'middle'}
        className={`text-xs tabular-nums ${today ? 'fill-base-content font-medium' : 'fill-muted'}`}
      >
        {dateLabel(at)}
      </text>
    );
  });
}
