import { isBusinessDay } from '@jangada/pix';

/*
 * Moments are milliseconds since 1970. Brasília has been at UTC-3 all year since 2019, so a day there is a whole number.
 */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const BRASILIA_BEHIND_UTC = 3 * HOUR;

export type Period = 'SEMANAL' | 'MENSAL' | 'TRIMESTRAL' | 'SEMESTRAL' | 'ANUAL';

const MONTHS: Readonly<Record<Exclude<Period, 'SEMANAL'>, number>> = {
  MENSAL: 1,
  TRIMESTRAL: 3,
  SEMESTRAL: 6,
  ANUAL: 12,
};

/** The number of the day, in Brasília, on which a moment lies. */
export const dayOf = (moment: number) => Math.floor((moment - BRASILIA_BEHIND_UTC) / DAY);

/** The moment at which a day begins in Brasília, and later on that day. */
export const momentOn = (day: number, sinceMidnight = 0) => day * DAY + BRASILIA_BEHIND_UTC + sinceMidnight;

/** The last millisecond of a day. */
export const endOf = (day: number) => momentOn(day + 1) - 1;

/** Until this moment, and at it, the receiver may cancel what is to be debited on `day`. */
export const receiverMayCancelUntil = (day: number) => momentOn(day - 1, 22 * HOUR);

const written = new Map<number, string>();
const read = new Map<string, number>();

/** YYYY-MM-DD of a day's number. */
export function writeDay(day: number): string {
  let text = written.get(day);
  if (text === undefined) {
    text = new Date(day * DAY).toISOString().slice(0, 10);
    written.set(day, text);
  }
  return text;
}

export function readDay(text: string): number {
  let day = read.get(text);
  if (day === undefined) {
    day = Date.parse(`${text}T00:00:00Z`) / DAY;
    read.set(text, day);
  }
  return day;
}

const business = new Map<number, boolean>();

function isBusiness(day: number): boolean {
  let known = business.get(day);
  if (known === undefined) {
    known = isBusinessDay(writeDay(day));
    business.set(day, known);
  }
  return known;
}

const NO_DAYS: ReadonlySet<number> = new Set();

/** The day itself, or the next business day, which is none of the payer's town's holidays either. */
export function settlementDay(due: number, localHolidays = NO_DAYS): number {
  let day = due;
  while (!isBusiness(day) || localHolidays.has(day)) day += 1;
  return day;
}

/** How many business days lie after `from`, up to and with `to`. */
export function businessDays(from: number, to: number): number {
  let count = 0;
  for (let day = from + 1; day <= to; day += 1) if (isBusiness(day)) count += 1;
  return count;
}

/**
 * The first day of a cycle, of which the first is number 0. Counted from the first day each time: of the 31st come the 28th
 * of February and then the 31st of March again.
 */
export function cycleStart(firstDay: number, period: Period, cycle: number): number {
  if (period === 'SEMANAL') return firstDay + 7 * cycle;
  const months = MONTHS[period] * cycle;
  const known = monthsLater.get(firstDay) ?? [];
  if (known.length === 0) monthsLater.set(firstDay, known);
  let day = known[months];
  if (day === undefined) {
    day = addMonths(firstDay, months);
    known[months] = day;
  }
  return day;
}

/** Of each first day, the days that lie so many months later. */
const monthsLater = new Map<number, number[]>();

function addMonths(firstDay: number, added: number): number {
  const first = new Date(firstDay * DAY);
  const months = first.getUTCFullYear() * 12 + first.getUTCMonth() + added;
  const year = Math.floor(months / 12);
  const daysInMonth = new Date(Date.UTC(year, (months % 12) + 1, 0)).getUTCDate();
  return Date.UTC(year, months % 12, Math.min(first.getUTCDate(), daysInMonth)) / DAY;
}

/** The cycle in which a day lies, or -1 before the first day. */
export function cycleOf(firstDay: number, period: Period, day: number): number {
  if (day < firstDay) return -1;
  const shortest = period === 'SEMANAL' ? 7 : 28 * MONTHS[period];
  let cycle = Math.ceil((day - firstDay) / shortest);
  while (cycleStart(firstDay, period, cycle) > day) cycle -= 1;
  return cycle;
}
