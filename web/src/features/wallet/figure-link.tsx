import type { StatementAccount, StatementKind } from '@jangada/contract';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOffersMore } from '../../api/provider.ts';
import { paths } from '../../app/paths.ts';
import { dayOf, shiftDay } from '../../format/date.ts';

/** How a figure looks that opens what it is made of. */
export const figureLinkClass =
  'group -my-1 inline-flex items-center gap-0.5 py-1 underline-offset-4 hover:underline';

/** Tells figures that open something from those that do not. */
export function FigureMark() {
  return (
    <ChevronRight
      className="size-4 text-muted group-hover:text-base-content"
      strokeWidth={1.75}
      aria-hidden="true"
    />
  );
}

/** A figure that opens the lines of the statement that make it up. */
export function FigureLink({ search, children }: { search: StatementSearch; children: ReactNode }) {
  const hasStatement = useOffersMore();
  // Its digits stand under those that open something.
  if (!hasStatement) return <span className="pr-4.5">{children}</span>;
  return (
    <Link to={paths.statement} search={search} className={figureLinkClass}>
      <span>{children}</span>
      <span className="sr-only"> (ver no extrato)</span>
      <FigureMark />
    </Link>
  );
}

/** Which lines of the statement a figure is made of. */
export type StatementSearch = {
  account?: Exclude<StatementAccount, 'available'>;
  kind?: StatementKind;
  from?: string;
  to?: string;
};

/** The longest period of the statement, in days. */
const YEAR_DAYS = 366;

/** All the days of an account that one statement holds: since it began, a year at most. */
export function wholePeriod(
  createdAt: string | null,
  now: Date,
): Required<Pick<StatementSearch, 'from' | 'to'>> {
  const to = dayOf(now);
  const yearAgo = shiftDay(to, 1 - YEAR_DAYS);
  const began = createdAt === null ? '' : dayOf(new Date(createdAt));
  const isYoung = began > yearAgo;
  return { from: isYoung ? began : yearAgo, to };
}
