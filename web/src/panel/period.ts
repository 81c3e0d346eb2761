import { formatDayMonth } from '../format/date.ts';

/** From and to are calendar days in São Paulo, `yyyy-MM-dd`, both inclusive; a missing one leaves the period open. */
export type Period = { from?: string; to?: string };

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

/** Reads a period from an address; invalid days are dropped, and reversed ends are swapped. */
export function periodFrom(address: Record<string, unknown>): Period {
  const from = isDay(address['from']) ? address['from'] : undefined;
  const to = isDay(address['to']) ? address['to'] : undefined;
  const [first, last] = from && to && from > to ? [to, from] : [from, to];
  return { ...(first && { from: first }), ...(last && { to: last }) };
}

/** The period in words, for the button that shows it; `whole` is the label when no period is chosen. */
export function periodInWords({ from, to }: Period, whole = 'Período'): string {
  if (from && to)
    return from === to ? formatDayMonth(from) : `${formatDayMonth(from)} – ${formatDayMonth(to)}`;
  if (from) return `desde ${formatDayMonth(from)}`;
  return to ? `até ${formatDayMonth(to)}` : whole;
}
