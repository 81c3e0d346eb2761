import type { ChargeStatus, ChargesByStatus as Charges, DaySpan } from '@jangada/contract';
import { useId } from 'react';
import { formatCount, formatMoney, formatShare } from '../../format/money.ts';
import { classNames, Glyph, type GlyphName, ShareBar, SkeletonText } from '../../ui/index.ts';

type ChargesByStatusProps = {
  /** Undefined while loading. */
  charges: Charges | undefined;
  /** The number of days that is selected for the chart above the table. */
  span: DaySpan;
};

/** The rows of the table, in the order shown. */
const rows: readonly { status: ChargeStatus; label: string; glyph: GlyphName; barColour: string }[] = [
  { status: 'paid', label: 'Pagas', glyph: 'done', barColour: 'text-success-glyph' },
  { status: 'pending', label: 'Pendentes', glyph: 'waiting', barColour: 'text-warning-glyph' },
  { status: 'expired', label: 'Expiradas', glyph: 'gone', barColour: 'text-grey-glyph' },
  { status: 'refunded', label: 'Estornadas', glyph: 'returned', barColour: 'text-slate-glyph' },
  { status: 'error', label: 'Com erro', glyph: 'failed', barColour: 'text-error-glyph' },
];

/** The charges of the last days by status: a table with a bar for the share of each status. */
export function ChargesByStatus({ charges, span }: ChargesByStatusProps) {
  const id = useId();
  const totalCents = charges?.statuses.reduce((sum, { cents }) => sum + cents, 0) ?? 0;
  return (
    <section aria-labelledby={id} className="px-4 pt-4 pb-3 md:px-5">
      <div className="mb-2 flex flex-wrap items-center gap-x-3">
        <h2 id={id} className="font-strong">
          Cobranças por situação
        </h2>
        <p className="text-muted tabular-nums max-md:w-full max-md:text-xs">
          {charges ? (
            summaryOf(charges, span)
          ) : (
            <SkeletonText line="h-5 max-md:h-4" className="h-3 w-72 max-w-full" />
          )}
        </p>
      </div>
      <div className="overflow-x-auto">
        <table aria-labelledby={id} className="w-full tabular-nums">
          <thead className="sr-only">
            <tr>
              <th scope="col">Situação</th>
              <th scope="col">Parte do valor</th>
              <th scope="col">Valor</th>
              <th scope="col">Cobranças</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <StatusRow
                key={row.status}
                {...row}
                statusTotal={charges?.statuses.find(({ status }) => status === row.status)}
                totalCents={totalCents}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

type StatusRowProps = (typeof rows)[number] & {
  /** The count and the sum of the charges with this status; undefined while loading. */
  statusTotal: Charges['statuses'][number] | undefined;
  /** The sum of the charges of all statuses. */
  totalCents: number;
};

function StatusRow({ label, glyph, barColour, statusTotal, totalCents }: StatusRowProps) {
  return (
    // On a phone the bar is on a line of its own, below the text.
    <tr className="relative h-9 max-md:h-12 max-md:*:pb-3">
      <th scope="row" className="w-px pr-3 text-left font-normal whitespace-nowrap md:pr-6">
        <span className="flex items-center gap-2">
          <Glyph name={glyph} />
          {label}
        </span>
      </th>
      <td>
        {statusTotal && <span className="sr-only">{formatShare(statusTotal.cents, totalCents)}</span>}
        <ShareBar
          share={statusTotal && totalCents > 0 ? statusTotal.cents / totalCents : 0}
          className={classNames('w-full max-md:absolute max-md:inset-x-0 max-md:bottom-1.5', barColour)}
        />
      </td>
      <td className="w-px pl-3 text-right font-strong whitespace-nowrap md:pl-6">
        {statusTotal ? (
          formatMoney(statusTotal.cents)
        ) : (
          <SkeletonText line="h-5" className="ml-auto h-4 w-20" />
        )}
      </td>
      <td className="w-px pl-3 text-right text-muted whitespace-nowrap md:min-w-20 md:pl-6">
        {statusTotal ? (
          formatCount(statusTotal.count)
        ) : (
          <SkeletonText line="h-5" className="ml-auto h-4 w-8" />
        )}
      </td>
    </tr>
  );
}

/**
 * `317 cobranças em 30 dias: 92,1% foram pagas.` The gateway counts only a limited number of charges; if there are
 * more, the sentence says that it is about the newest ones.
 */
function summaryOf({ statuses, complete }: Charges, span: DaySpan): string {
  const totalCount = statuses.reduce((sum, { count }) => sum + count, 0);
  if (totalCount === 0) return `Nenhuma cobrança nos últimos ${span} dias.`;
  const paidCount = statuses.find(({ status }) => status === 'paid')?.count ?? 0;
  const paidShareText = `${formatShare(paidCount, totalCount)} ${totalCount === 1 ? 'foi paga' : 'foram pagas'}`;
  if (!complete)
    return `As ${formatCount(totalCount)} mais novas dos últimos ${span} dias: ${paidShareText}.`;
  return `${formatCount(totalCount)} ${totalCount === 1 ? 'cobrança' : 'cobranças'} em ${span} dias: ${paidShareText}.`;
}
