import type { PayerDue } from '@jangada/contract';
import { formatMoney } from '../format/money.ts';

type DueFact = readonly [label: string, value: string | null];

/** How the amount of a charge with a due date is made up. What is neither added nor taken off is left out. */
export function dueFacts(due: PayerDue): readonly DueFact[] {
  const added: DueFact[] = [
    ['Multa', due.fineCents === 0 ? null : `+ ${formatMoney(due.fineCents)}`],
    ['Juros', due.interestCents === 0 ? null : `+ ${formatMoney(due.interestCents)}`],
    ['Abatimento', due.rebateCents === 0 ? null : `− ${formatMoney(due.rebateCents)}`],
    ['Desconto', due.discountCents === 0 ? null : `− ${formatMoney(due.discountCents)}`],
  ];
  const isChanged = added.some(([, value]) => value !== null);
  return [['Valor original', isChanged ? formatMoney(due.originalCents) : null], ...added];
}
