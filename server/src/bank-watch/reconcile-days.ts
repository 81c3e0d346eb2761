import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { countReceived } from './booked-store.ts';
import { compareReceived } from './compare-received.ts';
import { compareSent } from './compare-sent.ts';
import {
  type ComparisonProgress,
  finishDay,
  type KnownDay,
  listDays,
  readBeginning,
  releaseDay,
  takeDay,
  writeProgress,
} from './day-store.ts';
import { closeItemsNotFoundAgain } from './open-item.ts';
import type { DayWindow } from './report-difference.ts';

const dayMs = 24 * 3_600_000;
/** A day is compared from three o'clock of the next day on, when traffic is low. */
const nightMs = 3 * 3_600_000;
/** A day is compared on this many nights, because returns come later than their Pix. */
const nights = 3;
/** A day that differs is compared every night until it agrees, for this many days. */
const keptDays = 30;
const leaseMs = 10 * 60_000;
/** A busy day is compared hour by hour, one run each, so that a crash loses at most one run. */
const hourMs = 3_600_000;
const MANY_PIX = 20_000;

/**
 * Compares the bank's lists of past days with our records, part of one day at a time; any process may take the next
 * part. Returns 0 when nothing is due.
 */
export async function reconcileDays(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const beginning = await readBeginning(deps.db);
  if (beginning === undefined) return 0;
  const oldest = maxOf(calendarDayOf(beginning), daysAfter(calendarDayOf(now), -keptDays));
  const [day] = dueDays(oldest, now, await listDays(deps.db, oldest));
  if (day === undefined) return 0;
  return (await comparePart(deps, day, MANY_PIX)) === undefined ? 0 : 1;
}

/** Compares a whole day now, regardless of earlier comparisons; hour by hour from `manyPix` Pix on. */
export async function reconcileDay(deps: Deps, day: string, manyPix = MANY_PIX): Promise<ComparisonProgress> {
  for (;;) {
    const found = await comparePart(deps, day, manyPix);
    if (found === undefined) throw new Error(`the day ${day} is being compared by somebody else`);
    if (found.until >= startOfDay(daysAfter(day, 1))) return found;
  }
}

/** Days due for comparison, oldest first. */
export function dueDays(oldest: string, now: Date, known: readonly KnownDay[]): string[] {
  const byDay = new Map(known.map((one) => [one.day, one]));
  const lastNight = new Date(
    startOfDay(calendarDayOf(new Date(now.getTime() - nightMs))).getTime() + nightMs,
  );
  const due: string[] = [];
  for (
    let day = oldest;
    startOfDay(day).getTime() + dayMs + nightMs <= now.getTime();
    day = daysAfter(day, 1)
  ) {
    const { comparedAt, differences = 0, takenUntil } = byDay.get(day) ?? {};
    const isTaken = takenUntil !== undefined && takenUntil > now;
    const wanted = differences > 0 || daysAfter(day, nights) >= calendarDayOf(lastNight);
    const isDone = comparedAt !== undefined && (comparedAt >= lastNight || !wanted);
    if (!isTaken && !isDone) due.push(day);
  }
  return due;
}

function maxOf(one: string, other: string): string {
  return one > other ? one : other;
}

/** Compares the next part of a day; undefined if another process has it. */
async function comparePart(
  deps: Deps,
  day: string,
  manyPix: number,
): Promise<ComparisonProgress | undefined> {
  const now = deps.clock.now();
  const taken = await inTransaction(deps, (tx) => takeDay(tx, day, new Date(now.getTime() + leaseMs)));
  if (taken === undefined) return undefined;
  const before = taken.progress ?? begin(day, now);
  const window = await nextWindow(deps, day, before.until, manyPix);
  const found = await compareWindow(deps, window).catch(async (error: unknown) => {
    await releaseDay(deps.db, day);
    throw error;
  });
  const after: ComparisonProgress = {
    startedAt: before.startedAt,
    until: window.until,
    receivedCents: before.receivedCents + found.receivedCents,
    returnedCents: before.returnedCents + found.returnedCents,
    sentCents: before.sentCents + found.sentCents,
    differences: before.differences + found.differences,
  };
  const isDone = after.until >= startOfDay(daysAfter(day, 1));
  await inTransaction(deps, async (tx) => {
    if (!isDone) return writeProgress(tx, day, after);
    await closeItemsNotFoundAgain(tx, day, after.startedAt);
    return finishDay(tx, day, after);
  });
  if (isDone) deps.log.info({ day, ...after }, "a day was compared with the bank's lists");
  return after;
}

function begin(day: string, now: Date): ComparisonProgress {
  const none = { receivedCents: 0, returnedCents: 0, sentCents: 0, differences: 0 };
  return { startedAt: now, until: startOfDay(day), ...none };
}

async function nextWindow({ db }: Deps, day: string, from: Date, manyPix: number): Promise<DayWindow> {
  const until = startOfDay(daysAfter(day, 1));
  const isBusy = (await countReceived(db, { from, until }, manyPix)) === manyPix;
  return { day, from, until: isBusy ? new Date(Math.min(from.getTime() + hourMs, until.getTime())) : until };
}

type Found = Omit<ComparisonProgress, 'until' | 'startedAt'>;

/**
 * Compares the bank's lists of a window with our records. Missing Pix are booked; other differences go to the
 * operator. Both lists are read page by page; the bank's ids are kept only if the sums differ, to find what it does
 * not list.
 */
export async function compareWindow(deps: Deps, window: DayWindow): Promise<Found> {
  const received = await compareReceived(deps, window);
  const sent = deps.psp.payouts === undefined ? nothing : await compareSent(deps, deps.psp.payouts, window);
  return {
    receivedCents: received.receivedCents,
    returnedCents: received.returnedCents,
    sentCents: sent.sentCents,
    differences: received.differences + sent.differences,
  };
}

const nothing = { sentCents: 0, differences: 0 };
