import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';

/** The width of an element in whole px, updated on resize; 0 until measured. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    // The observer also reports the first width, after layout; reading the width here would force a second layout.
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

type CursorProps = {
  /** The number of values. */
  count: number;
  /** The index of the active value; null for none. */
  active: number | null;
  onActive: (index: number | null) => void;
  /** The accessible name of the slider. */
  label: string;
  /** The active value, or else the last one, in words. */
  valueText: string;
  /** Maps a distance in px from the left edge to the index of the nearest value. */
  nearest: (x: number, width: number) => number;
  /** The height in px, reserved before the width is known. */
  height: number;
  /** A placeholder, shown until the width is known so that the space is never empty. */
  place: ReactNode;
  children: (width: number) => ReactNode;
};

/**
 * Lets users read a chart by pointer, touch and arrow keys. The active value is displayed elsewhere, beside the
 * title; screen readers get a slider over the values.
 */
export function ChartCursor(props: CursorProps) {
  const { count, active, onActive, label, valueText, nearest, height, place, children } = props;
  const { box, width } = useWidth();
  const last = count - 1;

  function activateNearest(event: PointerEvent<HTMLDivElement>) {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    onActive(Math.min(last, Math.max(0, nearest(x, width))));
  }

  function moveByKey(event: KeyboardEvent) {
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
      // Without containment, a chart drawn wide would keep its container from shrinking.
      className="contain-inline-size touch-pan-y rounded-field"
      style={{ height }}
      onPointerMove={activateNearest}
      onPointerDown={activateNearest}
      onPointerLeave={(event) => event.pointerType === 'mouse' && onActive(null)}
      onBlur={() => onActive(null)}
      onKeyDown={moveByKey}
    >
      {width > 0 ? children(width) : place}
    </div>
  );
}
