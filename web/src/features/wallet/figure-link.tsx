import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOffersMore } from '../../api/provider.ts';
import { paths } from '../../app/paths.ts';
import type { StatementSearch } from './statement-search.ts';

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
