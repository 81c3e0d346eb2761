import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import { classNames } from './class-names.ts';
import { useIsNarrow } from './use-media-query.ts';

export type PaginationProps = {
  /** The current page, counted from 1. */
  page: number;
  pageCount: number;
  onPage: (page: number) => void;
  /** The text on the left: "Transações 1–10 de 1.405". */
  summary: ReactNode;
  /** Replaces `summary` at widths below 768 px: "1–10 de 1.405". */
  shortSummary?: ReactNode;
};

/** The page numbers below a list, with a summary of the rows that are shown. */
export function Pagination({ page, pageCount, onPage, summary, shortSummary }: PaginationProps) {
  const isNarrow = useIsNarrow();
  const arrowClass = classNames(buttonClass({ variant: 'quiet', size: 'small' }), 'btn-square');
  return (
    <nav aria-label="Páginas" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <p aria-live="polite" className="text-muted tabular-nums">
        {(isNarrow && shortSummary) || summary}
      </p>
      <div className="flex items-center md:gap-1">
        <button
          type="button"
          className={arrowClass}
          aria-label="Página anterior"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <ChevronLeft className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
        </button>
        {pageNumbers(page, pageCount, isNarrow).map((number, index) =>
          number === GAP ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap has nothing else that identifies it
            <span key={`gap-${index}`} className="w-8 text-center text-muted" aria-hidden="true">
              …
            </span>
          ) : (
            <button
              key={number}
              type="button"
              aria-label={`Página ${number}`}
              aria-current={number === page ? 'page' : undefined}
              className={classNames(
                buttonClass({ variant: number === page ? 'line' : 'quiet', size: 'small' }),
                'min-w-10 px-2 tabular-nums md:min-w-8',
              )}
              onClick={() => onPage(number)}
            >
              {number.toLocaleString('pt-BR')}
            </button>
          ),
        )}
        <button
          type="button"
          className={arrowClass}
          aria-label="Próxima página"
          disabled={page >= pageCount}
          onClick={() => onPage(page + 1)}
        >
          <ChevronRight className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
    </nav>
  );
}

/** Stands for one run of page numbers that are left out. It is shown as an ellipsis. */
export const GAP = 'gap';

/** The number of pages up to which a wide window shows every page number. */
const MAX_PAGES_WITHOUT_GAP = 7;

/**
 * The page numbers to show: the first page, the last page, and the current page with its neighbours, with a gap
 * wherever pages are left out. A narrow window shows only three pages around the current one. Pages count from 1.
 */
export function pageNumbers(page: number, pageCount: number, isNarrow: boolean): (number | typeof GAP)[] {
  if (isNarrow) {
    const firstShown = Math.max(1, Math.min(page - 1, pageCount - 2));
    return range(firstShown, Math.min(pageCount, firstShown + 2));
  }
  if (pageCount <= MAX_PAGES_WITHOUT_GAP) return range(1, pageCount);
  // The pages between the first and the last page. Near either end the limits keep more than one of them in view.
  const firstMiddle = Math.max(2, Math.min(page - 1, pageCount - 3));
  const lastMiddle = Math.min(pageCount - 1, Math.max(page + 1, 3));
  const gapBefore = firstMiddle > 2 ? ([GAP] as const) : [];
  const gapAfter = lastMiddle < pageCount - 1 ? ([GAP] as const) : [];
  return [1, ...gapBefore, ...range(firstMiddle, lastMiddle), ...gapAfter, pageCount];
}

/** The whole numbers from `from` to `to`, both included. */
function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
