import type { WalletModel } from '@jangada/contract';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { formatCount } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { Glyph, type GlyphName, SectionHeader, Skeleton } from '../../ui/index.ts';
import { FigureArrow, FigureLink, type FigurePeriod, figureLinkClass, PaymentsLink } from './figure-link.tsx';

type Row = {
  glyph: GlyphName;
  label: string;
  count: (wallet: WalletModel) => number;
  /**
   * Renders the count, linked to the list of the counted items. Failed charges have no list, so their count is not a
   * link.
   */
  renderCount: (count: string, period: FigurePeriod, hasOwn: boolean) => ReactNode;
};

const rows: readonly Row[] = [
  {
    glyph: 'done',
    label: 'Depósitos',
    count: ({ deposits }) => deposits,
    renderCount: (count, period) => <PaymentsLink period={period}>{count}</PaymentsLink>,
  },
  {
    glyph: 'done',
    label: 'Saques',
    count: ({ withdrawals }) => withdrawals,
    renderCount: (count, period, hasOwn) =>
      hasOwn ? (
        <HistoryLink>{count}</HistoryLink>
      ) : (
        <FigureLink search={{ account: 'available', kind: 'withdrawal', ...period }}>{count}</FigureLink>
      ),
  },
  {
    glyph: 'waiting',
    label: 'Depósitos pendentes',
    count: ({ pendingDeposits }) => pendingDeposits,
    renderCount: (count) => (
      <Link to={paths.transactions} search={{ status: 'pending' }} className={figureLinkClass}>
        {count}
        <FigureArrow />
      </Link>
    ),
  },
  {
    glyph: 'waiting',
    label: 'Saques pendentes',
    count: ({ pendingWithdrawals }) => pendingWithdrawals,
    renderCount: (count) => <HistoryLink>{count}</HistoryLink>,
  },
  {
    glyph: 'gone',
    label: 'Falhos ou expirados',
    count: ({ failed }) => failed,
    // The padding is as wide as the arrow of the links, so that the digits align.
    renderCount: (count) => <span className="pr-4.5">{count}</span>,
  },
];

function HistoryLink({ children }: { children: ReactNode }) {
  return (
    <Link to={paths.withdrawalHistory} className={figureLinkClass}>
      {children}
      <FigureArrow />
    </Link>
  );
}

type SummaryTableProps = {
  /** Undefined while loading. */
  wallet: WalletModel | undefined;
  period: FigurePeriod;
};

/** The number of payments and withdrawals, by state. */
export function SummaryTable({ wallet, period }: SummaryTableProps) {
  const { has_own_accounts: hasOwn } = useMerchantBank();
  return (
    <section aria-labelledby="summary">
      <SectionHeader id="summary" title="Resumo" />
      <div className="overflow-x-auto">
        <table className="table" aria-labelledby="summary">
          <thead>
            <tr>
              <th scope="col">Movimento</th>
              <th scope="col" className="text-right">
                Quantidade
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ glyph, label, count, renderCount }) => (
              <tr key={label}>
                <th scope="row" className="font-normal">
                  <span className="flex items-center gap-2.5">
                    <Glyph name={glyph} />
                    {label}
                  </span>
                </th>
                <td className="text-right font-medium tabular-nums">
                  {wallet ? (
                    renderCount(formatCount(count(wallet)), period, hasOwn)
                  ) : (
                    <Skeleton className="ml-auto h-3 w-12" />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
