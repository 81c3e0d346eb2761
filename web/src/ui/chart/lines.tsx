import type { AmountAxis, Plot } from './axis.ts';

type AmountLinesProps = { plot: Plot; axis: AmountAxis; y: (amount: number) => number };

/** The gridlines of a chart with their amounts, and the baseline. */
export function AmountLines({ plot, axis, y }: AmountLinesProps) {
  return axis.ticks.map((tick, at) => {
    const line = Math.round(y(tick)) + 0.5;
    return (
      <g key={tick}>
        <line
          x1={plot.left}
          x2={plot.right}
          y1={line}
          y2={line}
          className={tick === 0 ? 'stroke-control' : 'stroke-base-300'}
        />
        <text x={plot.left - 12} y={line + 4} textAnchor="end" className="fill-muted text-xs tabular-nums">
          {axis.labels[at]}
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

/** Dates below the baseline. The first date and today align with the edges of the plot; today is emphasised. */
export function DateLabels({ plot, ticks, x, count, dateLabel }: DateLabelsProps) {
  return ticks.map((at) => {
    const today = at === count - 1;
    const first = x(at) <= plot.left;
    return (
      <text
        key={at}
        x={today ? plot.right : Math.max(x(at), first ? plot.left : plot.left + 12)}
        y={plot.bottom + 19}
        textAnchor={today ? 'end' : first ? 'start' : 'middle'}
        className={`text-xs tabular-nums ${today ? 'fill-base-content font-medium' : 'fill-muted'}`}
      >
        {dateLabel(at)}
      </text>
    );
  });
}
