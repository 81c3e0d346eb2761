import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/index.ts';

const tabs = [
  { to: paths.paymentLinks, label: 'Links' },
  { to: paths.counterCodes, label: 'QR Code do balcão' },
] as const;

/** How both screens open: what they are for, and the way to the other. */
export function OffersHeader({ sentence, actions }: { sentence: string; actions?: ReactNode }) {
  return (
    <>
      <PageHeader title="Links de pagamento" sentence={sentence} actions={actions} />
      <nav aria-label="Links de pagamento" className="mb-5 border-b border-base-300">
        <ul className="flex gap-6">
          {tabs.map(({ to, label }) => (
            <li key={to} className="-mb-px">
              <Link
                to={to}
                activeOptions={{ exact: true, includeSearch: false }}
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
