import { PageHeader } from '../../ui/index.ts';

/** What payers contested at their banks. */
export function DisputesPage() {
  return <PageHeader title="Disputas" sentence="Pagamentos que alguém contestou no banco." />;
}
