import { formatDayMonth } from '../format/date.ts';

/**
 * The period that a list covers. `from` and `to` are calendar days in São Paulo, `yyyy-MM-dd`, both inclusive. If a day
 * is missing, the period is open at that end.
 */
export type Period = { from?: string; to?: string };

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

/**
 * Reads a period from the parameters of a URL. Invalid days are dropped, and the days are swapped if they are in the
 * wrong order.
 */
export function periodFrom(urlParams: Record<string, unknown>): Period {
  const from = isDay(urlParams['from']) ? urlParams['from'] : undefined;
  const to = isDay(urlParams['to']) ? urlParams['to'] : undefined;
  const [firstDay, lastDay] = from && to && from > to ? [to, from] : [from, to];
  return { ...(firstDay && { from: firstDay }), ...(lastDay && { to: lastDay }) };
}

/** The period in words, for the button that shows it; `emptyLabel` when no period is chosen. */
export function periodInWords({ from, to }: Period, emptyLabel = 'Período'): string {
  if (from && to)
    return from === to ? formatDayMonth(from) : `${formatDayMonth(from)} – ${formatDayMonth(to)}`;
  if (from) return `desde ${formatDayMonth(from)}`;
  return to ? `até ${formatDayMonth(to)}` : emptyLabel;
}
