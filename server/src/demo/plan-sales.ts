import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { type Chance, startChance } from './chance.ts';
import { basket, customers, type DemoPayer, linkGoods } from './shop.ts';

export type Sale = {
  readonly at: Date;
  readonly amountCents: number;
  readonly description: string;
  readonly way: 'panel' | 'api' | 'link' | 'counter';
  /** Index of the shop's link or counter code. */
  readonly which?: number;
  readonly expiresInSeconds: number;
  /** Undefined: it is never paid. */
  readonly paid: { readonly afterSeconds: number; readonly payer: DemoPayer } | undefined;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Sales per day halfway through the period, Sunday first. */
const salesByWeekday = [1, 2, 4, 5, 5, 7, 12] as const;
/** Hours of the day, each listed as often as it is busy. */
const counterHours = [9, 10, 10, 11, 11, 11, 12, 12, 14, 15, 15, 16, 17, 17, 18] as const;
const onlineHours = [8, 12, 13, 19, 20, 20, 21, 21, 22] as const;
/** Month and day of holidays on which a shop in Recife is closed. */
const shut = new Set(
  '01-01 03-06 04-21 05-01 06-24 07-16 09-07 10-12 11-02 11-15 11-20 12-08 12-25'.split(' '),
);
/** The market day: a Saturday two to three weeks ago with twice the sales. */
const marketDaysAgo = { from: 21, to: 14 };

/**
 * The sales between two moments, oldest first: distributed by weekday and hour, growing over time, none on holidays.
 * The last ones were created just now and can still be paid.
 */
export function planSales(since: Date, now: Date): Sale[] {
  const chance = startChance(20_260_418);
  const known = customers(chance, 120);
  const sales: Sale[] = [];
  const [first, today] = [daysAfter(calendarDayOf(since), 1), calendarDayOf(now)];
  const span = Math.max(1, now.getTime() - since.getTime());
  for (let day = first; day <= today; day = daysAfter(day, 1)) {
    const midnight = startOfDay(day);
    const grown = 0.75 + (0.5 * (midnight.getTime() - since.getTime())) / span;
    const count = Math.round(countOf(day, midnight, today) * grown + chance.below(100) / 100 - 0.5);
    for (let nth = 0; nth < count; nth += 1) sales.push(planSale(chance, known, midnight, sales.length));
  }
  const done = sales.filter(({ at, paid }) => {
    // Unpaid charges must have expired by now: only those of `planOpen` are left to pay.
    const leastAgeMs = paid === undefined ? 2 * hourMs : 15 * minuteMs;
    return at.getTime() < now.getTime() - leastAgeMs;
  });
  const workshop = planWorkshop(known, today).filter(({ at }) => at > since);
  const early = planToday(chance, known, startOfDay(today), now);
  return [
    ...[...done, ...early, ...workshop].toSorted((one, other) => one.at.getTime() - other.at.getTime()),
    ...planOpen(now),
  ];
}

/** Ensures some sales today, at any time of any day, except in a day's first 20 minutes. */
function planToday(chance: Chance, known: readonly DemoPayer[], midnight: Date, now: Date): Sale[] {
  const passedMs = now.getTime() - midnight.getTime();
  if (passedMs < 20 * minuteMs) return [];
  return [0.55, 0.75, 0.92].map((part) => ({
    ...planSale(chance, known, midnight, 0),
    at: new Date(midnight.getTime() + part * (passedMs - 15 * minuteMs)),
    way: 'api',
  }));
}

function countOf(day: string, midnight: Date, today: string): number {
  if (shut.has(day.slice(5))) return 0;
  const weekday = new Date(midnight.getTime() + 12 * hourMs).getUTCDay();
  const count = salesByWeekday[weekday] ?? 0;
  const isMarket =
    weekday === 6 &&
    day > daysAfter(today, -marketDaysAgo.from) &&
    day <= daysAfter(today, -marketDaysAgo.to);
  return isMarket ? 2 * count : count;
}

function planSale(chance: Chance, known: readonly DemoPayer[], midnight: Date, serial: number): Sale {
  const way = chance.of([
    'api',
    'api',
    'api',
    'api',
    'panel',
    'panel',
    'panel',
    'counter',
    'counter',
    'link',
  ] as const);
  const isOnline = way === 'api' || way === 'link';
  const hour = chance.of(isOnline ? [...onlineHours, ...counterHours] : counterHours);
  const at = new Date(midnight.getTime() + hour * hourMs + chance.below(3600) * 1000);
  const which = (way === 'link' && serial % 3 === 1) || (way === 'counter' && isSaturday(midnight)) ? 1 : 0;
  const { description, cents } =
    way === 'link' ? { ...linkGoods[which], description: linkGoods[which].name } : basket(chance);
  // Regulars come more often: squaring a uniform number favours the first customers.
  const payer = known[Math.floor((chance.below(1000) / 1000) ** 2 * known.length)] ?? chance.of(known);
  const isForgotten = way !== 'counter' && serial % 11 === 6;
  return {
    at,
    amountCents: cents,
    description,
    way,
    which,
    expiresInSeconds: way === 'panel' ? 1800 : 3600,
    paid: isForgotten ? undefined : { afterSeconds: 25 + chance.below(200), payer },
  };
}

function isSaturday(midnight: Date): boolean {
  return new Date(midnight.getTime() + 12 * hourMs).getUTCDay() === 6;
}

/** All places of the workshop, sold through its link on two evenings. */
function planWorkshop(known: readonly DemoPayer[], today: string): Sale[] {
  const which = 2;
  const { most = 0, cents, name } = linkGoods[which];
  return known.slice(0, most).map((payer, nth) => {
    const midnight = startOfDay(daysAfter(today, nth < most / 2 ? -16 : -15));
    return {
      at: new Date(midnight.getTime() + 19 * hourMs + nth * 17 * minuteMs),
      amountCents: cents,
      description: name,
      way: 'link',
      which,
      expiresInSeconds: 3600,
      paid: { afterSeconds: 60 + nth, payer },
    };
  });
}

/** Open charges that the user of the demo can pay. */
function planOpen(now: Date): Sale[] {
  const open = { expiresInSeconds: 86_400, paid: undefined };
  return [
    {
      ...open,
      at: new Date(now.getTime() - 14 * minuteMs),
      amountCents: 21_990,
      description: 'Kit presente Recife',
      way: 'api',
    },
    {
      ...open,
      at: new Date(now.getTime() - 5 * minuteMs),
      amountCents: 5890,
      description: 'Bolo de rolo 400 g e café',
      way: 'panel',
    },
  ];
}
