import type { StatementAccount, StatementKind } from '@jangada/contract';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSupports } from '../../api/provider.ts';
import { paths } from '../../app/paths.ts';
import { dayOf, shiftDay } from '../../format/date.ts';

/** The classes of a figure that is a link. */
export const figureLinkClass =
  'group -my-1 inline-flex items-center gap-0.5 py-1 underline-offset-4 hover:underline';

/** The arrow behind a figure that is a link. */
export function FigureMark() {
  return (
    <ChevronRight
      className="size-4 text-muted group-hover:text-base-content"
      strokeWidth={1.75}
      aria-hidden="true"
    />
  );
}

/** A figure of the wallet that links to the lines of the statement of which it is the sum. */
export function FigureLink({ search, children }: { search: StatementSearch; children: ReactNode }) {
  const hasStatement = useSupports('extraScreens');
  // The padding is as wide as the arrow, so that the digits align with those of figures that are links.
  if (!hasStatement) return <span className="pr-4.5">{children}</span>;
  return (
    <Link to={paths.statement} search={search} className={figureLinkClass}>
      <span>{children}</span>
      <span className="sr-only"> (ver no extrato)</span>
      <FigureMark />
    </Link>
  );
}

/** The filter of the statement that selects the lines of a figure. */
export type StatementSearch = {
  account?: Exclude<StatementAccount, 'available'>;
  kind?: StatementKind;
  from?: string;
  to?: string;
};

/** The longest period of the statement, in days. */
const YEAR_DAYS = 366;

/** The longest period for which one statement can cover the account: since it was created, but at most a year. */
export function wholePeriod(
  createdAt: string | null,
  now: Date,
): Required<Pick<StatementSearch, 'from' | 'to'>> {
  const to = dayOf(now);
  const yearAgo = shiftDay(to, 1 - YEAR_DAYS);
  const createdDay = createdAt === null ? '' : dayOf(new Date(createdAt));
  const isYoungerThanYear = createdDay > yearAgo;
  return { from: isYoungerThanYear ? createdDay : yearAgo, to };
}
