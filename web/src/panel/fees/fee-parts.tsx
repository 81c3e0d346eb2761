import type { FeeStatement } from '@jangada/contract';
import { StatusBadge } from '../../ui/index.ts';

const monthFormat = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', month: 'long', year: 'numeric' });

/** A month as `novembro de 2026`. */
export function formatMonth(month: string): string {
  return monthFormat.format(new Date(`${month}-01T12:00:00Z`));
}

/** A month as the beginning of a line: `Novembro de 2026`. */
export function monthTitle(month: string): string {
  const text = formatMonth(month);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function feesText(fees: number): string {
  return fees === 1 ? '1 tarifa' : `${fees.toLocaleString('pt-BR')} tarifas`;
}

/** The state of a fee statement, where one that is open past its due date stands out. */
export function FeeBadge({ status, is_overdue }: Pick<FeeStatement, 'status' | 'is_overdue'>) {
  if (status === 'paid') return <StatusBadge status="done">Paga</StatusBadge>;
  if (is_overdue) return <StatusBadge status="failed">Vencida</StatusBadge>;
  return <StatusBadge status="waiting">Em aberto</StatusBadge>;
}
