import type { WalletModel } from '@jangada/contract';
import { formatCount } from '../../format/money.ts';
import { Glyph, type GlyphName, SectionHeader, Skeleton } from '../../ui/index.ts';

type Row = { glyph: GlyphName; label: string; count: (wallet: WalletModel) => number };

const rows: readonly Row[] = [
  { glyph: 'done', label: 'Depósitos', count: ({ deposits }) => deposits },
  { glyph: 'done', label: 'Saques', count: ({ withdrawals }) => withdrawals },
  { glyph: 'waiting', label: 'Depósitos pendentes', count: ({ pendingDeposits }) => pendingDeposits },
  { glyph: 'waiting', label: 'Saques pendentes', count: ({ pendingWithdrawals }) => pendingWithdrawals },
  { glyph: 'gone', label: 'Falhos ou expirados', count: ({ failed }) => failed },
];

/** Counts of what moved; undefined while loading. */
export function SummaryTable({ wallet }: { wallet: WalletModel | undefined }) {
  return (
    <section aria-labelledby="summary">
      <SectionHeader id="summary" title="Resumo" />
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
          {rows.map(({ glyph, label, count }) => (
            <tr key={label}>
              <th scope="row" className="font-normal">
                <span className="flex items-center gap-2.5">
                  <Glyph name={glyph} />
                  {label}
                </span>
              </th>
              <td className="text-right font-medium tabular-nums">
                {wallet ? formatCount(count(wallet)) : <Skeleton className="ml-auto h-3 w-12" />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
