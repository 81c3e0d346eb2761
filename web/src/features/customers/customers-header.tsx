import type { ReactNode } from 'react';
import { paths } from '../../app/paths.ts';
import { TabbedHeader } from '../../panel/tabbed-header.tsx';
import { useMay } from '../../session/account.ts';
import { PageHeader } from '../../ui/index.ts';

const tabs = [
  { to: paths.customers, label: 'Clientes' },
  { to: paths.reminders, label: 'Lembretes' },
] as const;

/** The header of the screens of customers and of their reminders, with a tab for each that the role opens. */
export function CustomersHeader(props: { sentence: string; actions?: ReactNode }) {
  const mayManage = useMay('manage-customers');
  return mayManage ? (
    <TabbedHeader title="Clientes" tabs={tabs} {...props} />
  ) : (
    <PageHeader title="Clientes" {...props} />
  );
}
