import { formatDayMonth } from '../format/date.ts';

/** Calendar days of São Paulo, `yyyy-MM-dd`, both included; an end that is absent is open. */
export type Period = { from?: string; to?: string };

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

/** Reads a period from an address; what is no day is left out, and one that ends before it begins is turned round. */
export function periodFrom(address: Record<string, unknown>): Period {
  const from = isDay(address['from']) ? address['from'] : undefined;
  const to = isDay(address['to']) ? address['to'] : undefined;
  const [first, last] = from && to && from > to ? [to, from] : [from, to];
  return { ...(first && { from: first }), ...(last && { to: last }) };
}

/** The period as it stands on its button; `whole` says what is shown without one. */
export function periodInWords({ from, to }: Period, whole = 'Período'): string {
  if (from && to)
    return from === to ? formatDayMonth(from) : `${formatDayMonth(from)} – ${formatDayMonth(to)}`;
  if (from) return `desde ${formatDayMonth(from)}`;
  return to ? `até ${formatDayMonth(to)}` : whole;
}
