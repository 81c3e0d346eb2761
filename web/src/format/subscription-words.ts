import type { SubscriptionPeriod } from '@jangada/contract';
import { formatCalendarDay } from './date.ts';

// How often a subscription is charged, in words. A day is a calendar day, `yyyy-MM-dd`.

const noonOf = (day: string) => new Date(`${day}T12:00:00Z`);
const inWords = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', ...options });
const weekdayName = inWords({ weekday: 'long' });
const dayAndMonth = inWords({ day: 'numeric', month: 'long' });
const monthName = inWords({ month: 'long' });

const dayOfMonth = (day: string) => Number(day.slice(8, 10));

/** The last days of the longer months, which shorter months do not have. */
const lastSafeDay = 28;

/** The adverb of a period, for lists: `por mês`. */
export const periodTexts: Readonly<Record<SubscriptionPeriod, string>> = {
  weekly: 'por semana',
  monthly: 'por mês',
  quarterly: 'por trimestre',
  semiannual: 'por semestre',
  annual: 'por ano',
};

/** When it is charged, as the middle of a sentence: `todo dia 10`, `toda segunda-feira`, `a cada 3 meses, no dia 10`. */
export function repetitionText(period: SubscriptionPeriod, firstDay: string): string {
  const date = noonOf(firstDay);
  const day = dayOfMonth(firstDay);
  if (period === 'weekly')
    return `${date.getUTCDay() % 6 === 0 ? 'todo' : 'toda'} ${weekdayName.format(date)}`;
  if (period === 'monthly') return `todo dia ${day}`;
  if (period === 'annual') return `todo ano, em ${dayAndMonth.format(date)}`;
  return `a cada ${period === 'quarterly' ? 3 : 6} meses, no dia ${day}`;
}

/**
 * What happens in shorter months to a subscription that began on one of the last days of a month; null if no month lacks
 * its day.
 */
export function shortMonthText(period: SubscriptionPeriod, firstDay: string): string | null {
  const day = dayOfMonth(firstDay);
  if (period === 'weekly' || day <= lastSafeDay) return null;
  if (period === 'annual')
    return day === 29 && firstDay.slice(5, 7) === '02'
      ? 'Nos anos em que fevereiro não tem dia 29, a cobrança fica para o dia 28.'
      : null;
  return `Nos meses que não têm dia ${day}, a cobrança fica para o último dia do mês.`;
}

/**
 * What a cycle is called, by the day on which it falls due: `cobrança de janeiro`, with the year if it is not that of
 * `today`; of a weekly subscription `cobrança de 12 de janeiro`, and of an annual one `cobrança de 2027`.
 */
export function cycleName(period: SubscriptionPeriod, dueDay: string, today: string): string {
  const year = dueDay.slice(0, 4);
  if (period === 'annual') return `cobrança de ${year}`;
  const name = (period === 'weekly' ? dayAndMonth : monthName).format(noonOf(dueDay));
  return `cobrança de ${name}${year === today.slice(0, 4) ? '' : ` de ${year}`}`;
}

/** From when to when: `de 10/01/2027 até 10/12/2027`, `a partir de 10/01/2027`. */
export function termText(firstDay: string, lastDay: string | null): string {
  return lastDay === null
    ? `a partir de ${formatCalendarDay(firstDay)}`
    : `de ${formatCalendarDay(firstDay)} até ${formatCalendarDay(lastDay)}`;
}

/** The text with a capital at its beginning. */
export function asTitle(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
