import { addDays, type DueTerms, dueDaysOf, predictDueAmount, rollToBusinessDay } from '@jangada/pix';

export type PreviewRow = { readonly label: string; readonly day: string; readonly cents: number };

/** What is owed on the days that matter: today, when each discount ends, on the due date, and when it is late. */
export function previewRows(terms: DueTerms, today: string): PreviewRow[] {
  const { dueDay, lastDay } = dueDaysOf(terms);
  const discountEnds = terms.discount?.kind === 'until' ? terms.discount.steps.map(({ until }) => until) : [];
  const candidates = [
    { label: 'Se pagar hoje', day: today },
    ...discountEnds.map((until) => ({ label: 'Até o fim do desconto', day: rollToBusinessDay(until) })),
    { label: 'No vencimento', day: dueDay },
    { label: 'No primeiro dia de atraso', day: rollToBusinessDay(addDays(dueDay, 1)) },
    { label: '10 dias depois', day: addDays(dueDay, 10) },
    { label: 'No último dia', day: lastDay },
  ];
  const byDay = new Map<string, PreviewRow>();
  for (const { label, day } of candidates) {
    const cents = day < today ? undefined : predictDueAmount(terms, day)?.finalCents;
    // Of two rows of one day the first says more, except that a due date is told as such.
    if (cents !== undefined && (!byDay.has(day) || label === 'No vencimento'))
      byDay.set(day, { label, day, cents });
  }
  return [...byDay.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
}
