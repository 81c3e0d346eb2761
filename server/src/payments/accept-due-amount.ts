import { addDays, type DueAmount, type DueTerms, dueDaysOf, predictDueAmount, withSum } from '@jangada/pix';
import { calendarDayOf } from '../calendar-day.ts';
import type { BankReceivedPix } from '../psp/index.ts';

/**
 * Returns how the amount of a Pix is made up if it pays a charge with these terms; undefined if the bank does not explain
 * it so. Only the bank knows what the payer owed that day, so its sum is taken, and not our prediction. But every part has
 * to follow from the terms: the original amount is that of the charge, nothing is added or taken off that was not agreed,
 * and the parts add up to what arrived. So another amount that is sent under the charge's txid does not pay it. Neither
 * does the bare original amount on a day on which it was not what was owed: somebody may have sent it past the charge.
 */
export function acceptDueAmount(
  due: DueTerms,
  {
    amountCents,
    paidAt,
    parts = bare(amountCents),
  }: Pick<BankReceivedPix, 'amountCents' | 'paidAt' | 'parts'>,
): DueAmount | undefined {
  const { originalCents, fineCents, interestCents, rebateCents, discountCents } = parts;
  const amount = withSum(parts);
  const sum = amount.finalCents;
  const isAgreed =
    originalCents === due.originalCents &&
    (fineCents === 0 || due.fine !== undefined) &&
    (interestCents === 0 || due.interest !== undefined) &&
    (rebateCents === 0 || due.rebate !== undefined) &&
    (discountCents === 0 || due.discount !== undefined);
  if (!isAgreed || sum !== amountCents || sum <= 0) return undefined;
  if (sum === originalCents && !mayOweOriginal(due, calendarDayOf(paidAt))) return undefined;
  return amount;
}

/** By so many days the payer's local holidays, of which we do not know, may move what is owed, and the last day. */
export const LOCAL_HOLIDAY_DAYS = 5;

/** Whether the original amount is what is owed on a day near `payDay`. */
function mayOweOriginal(due: DueTerms, payDay: string): boolean {
  const { lastDay } = dueDaysOf(due);
  const days = Array.from({ length: 2 * LOCAL_HOLIDAY_DAYS + 1 }, (_, index) =>
    addDays(payDay, index - LOCAL_HOLIDAY_DAYS),
  );
  return days.some((day) => {
    const isOver = day > lastDay;
    // A payment that arrives after the last day was made by it.
    const predicted = predictDueAmount(due, isOver ? lastDay : day);
    return predicted?.finalCents === due.originalCents;
  });
}

/** Some banks do not explain an amount to which nothing was added. */
function bare(amountCents: number): NonNullable<BankReceivedPix['parts']> {
  return { originalCents: amountCents, fineCents: 0, interestCents: 0, rebateCents: 0, discountCents: 0 };
}
