import { formatCount, formatMoney, formatShare } from '../../format/money.ts';
import { classNames, FigureCell, Glyph, type GlyphName, ShareBar, SkeletonText } from '../../ui/index.ts';
import { averageCents, type Figures } from './figures.ts';

/** The gross revenue, and three counts of charges by status; `figures` is undefined while loading. */
export function FiguresRow({ figures }: { figures: Figures | undefined }) {
  const paymentAverageCents = figures && averageCents(figures.grossCents, figures.deposits);
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
          ) : (
            revenueContext(paymentAverageCents)
          )
        }
      />
      <CountCell
        glyph="done"
        label="Pagos"
        count={figures?.paid}
        total={figures?.total}
        barColour="text-success-glyph"
      />
      <CountCell
        glyph="waiting"
        label="Pendentes"
        count={figures?.pending}
        total={figures?.total}
        barColour="text-warning-glyph"
      />
      <CountCell
        glyph="gone"
        label="Falhos ou expirados"
        count={figures?.failed}
        total={figures?.total}
        barColour="text-grey-glyph"
      />
    </div>
  );
}

/** The text below the gross revenue. */
function revenueContext(paymentAverageCents: number | null | undefined): string {
  if (paymentAverageCents == null) return 'desde o início';
  return `desde o início · média de ${formatMoney(paymentAverageCents)} por pagamento`;
}

type CountCellProps = {
  glyph: GlyphName;
  label: string;
  count: number | undefined;
  total: number | undefined;
  /** The CSS class that colours the bar. */
  barColour: string;
};

/** A count with its share of all charges: a column on wide screens, and a row on phones. */
function CountCell({ glyph, label, count, total, barColour }: CountCellProps) {
  const isKnown = count !== undefined && total !== undefined;
  return (
    <div className="grid items-center px-4 max-md:min-h-12 max-md:grid-cols-[1fr_auto_3.5rem] max-[22rem]:grid-cols-1! md:content-start md:p-5">
      <p className="flex items-center gap-2 text-muted md:text-xs md:font-medium">
        <Glyph name={glyph} />
        {label}
      </p>
      <p className="text-right text-base font-strong tabular-nums md:mt-0.5 md:text-left md:text-lg">
        {isKnown ? formatCount(count) : <SkeletonText line="h-6 md:h-7" className="h-5 w-14" />}
      </p>
      <p className="text-right text-xs text-muted tabular-nums md:mt-1 md:text-left">
        {isKnown ? (
          formatShare(count, total)
        ) : (
          <SkeletonText line="h-4" className="h-3 w-10 max-md:ml-auto" />
        )}
      </p>
      <ShareBar
        share={isKnown && total > 0 ? count / total : 0}
        className={classNames('mt-3 max-md:hidden', barColour)}
      />
    </div>
  );
}
