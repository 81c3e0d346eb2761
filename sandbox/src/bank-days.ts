/** A day of the calendar as the API writes it, such as `2026-11-30`. Days compare as texts. */
export type CalendarDay = string;

const DAY_MS = 86_400_000;
const LAST_DAY = '9999-12-31';

const SAO_PAULO_DAY = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The national holidays that have a fixed date, as `month-day`. */
const FIXED_HOLIDAYS = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];
/** Consciência Negra, a national holiday by Lei 14.759/2023. */
const BLACK_AWARENESS = { date: '11-20', firstYear: 2024 };
/** Monday and Tuesday of Carnival, Good Friday and Corpus Christi, in days after Easter. */
const DAYS_AFTER_EASTER = [-48, -47, -2, 60];

const holidaysByYear = new Map<number, ReadonlySet<CalendarDay>>();

/** Returns the day that it is in São Paulo at a time. */
export function dayAt(moment: number): CalendarDay {
  return SAO_PAULO_DAY.format(moment);
}

/** Whether a text is a day that exists. */
export function isCalendarDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(numberOf(text)) && formatDay(numberOf(text)) === text
  );
}

/** Returns the day so many days later, but none after the year 9999. */
export function addDays(day: CalendarDay, count: number): CalendarDay {
  return formatDay(Math.min(numberOf(day) + count, numberOf(LAST_DAY)));
}

/** Counts the calendar days from one day to another. */
export function countDays(from: CalendarDay, to: CalendarDay): number {
  return numberOf(to) - numberOf(from);
}

/** Counts the business days from the first day, included, to the last, not included. */
export function countBankDays(first: CalendarDay, end: CalendarDay): number {
  const days = Math.max(0, countDays(first, end));
  const weeks = Math.floor(days / 7);
  let count = 5 * weeks;
  for (let day = addDays(first, 7 * weeks); day < end; day = addDays(day, 1)) if (!isWeekend(day)) count += 1;
  for (let year = yearOf(first); year <= yearOf(end); year += 1) {
    for (const day of holidaysOf(year)) if (day >= first && day < end && !isWeekend(day)) count -= 1;
  }
  return count;
}

/** Returns the day itself if it is a business day, or else the next one that is. */
export function bankDayFrom(day: CalendarDay): CalendarDay {
  return isBankDay(day) || day === LAST_DAY ? day : bankDayFrom(addDays(day, 1));
}

/** Whether banks are open all over the country. Holidays of states and towns are not known here. */
export function isBankDay(day: CalendarDay): boolean {
  return !isWeekend(day) && !holidaysOf(yearOf(day)).has(day);
}

function isWeekend(day: CalendarDay): boolean {
  return weekdayOf(day) === 0 || weekdayOf(day) === 6;
}

function holidaysOf(year: number): ReadonlySet<CalendarDay> {
  const known = holidaysByYear.get(year);
  if (known !== undefined) return known;
  const fixed = year < BLACK_AWARENESS.firstYear ? FIXED_HOLIDAYS : [...FIXED_HOLIDAYS, BLACK_AWARENESS.date];
  const easter = easterOf(year);
  const holidays = new Set([
    ...fixed.map((date) => `${String(year).padStart(4, '0')}-${date}`),
    ...DAYS_AFTER_EASTER.map((count) => addDays(easter, count)),
  ]);
  holidaysByYear.set(year, holidays);
  return holidays;
}

/**
 * Returns Easter Sunday of the Gregorian calendar: the Sunday after the church's full moon of spring, the first on or
 * after 21 March. The method is Gauss's.
 */
function easterOf(year: number): CalendarDay {
  const century = Math.floor(year / 100);
  // Leap days that the calendar leaves out move the full moon one way, and the drift of the moon itself the other.
  const drift = Math.floor((8 * century + 13) / 25);
  const daysToMoon = (19 * (year % 19) + century - Math.floor(century / 4) - drift + 15) % 30;
  // The church's tables have no full moon on 19 April, and not the same one twice in 19 years.
  const isEarly = daysToMoon === 29 || (daysToMoon === 28 && year % 19 > 10);
  const fullMoon = addDays(`${String(year).padStart(4, '0')}-03-21`, isEarly ? daysToMoon - 1 : daysToMoon);
  return addDays(fullMoon, 7 - weekdayOf(fullMoon));
}

/** 0 for Sunday to 6 for Saturday. */
function weekdayOf(day: CalendarDay): number {
  return new Date(numberOf(day) * DAY_MS).getUTCDay();
}

function yearOf(day: CalendarDay): number {
  return Number(day.slice(0, 4));
}

/** Days since 1970; NaN for a day that does not exist. */
function numberOf(day: CalendarDay): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

function formatDay(number: number): CalendarDay {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}
