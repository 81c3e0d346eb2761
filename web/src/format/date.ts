// Dates and times as Brazilian text. A moment is an ISO timestamp; a calendar day is `yyyy-MM-dd`.

/** The time zone in which a merchant's day begins and ends. */
const TIME_ZONE = 'America/Sao_Paulo';
/** The text for a missing moment. */
const MISSING = 'N/A';
/** The text for a moment that is not a timestamp. */
const INVALID = 'Data inválida';
const DAY_MS = 86_400_000;

const dateToMinute = {
  timeZone: TIME_ZONE,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const;
const dateTime = new Intl.DateTimeFormat('pt-BR', dateToMinute);
const dateTimeToSecond = new Intl.DateTimeFormat('pt-BR', { ...dateToMinute, second: '2-digit' });
const dateOnly = new Intl.DateTimeFormat('pt-BR', {
  timeZone: TIME_ZONE,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
});
const timeOnly = new Intl.DateTimeFormat('pt-BR', {
  timeZone: TIME_ZONE,
  hour: '2-digit',
  minute: '2-digit',
});
const dayInWords = new Intl.DateTimeFormat('pt-BR', {
  timeZone: TIME_ZONE,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});
const isoDay = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE });
const weekday = new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', weekday: 'short' });
const relative = new Intl.RelativeTimeFormat('pt-BR', { numeric: 'auto' });

/** An ISO timestamp, if there is one. */
type Moment = string | null | undefined;

/** Formats a moment. A missing or an invalid moment has a text of its own. */
function formatOrFallback(moment: Moment, format: (date: Date) => string): string {
  if (moment == null || moment === '') return MISSING;
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? INVALID : format(date);
}

/** An ISO timestamp as `dd/MM/yyyy HH:mm` in São Paulo; `N/A` when missing, `Data inválida` when invalid. */
export function formatDateTime(moment: Moment): string {
  return formatOrFallback(moment, (date) => dateTime.format(date).replace(', ', ' '));
}

/** An ISO timestamp as `dd/MM/yyyy HH:mm:ss`, for lists in which the order of events matters. */
export function formatDateTimeToSecond(moment: Moment): string {
  return formatOrFallback(moment, (date) => dateTimeToSecond.format(date).replace(', ', ' '));
}

/** An ISO timestamp as `dd/MM/yyyy`. */
export function formatDate(moment: Moment): string {
  return formatOrFallback(moment, (date) => dateOnly.format(date));
}

/**
 * A calendar day as `dd/MM/yyyy`. Noon UTC falls on the same day in São Paulo, where midnight UTC is still the previous
 * day.
 */
export function formatCalendarDay(day: string): string {
  return formatDate(`${day}T12:00:00Z`);
}

/** An ISO timestamp as `dd/MM/yyyy às HH:mm`. */
export function formatDateAtTime(moment: Moment): string {
  return formatOrFallback(moment, (date) => `${dateOnly.format(date)} às ${timeOnly.format(date)}`);
}

/** An ISO timestamp as `HH:mm`. */
export function formatTime(moment: Moment): string {
  return formatOrFallback(moment, (date) => timeOnly.format(date));
}

/** The day of a moment in São Paulo as `sábado, 21 de novembro`. */
export function formatDayInWords(date: Date): string {
  return dayInWords.format(date);
}

/** A calendar day as `sábado, 21 de novembro`, or with `de 2025` at the end if its year is not the current one. */
export function formatDayHeading(day: string, now = new Date()): string {
  const words = dayInWords.format(new Date(`${day}T12:00:00Z`));
  const year = day.slice(0, 4);
  return year === dayOf(now).slice(0, 4) ? words : `${words} de ${year}`;
}

/** The calendar day of a moment in São Paulo, in the form that the API uses: `yyyy-MM-dd`. */
export function dayOf(date: Date): string {
  return isoDay.format(date);
}

/** A moment as the value of a `datetime-local` input: `yyyy-MM-ddTHH:mm` in São Paulo. */
export function toDateTimeInput(moment: string): string {
  return `${dayOf(new Date(moment))}T${formatTime(moment)}`;
}

