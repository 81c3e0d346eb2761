import { PageHeader } from '../../ui/index.ts';

/** Every movement of a balance. */
export function StatementPage() {
  return <PageHeader title="Extrato" sentence="Cada movimento, com o saldo depois dele." />;
}
