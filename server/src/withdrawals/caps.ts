import type { ErrorCode } from '@jangada/contract';
import { calendarDayOf as calendarDay, daysAfter, startOfDay, type TimeWindow } from '../calendar-day.ts';
import type { Config } from '../config.ts';
import type { Tx, TxOrDb } from '../db/transaction.ts';
import { formatBrl } from '../payments/index.ts';
import { sumSentSince, sumWaiting } from './store.ts';

/** A limit that an amount would exceed now. */
type Cap = {
  readonly code: ErrorCode;
  /** Replaces the error code's default message. */
  readonly message: string;
  /** The limit and what is left of it, in cents. Omitted for the gateway-wide limit, which is not disclosed. */
  readonly details?: Left;
  /** When the limit resets. */
  readonly until: Date;
};
type Left = { readonly limit_cents: number; readonly left_cents: number };

type Amount = { readonly merchantId: number; readonly amountCents: number };

/**
 * The first limit that this amount would exceed, if any: the merchant's night and day limits, then the gateway's day
 * limit. Sent amounts count; at request time (`asked`) the gateway's limit also counts what waits to be sent. When
 * sending, hold the lock on the gateway's row, so that nothing else is sent meanwhile.
 */
export async function findCap(
  tx: Tx,
  limits: Config['limits'],
  { merchantId, amountCents }: Amount,
  when: 'asked' | 'sent',
): Promise<Cap | undefined> {
  const own = await readOwnCaps(tx, limits, merchantId);
  const passed = own.find(({ details }) => amountCents > details.left_cents);
  const ofDay = own.find(({ code }) => code === 'WITHDRAWAL_DAY_LIMIT');
  if (ofDay !== undefined && amountCents > ofDay.details.limit_cents) {
    const limit = formatBrl(ofDay.details.limit_cents);
    return { ...ofDay, message: `O limite de saques por dia é de ${limit}. Tente um valor menor.` };
  }
  if (passed !== undefined) return passed;
  const day = dayWindow(tx.now);
  const waiting = when === 'asked' ? await sumWaiting(tx.db) : 0;
  const used = (await sumSentSince(tx.db, day.from, undefined)) + waiting;
  if (used + amountCents <= limits.gatewayDay) return undefined;
  const tomorrow = amountCents > limits.gatewayDay ? '' : ' ou amanhã';
  const message = `O limite diário de saques deste gateway foi atingido. Tente um valor menor${tomorrow}.`;
  return { code: 'WITHDRAWAL_DAY_LIMIT', message, until: day.until };
}

/** A merchant's limits in force now, the night limit first, with what is left of each. */
export async function readOwnCaps(
  { db, now }: TxOrDb,
  limits: Config['limits'],
  merchantId: number,
): Promise<(Cap & { readonly details: Left })[]> {
  const day = dayWindow(now);
  const night = nightWindow(now);
  const left = async (limitCents: number, from: Date): Promise<Left> => {
    const used = await sumSentSince(db, from, merchantId);
    return { limit_cents: limitCents, left_cents: Math.max(0, limitCents - used) };
  };
  const ofDay = await left(limits.withdrawalDay, day.from);
  const byDay = {
    code: 'WITHDRAWAL_DAY_LIMIT',
    message: `Hoje ${leftInWords(ofDay)} Tente um valor menor ou amanhã.`,
    details: ofDay,
    until: day.until,
  } as const;
  if (night === undefined) return [byDay];
  const ofNight = await left(limits.withdrawalNight, night.from);
  const byNight = {
    code: 'WITHDRAWAL_NIGHT_LIMIT',
    message: `Das 20h às 6h ${leftInWords(ofNight)} Tente um valor menor ou depois das 6h.`,
    details: ofNight,
    until: night.until,
  } as const;
  return [byNight, byDay];
}

function leftInWords({ limit_cents, left_cents }: Left): string {
  const limit = `o limite de saques é de ${formatBrl(limit_cents)}`;
  return left_cents === 0 ? `${limit} e foi atingido.` : `${limit}; restam ${formatBrl(left_cents)}.`;
}

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
