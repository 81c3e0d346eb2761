import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import type { AtBank } from '../psp/index.ts';
import { countBookedPix } from './booked-store.ts';
import { compareReceived } from './compare-received.ts';
import { compareSent } from './compare-sent.ts';
import {
  type ComparisonProgress,
  finishDay,
  leaseDay,
  listStartedDays,
  readBeginning,
  releaseDay,
  type StartedDay,
  writeProgress,
} from './day-store.ts';
import { closeResolvedDayItems } from './open-item.ts';
import type { DayWindow } from './report-difference.ts';

const dayMs = 24 * 3_600_000;
/** A day is first compared after three o'clock the next morning, when traffic is low. */
const startAfterMidnightMs = 3 * 3_600_000;
/** Every day is compared on this many nights, because its Pix may be returned on a later day. */
const nightsPerDay = 3;
/** A day with differences is compared every night until none is left, or until the day is older than this. */
const maxDayAgeDays = 30;
/**
 * The length of a lease (exclusive right to compare) on a day. After a crash, another process continues when the lease
 * has expired.
 */
const leaseMs = 10 * 60_000;
/** A busy day is compared hour by hour, each in a run of its own, so that a crash loses at most one hour's work. */
const hourMs = 3_600_000;
/** A day with this many Pix is busy. */
const BUSY_DAY_PIX = 20_000;

/**
 * Compares the lists of an account's bank of past days with our records, one part of a day in each run; any process may
 * compare the next part. Returns 0 when nothing is due.
 */
export async function reconcileDays(deps: AtBank): Promise<number> {
  const now = deps.clock.now();
  const beginning = await readBeginning(deps.db, deps.connection.id);
  if (beginning === undefined) return 0;
  const oldest = laterDay(calendarDayOf(beginning), daysAfter(calendarDayOf(now), -maxDayAgeDays));
  const [day] = dueDays(oldest, now, await listStartedDays(deps.db, deps.connection.id, oldest));
  if (day === undefined) return 0;
  return (await comparePart(deps, day, BUSY_DAY_PIX)) === undefined ? 0 : 1;
}

/**
 * Compares a whole day now, even if it was compared before. A comparison that has already begun is continued. A day
 * with `busyDayPix` Pix or more is compared hour by hour.
 */
export async function reconcileDay(
  deps: AtBank,
  day: string,
  busyDayPix = BUSY_DAY_PIX,
): Promise<ComparisonProgress> {
  for (;;) {
    const progress = await comparePart(deps, day, busyDayPix);
    if (progress === undefined) throw new Error(`the day ${day} is being compared by somebody else`);
    if (progress.until >= startOfDay(daysAfter(day, 1))) return progress;
  }
}

/** Returns the days from `oldest` on that are due for comparison, oldest first. */
export function dueDays(oldest: string, now: Date, started: readonly StartedDay[]): string[] {
  const startedByDay = new Map(started.map((startedDay) => [startedDay.day, startedDay]));
  // When the comparisons of the most recent night began.
  const lastNight = new Date(
    startOfDay(calendarDayOf(new Date(now.getTime() - startAfterMidnightMs))).getTime() +
      startAfterMidnightMs,
  );
  const due: string[] = [];
  for (let day = oldest; firstComparisonMs(day) <= now.getTime(); day = daysAfter(day, 1)) {
    const { comparedAt, differences = 0, leasedUntil } = startedByDay.get(day) ?? {};
    const isLeased = leasedUntil !== undefined && leasedUntil > now;
    const isRecent = daysAfter(day, nightsPerDay) >= calendarDayOf(lastNight);
    const mustRepeatNightly = isRecent || differences > 0;
    const isDone = comparedAt !== undefined && (comparedAt >= lastNight || !mustRepeatNightly);
    if (!isLeased && !isDone) due.push(day);
  }
  return due;
}

/** Returns when a day is first compared: in the night after it. */
function firstComparisonMs(day: string): number {
  return startOfDay(day).getTime() + dayMs + startAfterMidnightMs;
}

function laterDay(a: string, b: string): string {
  return a > b ? a : b;
}

/** Compares the next part of a day and returns its progress; undefined if another process compares the day. */
async function comparePart(
  deps: AtBank,
  day: string,
  busyDayPix: number,
): Promise<ComparisonProgress | undefined> {
  const now = deps.clock.now();
  const accountDay = { connectionId: deps.connection.id, day };
  const lease = await inTransaction(deps, (tx) =>
    leaseDay(tx, accountDay, new Date(now.getTime() + leaseMs)),
  );
  if (lease === undefined) return undefined;
  const before = lease.progress ?? initialProgress(day, now);
  const window = await nextWindow(deps, day, before.until, busyDayPix);
  const result = await compareWindow(deps, window).catch(async (error: unknown) => {
    await releaseDay(deps.db, accountDay);
    throw error;
  });
  const after: ComparisonProgress = {
    startedAt: before.startedAt,
    until: window.until,
    receivedCents: before.receivedCents + result.receivedCents,
    returnedCents: before.returnedCents + result.returnedCents,
    sentCents: before.sentCents + result.sentCents,
    differences: before.differences + result.differences,
  };
  const isDone = after.until >= startOfDay(daysAfter(day, 1));
  await inTransaction(deps, async (tx) => {
    if (!isDone) return writeProgress(tx, accountDay, after);
    await closeResolvedDayItems(tx, accountDay, after.startedAt);
    return finishDay(tx, accountDay, after);
  });
  if (isDone) deps.log.info({ ...accountDay, ...after }, "a day was compared with the bank's lists");
  return after;
}

function initialProgress(day: string, now: Date): ComparisonProgress {
  const zeros = { receivedCents: 0, returnedCents: 0, sentCents: 0, differences: 0 };
  return { startedAt: now, until: startOfDay(day), ...zeros };
}

/** The rest of the day, or its next hour if the rest has `busyDayPix` Pix or more. */
async function nextWindow(deps: AtBank, day: string, from: Date, busyDayPix: number): Promise<DayWindow> {
  const until = startOfDay(daysAfter(day, 1));
  const isBusy = (await countBookedPix(deps, { from, until }, busyDayPix)) === busyDayPix;
  return { day, from, until: isBusy ? new Date(Math.min(from.getTime() + hourMs, until.getTime())) : until };
}

type WindowResult = Omit<ComparisonProgress, 'until' | 'startedAt'>;

/**
 * Compares the bank's lists of received and of sent Pix in a window with our records. Missing Pix are booked; other
 * differences are reported to the operator. A bank without payouts has no list of sent Pix.
 */
export async function compareWindow(deps: AtBank, window: DayWindow): Promise<WindowResult> {
  const received = await compareReceived(deps, window);
  const { payouts } = deps.psp;
  const sent = payouts === undefined ? noneSent : await compareSent(deps, payouts, window);
  return {
    receivedCents: received.receivedCents,
    returnedCents: received.returnedCents,
    sentCents: sent.sentCents,
    differences: received.differences + sent.differences,
  };
}

const noneSent = { sentCents: 0, differences: 0 };
