/** A gap between page numbers. */
export const GAP = 'gap';

/**
 * The page numbers to show: the first, the last, the current one with its neighbours, and gaps between. `narrow` shows
 * a window of three. Pages count from 1.
 */
export function pageNumbers(page: number, pageCount: number, narrow: boolean): (number | typeof GAP)[] {
  if (narrow) {
    const first = Math.max(1, Math.min(page - 1, pageCount - 2));
    return range(first, Math.min(pageCount, first + 2));
  }
  if (pageCount <= 7) return range(1, pageCount);
  const from = Math.max(2, Math.min(page - 1, pageCount - 3));
  const to = Math.min(pageCount - 1, Math.max(page + 1, 3));
  const before = from > 2 ? ([GAP] as const) : [];
  const after = to < pageCount - 1 ? ([GAP] as const) : [];
  return [1, ...before, ...range(from, to), ...after, pageCount];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
