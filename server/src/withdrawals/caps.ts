import type { ErrorCode } from '@jangada/contract';
import {
  calendarDayOf,
  daysAfter,
  nightEndHour,
  nightStartHour,
  nightWindow,
  startOfDay,
  type TimeWindow,
  timeAtHour,
} from '../calendar-day.ts';
import type { Config } from '../config.ts';
import type { Tx, TxOrDb } from '../db/transaction.ts';
import { formatBrl } from '../payments/index.ts';
import { sumSentSince, sumUnsent } from './store.ts';

/** A cap is the most that withdrawals may amount to in a day or a night. The fields are those that a refusal needs. */
type Cap = {
  /** The code with which an amount above the cap is refused. */
  readonly code: ErrorCode;
  /** The refusal's text, in place of the default text of its code. */
  readonly message: string;
  /** Omitted for the gateway-wide cap, whose amounts are not disclosed to merchants. */
  readonly details?: CapDetails;
  /** The time at which the cap resets. */
  readonly until: Date;
};
/** The cap, and the part of it that is left, in cents, as the API shows them. */
type CapDetails = { readonly limit_cents: number; readonly left_cents: number };

type Amount = { readonly merchantId: number; readonly amountCents: number };

/**
 * Returns the first cap that this amount would exceed, if any: first the merchant's night and day caps, then the
 * gateway's day cap. Withdrawals that were sent count towards a cap. When a withdrawal is requested, those that still
 * wait to be sent also count towards the gateway's cap. When a withdrawal is sent, the caller must have locked the
 * gateway's row, so that nothing else is sent meanwhile.
 */
export async function findExceededCap(
  tx: Tx,
  limits: Config['limits'],
  { merchantId, amountCents }: Amount,
  step: 'request' | 'send',
): Promise<Cap | undefined> {
  const merchantCaps = await readMerchantCaps(tx, limits, merchantId);
  const exceededCap = merchantCaps.find(({ details }) => amountCents > details.left_cents);
  const dayCap = merchantCaps.find(({ code }) => code === 'WITHDRAWAL_DAY_LIMIT');
  // An amount above the merchant's whole day cap will not fit tomorrow either, so the message must not suggest waiting.
  if (dayCap !== undefined && amountCents > dayCap.details.limit_cents) {
    const limit = formatBrl(dayCap.details.limit_cents);
    return { ...dayCap, message: `O limite de saques por dia é de ${limit}. Tente um valor menor.` };
  }
  if (exceededCap !== undefined) return exceededCap;
  const day = dayWindow(tx.now);
  const waitingCents = step === 'request' ? await sumUnsent(tx.db) : 0;
  const usedCents = (await sumSentSince(tx.db, day.from, undefined)) + waitingCents;
  if (usedCents + amountCents <= limits.gatewayWithdrawalsPerDayCents) return undefined;
  const orTomorrow = amountCents > limits.gatewayWithdrawalsPerDayCents ? '' : ' ou amanhã';
  const message = `O limite diário de saques deste gateway foi atingido. Tente um valor menor${orTomorrow}.`;
  return { code: 'WITHDRAWAL_DAY_LIMIT', message, until: day.until };
}

/** Reads the merchant's caps that are in force now, and how much of each is left. The night cap comes first. */
export async function readMerchantCaps(
  { db, now }: TxOrDb,
  limits: Config['limits'],
  merchantId: number,
): Promise<(Cap & { readonly details: CapDetails })[]> {
  const day = dayWindow(now);
  const night = nightWindow(now);
  const readDetails = async (limitCents: number, from: Date): Promise<CapDetails> => {
    const usedCents = await sumSentSince(db, from, merchantId);
    return { limit_cents: limitCents, left_cents: Math.max(0, limitCents - usedCents) };
  };
  const dayDetails = await readDetails(limits.withdrawalsPerDayCents, day.from);
  const dayCap = {
    code: 'WITHDRAWAL_DAY_LIMIT',
    message: `Hoje ${capSentence(dayDetails)} Tente um valor menor ou amanhã.`,
    details: dayDetails,
    until: day.until,
  } as const;
  if (night === undefined) return [dayCap];
  const nightDetails = await readDetails(limits.withdrawalsPerNightCents, night.from);
  const nightCap = {
    code: 'WITHDRAWAL_NIGHT_LIMIT',
    message: `Das 20h às 6h ${capSentence(nightDetails)} Tente um valor menor ou depois das 6h.`,
    details: nightDetails,
    until: night.until,
  } as const;
  return [nightCap, dayCap];
}

function capSentence({ limit_cents, left_cents }: CapDetails): string {
  const limit = `o limite de saques é de ${formatBrl(limit_cents)}`;
  return left_cents === 0 ? `${limit} e foi atingido.` : `${limit}; restam ${formatBrl(left_cents)}.`;
}

/** The calendar day in Brasília to which a time belongs. */
export function dayWindow(time: Date): TimeWindow {
  const day = calendarDayOf(time);
  return { from: startOfDay(day), until: startOfDay(daysAfter(day, 1)) };
}

/** When the caps next change: at the next start or end of a night, or start of a day, in Brasília. */
export function nextCapChange(time: Date): Date {
  const day = calendarDayOf(time);
  const midnight = startOfDay(daysAfter(day, 1));
  const changes = [timeAtHour(day, nightEndHour), timeAtHour(day, nightStartHour), midnight];
  return changes.find((change) => change > time) ?? midnight;
}
