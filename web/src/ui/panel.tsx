import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Glyph, type GlyphName } from './glyph.tsx';

/**
 * A box with a thin border around related content; cells inside are separated by thin lines, never by nested panels.
 */
export function Panel({
  children,
  className,
  flush = false,
  well = false,
  as: Element = 'section',
  label,
}: {
  children: ReactNode;
  className?: string;
  /** Leaves out the padding, for cells that have their own. */
  flush?: boolean;
  /** Uses the background colour of wells and summaries instead of the background colour of the page. */
  well?: boolean;
  as?: 'section' | 'div' | 'aside';
  label?: string;
}) {
  return (
    <Element
      aria-label={label}
      className={classNames('card', well && 'bg-base-200!', !flush && 'p-4 md:p-5', className)}
    >
      {children}
    </Element>
  );
}

export type FigureCellProps = {
  label: ReactNode;
  /** The formatted figure: "R$ 48.312,90", "1.284". */
  figure: ReactNode;
  /** A line of text below the figure. */
  context?: ReactNode;
  /** `large` is for the one main figure of a page. */
  size?: 'normal' | 'large';
  glyph?: GlyphName;
  /**
   * A text colour class such as `text-primary-glyph`, for a square before the label. The square relates the cell to a
   * bar of that colour elsewhere.
   */
  dotColour?: string | undefined;
  /** A fraction from 0 to 1, drawn as a thin bar at the bottom. */
  share?: number;
  /** The bar's colour, as a text colour class. */
  shareColour?: string;
  /** On phones, shows the cell as a row: label left, figure right. */
  row?: boolean;
};

/** One labelled figure inside a panel. */
export function FigureCell(props: FigureCellProps) {
  const { label, figure, context, size = 'normal', glyph, dotColour, share, row = false } = props;
  const hasShare = share !== undefined;
  const dot = dotColour ? <Dot className={dotColour} /> : null;
  const mark = glyph ? <Glyph name={glyph} /> : dot;
  return (
    <div
      className={classNames(
        'p-4 md:p-5',
        row && rowCell,
        row && hasShare && 'max-md:grid-cols-[1fr_auto_3.25rem]',
      )}
    >
      <p className={classNames('flex items-center gap-2 text-xs font-medium text-muted', row && rowLabel)}>
        {mark}
        {label}
      </p>
      <p
        className={classNames(
          'mt-0.5 font-strong whitespace-nowrap tabular-nums',
          size === 'large' ? 'text-xl max-[23rem]:text-lg max-[18rem]:text-base' : 'text-lg',
          row && rowFigure,
          row && !hasShare && context !== undefined && 'max-md:row-span-2',
        )}
      >
        {figure}
      </p>
      {context !== undefined && (
        <p
          className={classNames(
            'text-xs text-muted wrap-anywhere tabular-nums',
            row ? 'md:mt-1' : 'mt-1',
            row && hasShare && 'max-md:text-right',
          )}
        >
          {context}
        </p>
      )}
      {hasShare && (
        <ShareBar
          share={share}
          className={classNames('mt-3', props.shareColour ?? 'text-grey-glyph', row && 'max-md:hidden')}
        />
      )}
    </div>
  );
}

// On a phone the cell is a row with the label at the left and the figure at the right. The context stands at the right
// edge if there is a share, and below the label otherwise.
const rowCell =
  'max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-4 max-md:py-3.5 max-[22rem]:grid-cols-1!';
const rowLabel = 'max-md:text-sm max-md:font-normal';
const rowFigure = 'max-md:mt-0 max-md:text-right max-md:text-base';

/** A small square in the colour of a text colour class. */
export function Dot({ className }: { className: string }) {
  return (
    <span aria-hidden="true" className={classNames('size-2 shrink-0 rounded-[2px] bg-current', className)} />
  );
}

/**
 * A thin bar for a fraction from 0 to 1. It is hidden from screen readers, because the figure beside it says the same.
 */
export function ShareBar({ share, className }: { share: number; className?: string }) {
  return (
    <progress aria-hidden="true" className={classNames('progress block', className)} value={share} max={1} />
  );
}
