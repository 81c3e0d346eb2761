import { formatMoney } from '../../format/money.ts';

/** A row for a fee that goes on the monthly fee statement, because nobody can keep it back at the merchant's own account. */
export function billedFeeFact(cents: number | null, label = 'Tarifa') {
  return { label, value: `${formatMoney(cents)} na fatura do mês` };
}
