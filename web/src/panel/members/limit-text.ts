import { centsFromBrl } from '@jangada/contract';
import { formatMoney } from '../../format/money.ts';

/** `até R$ 2.500,00 por dia` */
export function limitText(limit: number): string {
  return `até ${formatMoney(centsFromBrl(limit))} por dia`;
}
