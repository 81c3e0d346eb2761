import type { AmountAxis, Plot } from './axis.ts';

type AmountLinesProps = {
  plot: Plot;
  axis: AmountAxis;
  /** Maps an amount to its y position. */
  y: (amount: number) => number;
};

/** The gridlines of a chart with their amounts. The gridline at zero is the baseline. */
export function AmountLines({ plot, axis, y }: AmountLinesProps) {
  return axis.ticks.map((tick, index) => {
    // The half pixel makes a line of 1 px sharp: SVG draws a line on both sides of its coordinate.
    const lineY = Math.round(y(tick)) + 0.5;
    return (
      <g key={tick}>
        <line
          x1={plot.left}
          x2={plot.right}
          y1={lineY}
          y2={lineY}
          className={tick === 0 ? 'stroke-control' : 'stroke-base-300'}
        />
        <text x={plot.left - 12} y={lineY + 4} textAnchor="end" className="fill-muted text-xs tabular-nums">
          {axis.labels[index]}
        </text>
      </g>
    );
  });
}

type DateLabelsProps = {
  plot: Plot;
  /** The indexes of the days that get a label. */
  ticks: readonly number[];
  /** Maps a day's index to its x position. */
  x: (day: number) => number;
  /** The number of days in the chart. */
  count: number;
  dateLabel: (day: number) => string;
};

/** Dates below the baseline. The first date and today align with the edges of the plot; today is emphasised. */
export function DateLabels({ plot, ticks, x, count, dateLabel }: DateLabelsProps) {
  return ticks.map((day) => {
    const isToday = day === count - 1;
    const isAtLeftEdge = x(day) <= plot.left;
    const earlierAnchor = isAtLeftEdge ? 'start' : 'middle';
    // A centred label keeps 12 px from the edge, so that its left half does not leave the chart.
    const earlierX = isAtLeftEdge ? plot.left : Math.max(x(day), plot.left + 12);
    return (
      <text
        key={day}
        x={isToday ? plot.right : earlierX}
        y={plot.bottom + 19}
        textAnchor={isToday ? 'end' : earlierAnchor}
        className={`text-xs tabular-nums ${isToday ? 'fill-base-content font-medium' : 'fill-muted'}`}
      >
        {dateLabel(day)}
      </text>
    );
  });
}