/**
 * The moment that a user typed into a `datetime-local` input, in the time of São Paulo, as an ISO timestamp; null if it
 * is incomplete. São Paulo is three hours behind UTC all year.
 */
export function fromDateTimeInput(value: string): string | null {
  // Browsers parse some incomplete texts as other moments, so the text is checked too.
  const date = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value) ? `${value}:00-03:00` : Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** The calendar day that is this number of days later, or earlier for a negative number. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** A calendar day as `dd/MM`. */
export function formatDayMonth(day: string): string {
  const [, month = '', date = ''] = day.split('-');
  return `${date}/${month}`;
}

/** The label of a day below a chart: `10/11`, or `hoje` for the last day, because a chart ends today. */
export function formatChartDay(days: readonly { readonly day: string }[], index: number): string {
  return index === days.length - 1 ? 'hoje' : formatDayMonth(days[index]?.day ?? '');
}

/** A calendar day as `ter 10/11`. */
export function formatWeekday(day: string): string {
  const name = weekday.format(new Date(`${day}T00:00:00Z`)).replace('.', '');
  return `${name} ${formatDayMonth(day)}`;
}

const relativeUnits = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** The distance of a timestamp from now: `há 5 minutos`, `ontem`, `agora`. It is empty for an invalid timestamp. */
export function formatRelative(moment: Moment, now: Date): string {
  const seconds = moment == null ? Number.NaN : (Date.parse(moment) - now.getTime()) / 1000;
  if (Number.isNaN(seconds)) return '';
  const largestUnit = relativeUnits.find(([, size]) => Math.abs(seconds) >= size);
  if (largestUnit === undefined) return 'agora';
  const [unit, unitSeconds] = largestUnit;
  return relative.format(Math.trunc(seconds / unitSeconds), unit);
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The whole seconds that are left as `28:41`, or as `23:59:59` from one hour on. The result is never below `00:00`. */
export function formatCountdown(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(wholeSeconds / 3600);
  const minutesAndSeconds = `${twoDigits(Math.floor(wholeSeconds / 60) % 60)}:${twoDigits(wholeSeconds % 60)}`;
  return hours === 0 ? minutesAndSeconds : `${twoDigits(hours)}:${minutesAndSeconds}`;
}

/** A number of whole days: `1 dia`, `30 dias`. */
export function formatDays(days: number): string {
  return days === 1 ? '1 dia' : `${days} dias`;
}

/** A duration in whole seconds, in its two largest units: `4 min 12 s`, `1 h 5 min`, `2 d 3 h`, `40 s`. */
export function formatDuration(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.floor(seconds));
  const parts = [
    [Math.floor(wholeSeconds / 86_400), 'd'],
    [Math.floor(wholeSeconds / 3600) % 24, 'h'],
    [Math.floor(wholeSeconds / 60) % 60, 'min'],
    [wholeSeconds % 60, 's'],
  ] as const;
  const firstNonZero = parts.findIndex(([count]) => count > 0);
  const largestParts = firstNonZero === -1 ? parts.slice(-1) : parts.slice(firstNonZero, firstNonZero + 2);
  return largestParts
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, unit]) => `${count}\u00a0${unit}`)
    .join(' ');
}

const timeLeftUnits = [
  ['dia', 86_400],
  ['hora', 3_600],
  ['minuto', 60],
] as const;

/**
 * The time left until a timestamp: `faltam 2 dias`, `faltam 47 horas`; null once the timestamp has passed. A unit is
 * used only while at least two of that unit are left, so that `falta 1 dia` never stands for almost two days. Less than
 * two minutes are `falta 1 minuto`, and less than one minute is `falta menos de 1 minuto`.
 */
export function formatTimeLeft(moment: string, nowMs: number): string | null {
  const seconds = (Date.parse(moment) - nowMs) / 1000;
  if (!(seconds > 0)) return null;
  const [unit, unitSeconds] = timeLeftUnits.find(([, size]) => seconds >= 2 * size) ?? ['minuto', 60];
  const count = Math.floor(seconds / unitSeconds);
  if (count === 0) return 'falta menos de 1 minuto';
  return `${count === 1 ? 'falta' : 'faltam'} ${count} ${count === 1 ? unit : `${unit}s`}`;
}
