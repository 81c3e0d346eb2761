import type { StatementModel } from '@jangada/contract';
import { formatCalendarDay } from '../../format/date.ts';
import { formatChange } from '../../format/money.ts';
import { Balance } from '../../panel/balance.tsx';
import { useBalanceHidden } from '../../session/balance-privacy.ts';
import { classNames, FigureCell, HiddenAmount, Panel, SkeletonText } from '../../ui/index.ts';

type StatementFiguresProps = {
  statement: StatementModel | undefined;
  /** True when the lines below are filtered by kind: the figures still include all kinds, and say so. */
  hasKindFilter: boolean;
};

/** The period's opening balance, inflows, outflows and closing balance; skeletons while `statement` is undefined. */
export function StatementFigures({ statement, hasKindFilter }: StatementFiguresProps) {
  const periodNote = hasKindFilter ? 'do período, todos os tipos' : 'no período';
  const figureSkeleton = <SkeletonText line="h-6 md:h-7" className="h-5 w-32" />;
  const contextSkeleton = <SkeletonText line="h-4" className="h-3 w-24" />;
  const cells = [
    {
      label: 'Saldo inicial',
      figure: statement && <Balance cents={statement.openingCents} />,
      context: statement && `antes de ${formatCalendarDay(statement.from)}`,
    },
    {
      label: 'Entradas',
      figure: statement && <SignedSum cents={statement.inCents} />,
      context: periodNote,
    },
    {
      label: 'Saídas',
      figure: statement && <SignedSum cents={-statement.outCents} />,
      context: periodNote,
    },
    {
      label: 'Saldo final',
      figure: statement && <Balance cents={statement.closingCents} />,
      context: statement && `em ${formatCalendarDay(statement.to)}`,
    },
  ];
  return (
    <Panel flush className="mb-5" label="Período">
      <div
        className={classNames(
          'grid divide-base-300 *:border-base-300 max-md:divide-y md:grid-cols-2 lg:grid-cols-4 lg:divide-x',
          'md:max-lg:*:nth-[n+3]:border-t md:max-lg:*:odd:border-r',
        )}
      >
        {cells.map(({ label, figure, context }) => (
          <FigureCell
            key={label}
            row
            label={label}
            figure={figure ?? figureSkeleton}
            context={context ?? contextSkeleton}
          />
        ))}
      </div>
    </Panel>
  );
}

function SignedSum({ cents }: { cents: number }) {
  return useBalanceHidden() ? <HiddenAmount /> : formatChange(cents);
}
