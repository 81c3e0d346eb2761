/*
 * Brazil's business days, as banks count them: Monday to Friday, without the national holidays. A bank may also leave out
 * the holidays of the payer's town, which nobody knows beforehand. Days are written YYYY-MM-DD.
 */
const DAY_MS = 86_400_000;

/** Holidays on the same day of each year, with the first year in which the whole country kept them. */
const FIXED_HOLIDAYS: ReadonlyMap<string, number> = new Map([
  ['01-01', 0],
  ['04-21', 0],
  ['05-01', 0],
  ['09-07', 0],
  ['10-12', 0],
  ['11-02', 0],
  ['11-15', 0],
  // Law 14.759 of 2023.
  ['11-20', 2024],
  ['12-25', 0],
]);

/** Monday and Tuesday of Carnival, Good Friday and Corpus Christi, in days from Easter. */
const HOLIDAYS_FROM_EASTER: ReadonlySet<number> = new Set([-48, -47, -2, 60]);

const toMs = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** The calendar day that is `days` later, or earlier if `days` is negative. */
export function addDays(day: string, days: number): string {
  return new Date(toMs(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many calendar days `to` is after `from`; negative if it is before. */
export function daysBetween(from: string, to: string): number {
  return (toMs(to) - toMs(from)) / DAY_MS;
}

export function isBusinessDay(day: string): boolean {
  const weekday = new Date(toMs(day)).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  const year = Number(day.slice(0, 4));
  const keptSince = FIXED_HOLIDAYS.get(day.slice(5));
  if (keptSince !== undefined && year >= keptSince) return false;
  return !HOLIDAYS_FROM_EASTER.has(daysBetween(easterSunday(year), day));
}

/** The day itself if it is a business day, and the next one otherwise. */
export function rollToBusinessDay(day: string): string {
  let rolled = day;
  while (!isBusinessDay(rolled)) rolled = addDays(rolled, 1);
  return rolled;
}

/** How many business days there are after `from` up to and with `to`; 0 if `to` is not later. */
export function businessDaysBetween(from: string, to: string): number {
  let count = 0;
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) if (isBusinessDay(day)) count += 1;
  return count;
}

/** Easter by the Gregorian calendar, after Meeus, Jones and Butcher. */
function easterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const correction = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const sum = epact + weekday - 7 * shift + 114;
  const month = Math.floor(sum / 31);
  return new Date(Date.UTC(year, month - 1, (sum % 31) + 1)).toISOString().slice(0, 10);
}
