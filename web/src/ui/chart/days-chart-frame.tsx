import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';
import { SegmentedControl } from '../segmented-control.tsx';
import { useIsNarrow } from '../use-media-query.ts';

type DaysChartFrameProps<Span extends number> = {
  title: string;
  /**
   * The text for the day that the user points at, shown beside the title. On phones a line is reserved for the text, so
   * that nothing shifts when the text appears.
   */
  pointedText: ReactNode;
  /** The numbers of days to choose from. */
  spans: readonly Span[];
  span: Span;
  onSpan: (span: Span) => void;
  className?: string;
  children: ReactNode;
};

/** The frame around a chart by day: the title, the text for one day, and the choice of how many days are shown. */
export function DaysChartFrame<Span extends number>(props: DaysChartFrameProps<Span>) {
  const { title, pointedText, spans, span, onSpan, className, children } = props;
  const id = useId();
  const isNarrow = useIsNarrow();
  const longestSpan = Math.max(...spans);
  return (
    <section aria-labelledby={id} className={classNames('px-4 pt-4 pb-3 md:px-5', className)}>
      <div className="mb-3 flex min-h-11 flex-wrap items-center gap-x-3 md:min-h-9">
        <h2 id={id} className="font-strong">
          {title}
        </h2>
        <p className="text-muted tabular-nums max-md:order-last max-md:min-h-4 max-md:w-full max-md:text-xs">
          {pointedText}
        </p>
        <SegmentedControl
          className="ml-auto"
          inline
          label="Período do gráfico"
          segments={spans.map((value) => ({
            value,
            label: isNarrow && value !== longestSpan ? String(value) : `${value} dias`,
          }))}
          value={span}
          onChange={onSpan}
        />
      </div>
      {children}
    </section>
  );
}
