import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { TabbedHeader } from '../../panel/tabbed-header.tsx';

const tabs = [
  { to: paths.webhooks, label: 'Endereços' },
  { to: paths.webhookDeliveries, label: 'Entregas' },
  { to: paths.webhookDoctor, label: 'Doutor' },
] as const;

/** The header of the three webhook screens, with a tab for each. */
export function WebhooksHeader(props: { sentence: string; actions?: ReactNode }) {
  return <TabbedHeader title="Webhooks" tabs={tabs} {...props} />;
}
