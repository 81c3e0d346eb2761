import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, Menu as MenuIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { profileQuery } from '../../api/queries.ts';
import { formatMoney, formatShortMoney } from '../../format/money.ts';
import { Link } from '../../navigation/index.ts';
import { BalanceParts, useBalanceParts } from '../../panel/balance.tsx';
import { useMay } from '../../session/account.ts';
import { setBalanceHidden, useBalanceHidden } from '../../session/balance-privacy.ts';
import { useSession } from '../../session/session.ts';
import { classNames, HiddenAmount, IconButton, Mark, SkeletonText } from '../../ui/index.ts';
import { paths } from '../paths.ts';
import { AccountMenu } from './account-menu.tsx';
import { Bell } from './bell.tsx';
import { SandboxSign } from './sandbox-sign.tsx';

/** How far the page must be scrolled before the bar has a shadow. */
const SCROLLED_PX = 10;

/** The bar above every screen: the menu button on small screens, the balance, the notifications and the account. */
export function TopBar({ onMenu }: { onMenu: () => void }) {
  const isFrozen = useSession(({ user }) => user?.account?.frozen === true);
  const readsMoney = useMay('read-money') && !isFrozen;
  return (
    <header
      className={classNames(
        'sticky top-0 z-20 mb-px bg-base-100 transition-shadow duration-120',
        useIsScrolled() && 'shadow-[0_1px_0_var(--color-base-300)]',
      )}
    >
      <div className="mx-auto flex h-[55px] max-w-[1264px] items-center justify-between gap-4 px-4 max-[23rem]:gap-2 max-[18rem]:gap-1 max-[18rem]:px-2 lg:px-8">
        <div className="flex items-center gap-4 lg:hidden">
          <IconButton
            label="Abrir menu"
            className="-ml-3 max-[18rem]:-ml-2"
            icon={<MenuIcon className="size-5.5" strokeWidth={1.75} aria-hidden="true" />}
            onClick={onMenu}
          />
          <Link to={paths.dashboard} aria-label="Início" className="max-[23rem]:hidden">
            <Mark className="size-6" />
          </Link>
        </div>
        <SandboxSign />
        <div className="-mr-1.5 ml-auto flex items-center gap-1">
          {readsMoney && <Balance />}
          <Bell />
          <AccountMenu />
        </div>
      </div>
    </header>
  );
}

function useIsScrolled(): boolean {
  const [isScrolled, setIsScrolled] = useState(() => window.scrollY > SCROLLED_PX);
  useEffect(() => {
    const update = () => setIsScrolled(window.scrollY > SCROLLED_PX);
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);
  return isScrolled;
}

/** The available balance. Its button hides the amount, here and in the wallet. */
function Balance() {
  const { data } = useQuery(profileQuery);
  const isHidden = useBalanceHidden();
  const parts = useBalanceParts();
  const Icon = isHidden ? EyeOff : Eye;
  return (
    <>
      <span className="grid justify-items-end whitespace-nowrap">
        <span className="flex items-baseline gap-2">
          <span className="text-xs text-muted max-[27rem]:sr-only">Saldo</span>
          <span className="font-strong tabular-nums max-[18rem]:text-xs">
            {isHidden ? <HiddenAmount /> : <LoadedAmount cents={data?.balanceCents} />}
          </span>
        </span>
        {parts && (
          <span className="text-xs text-muted tabular-nums max-md:sr-only">
            <BalanceParts parts={parts} />
          </span>
        )}
      </span>
      <IconButton
        label={isHidden ? 'Mostrar saldo' : 'Esconder saldo'}
        size="small"
        className="text-muted max-md:-mx-1"
        icon={<Icon className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => setBalanceHidden(!isHidden)}
      />
    </>
  );
}

function LoadedAmount({ cents }: { cents: number | undefined }) {
  return cents === undefined ? <SkeletonText line="h-6" className="h-3 w-20" /> : <Amount cents={cents} />;
}

/**
 * Below a certain window width, an amount of at least `minLength` characters does not fit. There the classes hide the
 * full amount (`full`) and show the short one (`short`).
 */
const shortenedWidths = [
  { minLength: 20, full: 'max-[28rem]:hidden', short: 'min-[28rem]:hidden' },
  { minLength: 18, full: 'max-[24rem]:hidden', short: 'min-[24rem]:hidden' },
  { minLength: 16, full: 'max-[22rem]:hidden', short: 'min-[22rem]:hidden' },
  { minLength: 13, full: 'max-[19rem]:hidden', short: 'min-[19rem]:hidden' },
] as const;

/** The balance, shortened to "R$ 1,2 bi" in a narrow window; screen readers always get the full amount. */
function Amount({ cents }: { cents: number }) {
  const amount = formatMoney(cents);
  const widths = shortenedWidths.find(({ minLength }) => amount.length >= minLength);
  if (widths === undefined) return amount;
  return (
    <span title={amount}>
      <span className={widths.full}>{amount}</span>
      <span className={widths.short} aria-hidden="true">
        {formatShortMoney(cents)}
      </span>
      <span className={classNames('sr-only', widths.short)}>{amount}</span>
    </span>
  );
}
