import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';

/** The width in whole px of the element that has the ref `box`, updated on resize; 0 until it is measured. */
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
  /** The index of the value that the user points at; null while the user points at none. */
  activeIndex: number | null;
  onActiveIndex: (index: number | null) => void;
  /** The accessible name of the slider. */
  label: string;
  /** The active value in words, or the last value while none is active. */
  valueText: string;
  /**
   * Returns the index of the value nearest to a distance `x` in px from the left edge. The index may lie outside the
   * values.
   */
  nearest: (x: number, width: number) => number;
  /** The height in px, reserved before the width is known. */
  height: number;
  /** A placeholder, shown until the width is known so that the space is never empty. */
  placeholder: ReactNode;
  children: (width: number) => ReactNode;
};

/**
 * Lets users read a chart by pointer, touch and arrow keys. The caller shows the active value beside the chart's title.
 * For screen readers the chart is a slider over the values.
 */
export function ChartCursor(props: CursorProps) {
  const { count, activeIndex, onActiveIndex, label, valueText, nearest, height, placeholder, children } =
    props;
  const { box, width } = useWidth();
  const lastIndex = count - 1;

  function activateNearest(event: PointerEvent<HTMLDivElement>) {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    onActiveIndex(Math.min(lastIndex, Math.max(0, nearest(x, width))));
  }

  function moveByKey(event: KeyboardEvent) {
    const from = activeIndex ?? lastIndex;
    const moves: Record<string, number | null> = {
      ArrowLeft: Math.max(0, from - 1),
      ArrowDown: Math.max(0, from - 1),
      ArrowRight: Math.min(lastIndex, from + 1),
      ArrowUp: Math.min(lastIndex, from + 1),
      Home: 0,
      End: lastIndex,
      Escape: null,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onActiveIndex(to);
  }

  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={(activeIndex ?? lastIndex) + 1}
      aria-valuetext={valueText}
      // Without containment, a chart that was drawn wide would keep its container from shrinking.
      className="contain-inline-size touch-pan-y rounded-field"
      style={{ height }}
      onPointerMove={activateNearest}
      onPointerDown={activateNearest}
      onPointerLeave={(event) => event.pointerType === 'mouse' && onActiveIndex(null)}
      onBlur={() => onActiveIndex(null)}
      onKeyDown={moveByKey}
    >
      {width > 0 ? children(width) : placeholder}
    </div>
  );
}
