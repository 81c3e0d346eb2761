import type { DisputesModel, ReservesModel, TaxesModel, WalletModel } from '@jangada/contract';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { formatDateTime, formatDayMonth, formatDays } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { Balance } from '../../panel/balance.tsx';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { classNames, FigureCell, SkeletonText } from '../../ui/index.ts';
import { FigureLink, type FigurePeriod, PaymentsLink } from './figure-link.tsx';
import { partColours } from './split-bar.tsx';

type WalletCellsProps = {
  /** Undefined while loading. */
  wallet: WalletModel | undefined;
  taxes: TaxesModel | undefined;
  disputes: DisputesModel | undefined;
  reserves: ReservesModel | undefined;
  /** The period of the statement that the figures link to. */
  period: FigurePeriod;
};

/**
 * The received, blocked and reserved amounts and the number of transactions; each links to its lines in the
 * statement.
 */
export function WalletCells({ wallet, taxes, disputes, reserves, period }: WalletCellsProps) {
  const { has_own_accounts: hasOwn } = useMerchantBank();
  return (
    <div
      className={classNames(
        'grid divide-base-300 *:border-base-300 max-md:divide-y md:grid-cols-2 lg:grid-cols-4 lg:divide-x',
        'md:max-lg:*:nth-[n+3]:border-t md:max-lg:*:odd:border-r',
      )}
    >
      <Cell
        label="Total recebido"
        wallet={wallet}
        figure={({ totalEarnedCents }) => (
          <PaymentsLink period={period}>
            <Balance cents={totalEarnedCents} />
          </PaymentsLink>
        )}
      >
        {({ totalRefundedCents }) =>
          totalRefundedCents ? (
            <>
              <Balance cents={totalRefundedCents} /> estornados
            </>
          ) : (
            'já sem as tarifas'
          )
        }
      </Cell>
      <Cell
        label="Bloqueado por disputas"
        dotColour={partColours.blocked}
        wallet={wallet}
        figure={({ blockedCents }) => (
          <FigureLink search={{ account: 'blocked', ...period }}>
            <Balance cents={blockedCents} />
          </FigureLink>
        )}
      >
        {({ blockedCents }) => <OpenDisputes openCount={disputes?.open} blockedCents={blockedCents} />}
      </Cell>
      <Cell
        label="Valor reservado"
        dotColour={partColours.reserved}
        wallet={wallet}
        figure={({ reservedCents }) => (
          <FigureLink search={{ account: 'reserved', ...period }}>
            <Balance cents={reservedCents} />
          </FigureLink>
        )}
      >
        {() => nextReleaseText(reserves, taxes)}
      </Cell>
      <Cell
        label="Total de transações"
        wallet={wallet}
        figure={({ totalTransactions }) =>
          hasOwn ? (
            // No statement has the movements of all accounts.
            formatCount(totalTransactions)
          ) : (
            <FigureLink search={{ account: 'available', ...period }}>
              {formatCount(totalTransactions)}
            </FigureLink>
          )
        }
      >
        {({ lastTransactionAt }) =>
          lastTransactionAt ? `última em ${formatDateTime(lastTransactionAt)}` : 'nenhuma ainda'
        }
      </Cell>
    </div>
  );
}

type OpenDisputesProps = {
  /** The number of open disputes; undefined while loading, or when the provider lists none. */
  openCount: number | undefined;
  blockedCents: number;
};

function OpenDisputes({ openCount, blockedCents }: OpenDisputesProps) {
  if (!openCount) return blockedCents > 0 ? 'em análise' : 'nenhuma disputa';
  return (
    <Link to={paths.disputes} search={{ status: 'open' }} className="link -my-1 inline-block py-1">
      {openCount === 1 ? '1 disputa aberta' : `${formatCount(openCount)} disputas abertas`}
    </Link>
  );
}

/**
 * The amount and day of the next release from the reserve. If no release is due, the text says for how long amounts are
 * reserved.
 */
function nextReleaseText(reserves: ReservesModel | undefined, taxes: TaxesModel | undefined): ReactNode {
  const [next] = reserves?.releases ?? [];
  if (next !== undefined) {
    return (
      <>
        <Balance cents={next.amountCents} /> em {formatDayMonth(next.day)}
      </>
    );
  }
  const days = reserveDaysOf(taxes);
  return days === null ? 'sem reserva nesta conta' : `libera em até ${formatDays(days)}`;
}

type CellProps = {
  label: string;
  /** See FigureCell. */
  dotColour?: string;
  /** Undefined while loading. */
  wallet: WalletModel | undefined;
  figure: (wallet: WalletModel) => ReactNode;
  /** The line under the figure. */
  children: (wallet: WalletModel) => ReactNode;
};

function Cell({ label, dotColour, wallet, figure, children }: CellProps) {
  return (
    <FigureCell
      row
      label={label}
      dotColour={dotColour}
      figure={wallet ? figure(wallet) : <SkeletonText line="h-6 md:h-7" className="h-5 w-32" />}
      context={wallet ? children(wallet) : <SkeletonText line="h-4" className="h-3 w-24" />}
    />
  );
}

/**
 * For how many days a share of each payment is reserved (withheld before it joins the balance); null when nothing is
 * reserved or the terms are not loaded.
 */
export function reserveDaysOf(taxes: TaxesModel | undefined): number | null {
  return taxes?.reserve.enabled && taxes.reserve.days > 0 ? taxes.reserve.days : null;
}
