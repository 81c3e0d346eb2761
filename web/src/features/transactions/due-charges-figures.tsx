import type { listDueCharges, ResponseOf } from '@jangada/contract';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { useBalanceHidden } from '../../session/balance-privacy.ts';
import { FigureCell, HiddenAmount, Panel, SkeletonText } from '../../ui/index.ts';

type DueChargesFiguresProps = {
  /** Undefined while loading. */
  list: Pick<ResponseOf<typeof listDueCharges>, 'from' | 'to' | 'totals'> | undefined;
  /** True for the list of charges without a due date, whose period is that of their creation. */
  isUndated: boolean;
};

/** What is due, overdue and paid in the period, of the charges that the search finds. */
export function DueChargesFigures({ list, isUndated }: DueChargesFiguresProps) {
  const cells = [
    { label: 'A receber', sum: list?.totals.due, glyph: 'waiting' },
    ...(isUndated ? [] : [{ label: 'Vencido', sum: list?.totals.overdue, glyph: 'failed' } as const]),
    { label: 'Recebido', sum: list?.totals.paid, glyph: 'done' },
  ] as const;
  return (
    <Panel flush className="mb-5" label="Somas do período">
      <div
        className={`grid divide-base-300 max-md:divide-y md:divide-x ${isUndated ? 'md:grid-cols-2' : 'md:grid-cols-3'}`}
      >
        {cells.map(({ label, sum, glyph }) => (
          <FigureCell
            key={label}
            row
            label={label}
            glyph={glyph}
            figure={
              sum === undefined ? (
                <SkeletonText line="h-6 md:h-7" className="h-5 w-32" />
              ) : (
                <Sum cents={centsOf(sum.amount)} />
              )
            }
            context={
              sum === undefined ? <SkeletonText line="h-4" className="h-3 w-24" /> : chargesText(sum.count)
            }
          />
        ))}
      </div>
      <div className="border-t border-base-300 px-4 py-3 text-xs text-muted md:px-5">
        {list === undefined ? (
          <SkeletonText line="h-4" className="h-3 w-72 max-w-full" />
        ) : (
          <p>{explanationOf(list, isUndated)}</p>
        )}
      </div>
    </Panel>
  );
}

function Sum({ cents }: { cents: number }) {
  return useBalanceHidden() ? <HiddenAmount /> : formatMoney(cents);
}

function chargesText(count: number): string {
  return count === 1 ? '1 cobrança' : `${formatCount(count)} cobranças`;
}

function explanationOf({ from, to }: { from: string; to: string }, isUndated: boolean): string {
  const days = `de ${formatCalendarDay(from)} a ${formatCalendarDay(to)}`;
  return isUndated
    ? `Cobranças criadas ${days}.`
    : `Vencimento ${days}. O que está aberto conta pelo valor original, sem multa, juros nem desconto; o recebido, pelo que foi pago, menos o que foi devolvido.`;
}
