import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eye, EyeOff, Menu as MenuIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { profileQuery } from '../../api/queries.ts';
import { formatMoney, formatShortMoney } from '../../format/money.ts';
import { hideBalance, useBalanceHidden } from '../../session/balance-privacy.ts';
import { classNames, HiddenAmount, IconButton, Mark } from '../../ui/index.ts';
import { paths } from '../paths.ts';
import { AccountMenu } from './account-menu.tsx';
import { Bell } from './bell.tsx';
import { SandboxSign } from './sandbox-sign.tsx';

const SCROLLED_PX = 10;

/** Menu on small screens, balance, account. Once the page is scrolled by more than 10 px it casts a shadow as thin as a line. */
export function TopBar({ onMenu }: { onMenu: () => void }) {
  return (
    <header
      className={classNames(
        'sticky top-0 z-20 mb-px bg-base-100 transition-shadow duration-120',
        useScrolled() && 'shadow-[0_1px_0_var(--color-base-300)]',
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
          <Balance />
          <Bell />
          <AccountMenu />
        </div>
      </div>
    </header>
  );
}

function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(() => window.scrollY > SCROLLED_PX);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > SCROLLED_PX);
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return scrolled;
}

/** The available balance. The eye hides it, here and in the wallet. */
function Balance() {
  const { data } = useQuery(profileQuery);
  const hidden = useBalanceHidden();
  const Icon = hidden ? EyeOff : Eye;
  return (
    <>
      <span className="flex items-baseline gap-2 whitespace-nowrap">
        <span className="text-xs text-muted max-[27rem]:sr-only">Saldo</span>
        <span className="font-strong tabular-nums max-[18rem]:text-xs">
          {hidden ? <HiddenAmount /> : <Amount cents={data?.balanceCents ?? 0} />}
        </span>
      </span>
      <IconButton
        label={hidden ? 'Mostrar saldo' : 'Esconder saldo'}
        size="small"
        className="text-muted max-md:-mx-1"
        icon={<Icon className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => hideBalance(!hidden)}
      />
    </>
  );
}

/** From how many characters on there is no room for a whole amount, and below which width. */
const short = [
  { from: 20, whole: 'max-[28rem]:hidden', part: 'min-[28rem]:hidden' },
  { from: 18, whole: 'max-[24rem]:hidden', part: 'min-[24rem]:hidden' },
  { from: 16, whole: 'max-[22rem]:hidden', part: 'min-[22rem]:hidden' },
  { from: 13, whole: 'max-[19rem]:hidden', part: 'min-[19rem]:hidden' },
] as const;

/** A balance that has no room is shortened, "R$ 1,2 bi"; the wallet and a name for screen readers have all of it. */
function Amount({ cents }: { cents: number }) {
  const amount = formatMoney(cents);
  const widths = short.find(({ from }) => amount.length >= from);
  if (widths === undefined) return amount;
  return (
    <span title={amount}>
      <span className={widths.whole}>{amount}</span>
      <span className={widths.part} aria-hidden="true">
        {formatShortMoney(cents)}
      </span>
      <span className={classNames('sr-only', widths.part)}>{amount}</span>
    </span>
  );
}
