import type { WalletModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { Balance, BalancePartLinks } from '../../panel/balance.tsx';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { FigureCell, Skeleton, SkeletonText } from '../../ui/index.ts';
import { FigureLink } from './figure-link.tsx';
import { partColours, SplitBar, splitBalance } from './split-bar.tsx';

/** From R$ 1 billion on, a figure in the large size would be wider than the card on a phone. */
const LARGE_SIZE_LIMIT_CENTS = 100_000_000_000;

type AvailableBalanceProps = {
  /** Undefined while loading. */
  wallet: WalletModel | undefined;
};

/** The available balance, withdrawals in progress, and how all the money is split. */
export function AvailableBalance({ wallet }: AvailableBalanceProps) {
  const split = wallet && splitBalance(wallet);
  const hasNothingYet =
    wallet?.totalTransactions === 0 && wallet.availableCents === 0 && wallet.owedCents === 0;
  return (
    <div className="flex flex-col">
      <FigureCell
        size={wallet !== undefined && wallet.availableCents >= LARGE_SIZE_LIMIT_CENTS ? 'normal' : 'large'}
        dotColour={partColours.available}
        label="Saldo disponível"
        figure={
          wallet ? <AvailableFigure wallet={wallet} /> : <SkeletonText line="h-10" className="h-8 w-52" />
        }
      />
      <p className="-mt-3 px-4 text-muted md:-mt-4 md:px-5">
        {hasNothingYet ? 'Ainda não há saldo.' : 'Livre de reserva e de disputa.'}
      </p>
      {wallet?.parts && (
        <p className="mt-2 px-4 md:px-5">
          <BalancePartLinks parts={wallet.parts} />
        </p>
      )}
      {wallet !== undefined && wallet.owedCents > 0 && (
        <p className="mt-2 px-4 md:px-5">
          Os próximos <Balance cents={wallet.owedCents} /> que entrarem cobrem{' '}
          <Link to={paths.disputes} className="link">
            disputas
          </Link>
          . Até lá não há saques nem estornos.
        </p>
      )}
      {wallet !== undefined && wallet.pendingWithdrawalsCents > 0 && (
        <p className="mt-2 px-4 md:px-5">
          <Link to={paths.withdrawalHistory} className="link">
            <Balance cents={wallet.pendingWithdrawalsCents} /> a caminho
          </Link>{' '}
          em {wallet.pendingWithdrawals === 1 ? '1 saque' : `${wallet.pendingWithdrawals} saques`}.
        </p>
      )}
      <div className="mt-auto px-4 pt-6 pb-4 md:px-5 md:pb-5">
        {split === undefined ? (
          <>
            <Skeleton className="h-2 w-full" />
            <SkeletonText line="mt-2.5 h-4" className="h-3 w-40" />
          </>
        ) : (
          split.totalCents > 0 && <SplitBar {...split} />
        )}
      </div>
    </div>
  );
}

/** Linked to the statement of the account in which it is. A balance in two accounts has a link for each part instead. */
function AvailableFigure({ wallet: { availableCents, parts } }: { wallet: WalletModel }) {
  const { is_paid_into_own: isPaidIntoOwn } = useMerchantBank();
  const user = useQuery(profileQuery).data;
  if (parts !== null) return <Balance cents={availableCents} />;
  // Without parts, at most one of the accounts has something.
  const isAtOwnBank = user?.atOwnBankCents || (isPaidIntoOwn && !user?.atOperatorCents);
  return (
    <FigureLink search={{ account: isAtOwnBank ? 'own' : 'available' }}>
      <Balance cents={availableCents} />
    </FigureLink>
  );
}
