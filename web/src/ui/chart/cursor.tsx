import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';

/** The width of an element in whole px, followed as it changes; 0 until it is measured. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    // Tells the first width too, once the page is laid out: to ask here would have it laid out twice.
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

type CursorProps = {
  /** How many values there are. */
  count: number;
  /** The value pointed at; null for none. */
  active: number | null;
  onActive: (at: number | null) => void;
  /** What the values are, for a screen reader. */
  label: string;
  /** The value pointed at (else the last one) in words. */
  valueText: string;
  /** From a distance in px from the left edge to the nearest value. */
  nearest: (x: number, width: number) => number;
  /** Height in px, kept before the width is known. */
  height: number;
  /** Stands there until then, so that the chart's place does not go empty for a moment. */
  place: ReactNode;
  children: (width: number) => ReactNode;
};

/**
 * Lets a chart be read by pointer, finger and arrow keys. The value is written elsewhere on the page, beside the
 * title; to a screen reader the chart is a slider over its values.
 */
export function ChartCursor(props: CursorProps) {
  const { count, active, onActive, label, valueText, nearest, height, place, children } = props;
  const { box, width } = useWidth();
  const last = count - 1;

  function point(event: PointerEvent<HTMLDivElement>) {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    onActive(Math.min(last, Math.max(0, nearest(x, width))));
  }

  function step(event: KeyboardEvent) {
    const from = active ?? last;
    const moves: Record<string, number | null> = {
      ArrowLeft: Math.max(0, from - 1),
      ArrowDown: Math.max(0, from - 1),
      ArrowRight: Math.min(last, from + 1),
      ArrowUp: Math.min(last, from + 1),
      Home: 0,
      End: last,
      Escape: null,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onActive(to);
  }

  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={(active ?? last) + 1}
      aria-valuetext={valueText}
      // A chart that is drawn wide does not keep its place from becoming narrow.
      className="contain-inline-size touch-pan-y rounded-field"
      style={{ height }}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={(event) => event.pointerType === 'mouse' && onActive(null)}
      onBlur={() => onActive(null)}
      onKeyDown={step}
    >
      {width > 0 ? children(width) : place}
    </div>
  );
}
