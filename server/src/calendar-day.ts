import { addDays as daysAfter } from '@jangada/pix';

/** Calendar days are those in America/Sao_Paulo, written YYYY-MM-DD. */
const timeZone = 'America/Sao_Paulo';
const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone });

export function calendarDayOf(moment: Date): string {
  return dayFormat.format(moment);
}

/** The first moment of a calendar day. The offset is fixed: America/Sao_Paulo has kept UTC−3 all year since 2019. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00-03:00`);
}

/** The first moment of the calendar day of `now`. */
export function startOfToday(now: Date): Date {
  return startOfDay(calendarDayOf(now));
}

/** `from` is inclusive, `until` exclusive. */
export type TimeWindow = { readonly from: Date; readonly until: Date };

/**
 * Converts a range of calendar days, both inclusive and optional, to the moments `from` (inclusive) and `until`
 * (exclusive).
 */
export function spanOfDays({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): { readonly from: Date | undefined; readonly until: Date | undefined } {
  return {
    from: from === undefined ? undefined : startOfDay(from),
    until: to === undefined ? undefined : startOfDay(daysAfter(to, 1)),
  };
}

export { daysAfter };

const dateFormat = new Intl.DateTimeFormat('pt-BR', { timeZone });
const timeFormat = new Intl.DateTimeFormat('pt-BR', { timeZone, timeStyle: 'short' });

/** Formats the day of a moment: `22/11/2026`. */
export function formatDay(moment: Date): string {
  return dateFormat.format(moment);
}

/** Formats a moment for use in a sentence: `22/11/2026 às 15:04`. */
export function formatMomentForSentence(moment: Date): string {
  return `${formatDay(moment)} às ${timeFormat.format(moment)}`;
}

export const nightStartHour = 20;
export const nightEndHour = 6;

/** The night, from 20:00 to 06:00 in Brasília, to which a time belongs; undefined for a time by day. */
export function nightWindow(time: Date): TimeWindow | undefined {
  const day = calendarDayOf(time);
  const [morning, evening] = [timeAtHour(day, nightEndHour), timeAtHour(day, nightStartHour)];
  if (time < morning) return { from: timeAtHour(daysAfter(day, -1), nightStartHour), until: morning };
  if (time < evening) return undefined;
  return { from: evening, until: timeAtHour(daysAfter(day, 1), nightEndHour) };
}

/** Hours can be added to the start of a day, because Brasília has no daylight saving time. */
export function timeAtHour(day: string, hour: number): Date {
  return new Date(startOfDay(day).getTime() + hour * 3_600_000);
}
