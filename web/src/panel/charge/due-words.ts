import type { Due, DueParts } from '@jangada/contract';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import type { Fact } from '../../ui/index.ts';

type Value = { readonly type: 'amount' | 'percent'; readonly value: number };

/** An amount, or a percentage as `2%`. */
function valueText({ type, value }: Value): string {
  return type === 'amount' ? formatMoney(centsOf(value)) : `${value.toLocaleString('pt-BR')}%`;
}

const perText = { day: 'ao dia', month: 'ao mês', year: 'ao ano' } as const;

/** The terms of a charge with a due date in plain words. What was not agreed is left out. */
export function termFacts({ fine, interest, rebate, discounts, early_discount: early }: Due): Fact[] {
  return [
    ...(fine === null ? [] : [{ label: 'Multa', value: `${valueText(fine)}, uma vez, se atrasar` }]),
    ...(interest === null ? [] : [{ label: 'Juros', value: interestText(interest) }]),
    ...(rebate === null ? [] : [{ label: 'Abatimento', value: `${valueText(rebate)}, sempre` }]),
    ...(discounts ?? [])
      .toSorted((one, other) => one.until.localeCompare(other.until))
      .map((step) => ({
        label: 'Desconto',
        value: `${valueText(step)} até ${formatCalendarDay(step.until)}`,
      })),
    ...(early === null
      ? []
      : [
          {
            label: 'Desconto',
            value: `${valueText(early)} por ${early.days === 'business' ? 'dia útil' : 'dia'} de antecedência`,
          },
        ]),
  ];
}

function interestText({ per, days, ...value }: NonNullable<Due['interest']>): string {
  const rate =
    value.type === 'amount' ? `${valueText(value)} por dia` : `${valueText(value)} ${perText[per]}`;
  return days === 'business' ? `${rate}, em dias úteis` : rate;
}

/** How an amount is made up. What is neither added nor taken off is left out. */
export function partFacts(parts: DueParts): Fact[] {
  const changes: readonly (readonly [label: string, sign: '+' | '−', brl: number])[] = [
    ['Multa', '+', parts.fine_amount],
    ['Juros', '+', parts.interest_amount],
    ['Abatimento', '−', parts.rebate_amount],
    ['Desconto', '−', parts.discount_amount],
  ];
  return [
    { label: 'Valor original', value: formatMoney(centsOf(parts.original_amount)) },
    ...changes
      .filter(([, , brl]) => brl > 0)
      .map(([label, sign, brl]) => ({ label, value: `${sign} ${formatMoney(centsOf(brl))}` })),
  ];
}
