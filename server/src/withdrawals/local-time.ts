import { calendarDayOf as calendarDay, daysAfter, startOfDay } from '../calendar-day.ts';

/** `from` is inclusive, `until` exclusive. */
export type TimeWindow = { readonly from: Date; readonly until: Date };

/** The calendar day of `at` in Brasília. */
export function dayWindow(at: Date): TimeWindow {
  const day = calendarDay(at);
  return { from: startOfDay(day), until: startOfDay(daysAfter(day, 1)) };
}

const nightBegins = 20;
const nightEnds = 6;

/** The night that `at` lies in, 20:00 to 06:00 in Brasília; undefined by day. */
export function nightWindow(at: Date): TimeWindow | undefined {
  const day = calendarDay(at);
  const [morning, evening] = [hourOf(day, nightEnds), hourOf(day, nightBegins)];
  if (at < morning) return { from: hourOf(daysAfter(day, -1), nightBegins), until: morning };
  if (at < evening) return undefined;
  return { from: evening, until: hourOf(daysAfter(day, 1), nightEnds) };
}

/** When a day or a night next begins in Brasília: the same limits apply until then. */
export function nextTurn(at: Date): Date {
  const day = calendarDay(at);
  const turns = [hourOf(day, nightEnds), hourOf(day, nightBegins), startOfDay(daysAfter(day, 1))];
  return turns.find((turn) => turn > at) ?? startOfDay(daysAfter(day, 1));
}

function hourOf(day: string, hour: number): Date {
  return new Date(startOfDay(day).getTime() + hour * 3_600_000);
}
