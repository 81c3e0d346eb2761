import type { StatementAccount, StatementKind } from '@jangada/contract';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSupports } from '../../api/provider.ts';
import { paths } from '../../app/paths.ts';
import { dayOf, shiftDay } from '../../format/date.ts';
import { Link } from '../../navigation/index.ts';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';

/** The classes of a figure that is a link. */
export const figureLinkClass =
  'group -my-1 inline-flex items-center gap-0.5 py-1 underline-offset-4 hover:underline';

/** The arrow after a figure that is a link. */
export function FigureArrow() {
  return (
    <ChevronRight
      className="size-4 text-muted group-hover:text-base-content"
      strokeWidth={1.75}
      aria-hidden="true"
    />
  );
}

/** A figure of the wallet, with a link to the statement lines that it sums up or counts. */
export function FigureLink({ search, children }: { search: StatementSearch; children: ReactNode }) {
  const hasStatement = useSupports('extraScreens');
  // The padding is as wide as the arrow, so that the digits align with those of figures that are links.
  if (!hasStatement) return <span className="pr-4.5">{children}</span>;
  return (
    <Link to={paths.statement} search={search} className={figureLinkClass}>
      <span>{children}</span>
      <span className="sr-only"> (ver no extrato)</span>
      <FigureArrow />
    </Link>
  );
}

/**
 * A figure that sums up or counts payments, with a link to them: in the statement of the operator's account, or, for a
 * merchant who has own accounts, in the list of all transactions.
 */
export function PaymentsLink({ period, children }: { period: FigurePeriod; children: ReactNode }) {
  const { has_own_accounts: hasOwn } = useMerchantBank();
  if (!hasOwn)
    return <FigureLink search={{ account: 'available', kind: 'payment', ...period }}>{children}</FigureLink>;
  return (
    <Link to={paths.transactions} search={{ status: 'paid' }} className={figureLinkClass}>
      {children}
      <FigureArrow />
    </Link>
  );
}

/** The filter of the statement that selects the lines behind a figure. */
export type StatementSearch = {
  account: StatementAccount;
  kind?: StatementKind;
} & Partial<FigurePeriod>;

export type FigurePeriod = { from: string; to: string };

/** The longest period, in days, that the gateway accepts for one statement. */
const MAX_STATEMENT_DAYS = 366;

/**
 * The longest period that one statement can cover: all days since the account was created, or the last 366 days if that
 * is shorter.
 */
export function longestStatementPeriod(createdAt: string | null, now: Date): FigurePeriod {
  const to = dayOf(now);
  // Both ends belong to the period, hence the 1.
  const earliestDay = shiftDay(to, 1 - MAX_STATEMENT_DAYS);
  const createdDay = createdAt === null ? '' : dayOf(new Date(createdAt));
  const wasCreatedLater = createdDay > earliestDay;
  return { from: wasCreatedLater ? createdDay : earliestDay, to };
}
