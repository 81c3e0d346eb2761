import type { ReactNode } from 'react';
import type { ScreenTarget } from '../app/screen-searches.ts';
import { Link } from '../navigation/index.ts';
import { PageHeader } from '../ui/index.ts';

type TabbedHeaderProps = {
  title: string;
  sentence: string;
  actions?: ReactNode;
  tabs: readonly Tab[];
};

/** `isCurrent`: for screens at one path, which tab is open. */
type Tab = ScreenTarget & { readonly label: string; readonly isCurrent?: boolean };

/** The header of a screen that has related screens: a sentence on what this screen is for, and tabs to the others. */
export function TabbedHeader({ title, sentence, actions, tabs }: TabbedHeaderProps) {
  return (
    <>
      <PageHeader title={title} sentence={sentence} actions={actions} />
      <nav aria-label={title} className="mb-5 border-b border-base-300">
        <ul className="flex gap-6 max-[18rem]:gap-3">
          {tabs.map(({ to, label, search, isCurrent }) => (
            <li key={label} className="-mb-px">
              <Link
                to={to}
                search={search}
                exact
                current={isCurrent}
                className="flex h-11 items-center border-b-2 border-transparent font-medium text-muted transition-colors duration-120 hover:text-base-content data-[status=active]:border-primary data-[status=active]:text-base-content"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
