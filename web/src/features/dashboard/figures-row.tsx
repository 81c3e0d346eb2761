import { formatCount, formatMoney, formatShare } from '../../format/money.ts';
import { classNames, FigureCell, Glyph, type GlyphName, ShareBar, SkeletonText } from '../../ui/index.ts';
import { averageCents, type Figures } from './figures.ts';

/** Gross revenue and the three counts; undefined while loading. */
export function FiguresRow({ figures }: { figures: Figures | undefined }) {
  const average = figures && averageCents(figures.grossCents, figures.deposits);
  return (
    <div
      className={classNames(
        'grid divide-base-300 *:border-base-300 max-md:divide-y md:grid-cols-3',
        'md:max-lg:*:first:col-span-3 md:max-lg:*:first:border-b md:max-lg:*:not-first:not-last:border-e',
        'lg:grid-cols-[1.6fr_1fr_1fr_1fr] lg:divide-x',
      )}
    >
      <FigureCell
        size="large"
        label="Receita bruta"
        figure={figures ? formatMoney(figures.grossCents) : <SkeletonText line="h-10" className="h-8 w-52" />}
        context={
          figures === undefined ? (
            <SkeletonText line="h-4" className="h-3 w-44" />
          ) : average == null ? (
            'desde o início'
          ) : (
            `desde o início · média de ${formatMoney(average)} por pagamento`
          )
        }
      />
      <CountCell
        glyph="done"
        label="Pagos"
        count={figures?.paid}
        all={figures?.all}
        bar="text-success-glyph"
      />
      <CountCell
        glyph="waiting"
        label="Pendentes"
        count={figures?.pending}
        all={figures?.all}
        bar="text-warning-glyph"
      />
      <CountCell
        glyph="gone"
        label="Falhos ou expirados"
        count={figures?.failed}
        all={figures?.all}
        bar="text-grey-glyph"
      />
    </div>
  );
}

type CountCellProps = {
  glyph: GlyphName;
  label: string;
  count: number | undefined;
  all: number | undefined;
  /** Colour of the bar. */
  bar: string;
};

/** A count with its share; on phones a row: glyph, label, figure, share. */
function CountCell({ glyph, label, count, all, bar }: CountCellProps) {
  const known = count !== undefined && all !== undefined;
  return (
    <div className="grid items-center px-4 max-md:min-h-12 max-md:grid-cols-[1fr_auto_3.5rem] max-[22rem]:grid-cols-1! md:content-start md:p-5">
      <p className="flex items-center gap-2 text-muted md:text-xs md:font-medium">
        <Glyph name={glyph} />
        {label}
      </p>
      <p className="text-right text-base font-strong tabular-nums md:mt-0.5 md:text-left md:text-lg">
        {known ? formatCount(count) : <SkeletonText line="h-6 md:h-7" className="h-5 w-14" />}
      </p>
      <p className="text-right text-xs text-muted tabular-nums md:mt-1 md:text-left">
        {known ? formatShare(count, all) : <SkeletonText line="h-4" className="h-3 w-10 max-md:ml-auto" />}
      </p>
      <ShareBar
        share={known && all > 0 ? count / all : 0}
        className={classNames('mt-3 max-md:hidden', bar)}
      />
    </div>
  );
}
