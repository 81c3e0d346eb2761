import type { DayModel } from '@jangada/contract';
import { formatWeekday } from '../../format/date.ts';
import { formatCount, formatMoney } from '../../format/money.ts';

/** `1 pagamento`, `38 pagamentos`. */
export function paymentsInWords(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'pagamento' : 'pagamentos'}`;
}

/** A day of the chart in words: `ter 10/11, R$ 1.456,15 em 38 pagamentos`. */
export function dayInWords({ day, receivedCents, count }: DayModel): string {
  return `${formatWeekday(day)}, ${formatMoney(receivedCents)} em ${paymentsInWords(count)}`;
}
