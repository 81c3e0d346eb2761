import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { type Chance, seededChance } from './chance.ts';
import { type DemoPayer, generateCustomers, linkProducts, pickPurchase } from './shop.ts';

/** A planned sale of the demo's fictional shop: its charge, and the payment unless the charge stays unpaid. */
export type Sale = {
  readonly at: Date;
  readonly amountCents: number;
  readonly description: string;
  readonly channel: 'panel' | 'api' | 'link' | 'counter';
  /** Which of the shop's links or counter codes was used. */
  readonly itemIndex?: number;
  readonly expiresInSeconds: number;
  /** Undefined if the sale is never paid. */
  readonly payment: { readonly afterSeconds: number; readonly payer: DemoPayer } | undefined;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The number of sales on each weekday halfway through the period, Sunday first. */
const salesByWeekday = [1, 2, 4, 5, 5, 7, 12] as const;
/** Hours of the day; a busier hour is listed more often, and so is picked more often. */
const counterHours = [9, 10, 10, 11, 11, 11, 12, 12, 14, 15, 15, 16, 17, 17, 18] as const;
const onlineHours = [8, 12, 13, 19, 20, 20, 21, 21, 22] as const;
/** Month and day of holidays on which a shop in Recife is closed. */
const holidays = new Set(
  '01-01 03-06 04-21 05-01 06-24 07-16 09-07 10-12 11-02 11-15 11-20 12-08 12-25'.split(' '),
);
/** The market day: a Saturday two to three weeks ago with twice the sales. */
const marketDaysAgo = { from: 21, to: 14 };

/**
 * Plans the sales between two moments, oldest first: distributed by weekday and hour, growing over time, none on
 * holidays. The last two are charges created a few minutes before `now`, which a user of the demo can still pay.
 */
export function planSales(since: Date, now: Date): Sale[] {
  const chance = seededChance(20_260_418);
  const payers = generateCustomers(chance, 120);
  const sales: Sale[] = [];
  const firstDay = daysAfter(calendarDayOf(since), 1);
  const today = calendarDayOf(now);
  const periodMs = Math.max(1, now.getTime() - since.getTime());
  for (let day = firstDay; day <= today; day = daysAfter(day, 1)) {
    const midnight = startOfDay(day);
    // Sales grow from 75 % to 125 % of the numbers in `salesByWeekday`.
    const growth = 0.75 + (0.5 * (midnight.getTime() - since.getTime())) / periodMs;
    // The random part, from −0.5 to 0.49, varies the count from week to week.
    const variation = chance.integerBelow(100) / 100 - 0.5;
    const count = Math.round(salesCountOn(day, midnight, today) * growth + variation);
    for (let index = 0; index < count; index += 1)
      sales.push(planSale(chance, payers, midnight, sales.length));
  }
  const earlierSales = sales.filter(({ at, payment }) => {
    // Keeps an unpaid charge only if it has surely expired by now: only the charges of `planOpenCharges` can still be
    // paid.
    const minAgeMs = payment === undefined ? 2 * hourMs : 15 * minuteMs;
    return at.getTime() < now.getTime() - minAgeMs;
  });
  const workshopSales = planWorkshopSales(payers, today).filter(({ at }) => at > since);
  const salesToday = planSalesToday(chance, payers, startOfDay(today), now);
  return [
    ...[...earlierSales, ...salesToday, ...workshopSales].toSorted(
      (left, right) => left.at.getTime() - right.at.getTime(),
    ),
    ...planOpenCharges(now),
  ];
}

/**
 * Plans sales for today, so that the screens of today are never empty; except in the first 20 minutes after midnight,
 * when there is not enough time for them.
 */
function planSalesToday(chance: Chance, payers: readonly DemoPayer[], midnight: Date, now: Date): Sale[] {
  const passedMs = now.getTime() - midnight.getTime();
  if (passedMs < 20 * minuteMs) return [];
  return [0.55, 0.75, 0.92].map((fraction) => ({
    ...planSale(chance, payers, midnight, 0),
    at: new Date(midnight.getTime() + fraction * (passedMs - 15 * minuteMs)),
    channel: 'api',
  }));
}

function salesCountOn(day: string, midnight: Date, today: string): number {
  if (holidays.has(day.slice(5))) return 0;
  const weekday = weekdayOf(midnight);
  const count = salesByWeekday[weekday] ?? 0;
  const isMarketDay =
    weekday === saturday &&
    day > daysAfter(today, -marketDaysAgo.from) &&
    day <= daysAfter(today, -marketDaysAgo.to);
  return isMarketDay ? 2 * count : count;
}

function planSale(chance: Chance, payers: readonly DemoPayer[], midnight: Date, serial: number): Sale {
  // A more frequent channel is listed more often.
  const channel = chance.pick([
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
  const isOnline = channel === 'api' || channel === 'link';
  const hour = chance.pick(isOnline ? [...onlineHours, ...counterHours] : counterHours);
  const at = new Date(midnight.getTime() + hour * hourMs + chance.integerBelow(3600) * 1000);
  // About a third of the sales by link are of the second product. On Saturdays payers use the second counter code, at
  // the market.
  const usesSecondLink = channel === 'link' && serial % 3 === 1;
  const usesSecondCode = channel === 'counter' && weekdayOf(midnight) === saturday;
  const itemIndex = usesSecondLink || usesSecondCode ? 1 : 0;
  const { description, cents } =
    channel === 'link'
      ? { ...linkProducts[itemIndex], description: linkProducts[itemIndex].name }
      : pickPurchase(chance);
  // Regular customers come more often: squaring a uniform number favours the first customers.
  const payer =
    payers[Math.floor((chance.integerBelow(1000) / 1000) ** 2 * payers.length)] ?? chance.pick(payers);
  // Every eleventh charge stays unpaid. A sale at the counter has no charge before it is paid, so none can stay unpaid.
  const isNeverPaid = channel !== 'counter' && serial % 11 === 6;
  return {
    at,
    amountCents: cents,
    description,
    channel,
    itemIndex,
    expiresInSeconds: channel === 'panel' ? 1800 : 3600,
    payment: isNeverPaid ? undefined : { afterSeconds: 25 + chance.integerBelow(200), payer },
  };
}

const saturday = 6;

/** The weekday of a day that begins at `midnight`; 0 is Sunday. At noon in São Paulo, UTC has the same weekday. */
function weekdayOf(midnight: Date): number {
  return new Date(midnight.getTime() + 12 * hourMs).getUTCDay();
}

/** Plans the sale of all places in the shop's workshop through its payment link, on two evenings. */
function planWorkshopSales(payers: readonly DemoPayer[], today: string): Sale[] {
  const itemIndex = 2;
  const { stock = 0, cents, name } = linkProducts[itemIndex];
  return payers.slice(0, stock).map((payer, index) => {
    const midnight = startOfDay(daysAfter(today, index < stock / 2 ? -16 : -15));
    return {
      at: new Date(midnight.getTime() + 19 * hourMs + index * 17 * minuteMs),
      amountCents: cents,
      description: name,
      channel: 'link',
      itemIndex,
      expiresInSeconds: 3600,
      payment: { afterSeconds: 60 + index, payer },
    };
  });
}

/** Plans the charges that are still open when the history ends, so that a user of the demo can pay them. */
function planOpenCharges(now: Date): Sale[] {
  const openCharge = { expiresInSeconds: 86_400, payment: undefined };
  return [
    {
      ...openCharge,
      at: new Date(now.getTime() - 14 * minuteMs),
      amountCents: 21_990,
      description: 'Kit presente Recife',
      channel: 'api',
    },
    {
      ...openCharge,
      at: new Date(now.getTime() - 5 * minuteMs),
      amountCents: 5890,
      description: 'Bolo de rolo 400 g e café',
      channel: 'panel',
    },
  ];
}
