import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { TabbedHeader } from '../../panel/tabbed-header.tsx';

const tabs = [
  { to: paths.paymentLinks, label: 'Links' },
  { to: paths.counterCodes, label: 'QR Code do balcão' },
] as const;

/** How both screens open. */
export function OffersHeader(props: { sentence: string; actions?: ReactNode }) {
  return <TabbedHeader title="Links de pagamento" tabs={tabs} {...props} />;
}
