import type { ErrorCode } from '@jangada/contract';
import type { Config } from '../config.ts';
import type { Tx } from '../db/transaction.ts';
import { formatBrl } from '../payments/index.ts';
import { dayOf, nightOf } from './local-time.ts';
import { sumSentSince, sumWaiting } from './store.ts';

/** A limit that an amount would pass now. */
export type Cap = {
  readonly code: ErrorCode;
  /** In place of the code's own sentence. */
  readonly message: string;
  /** The limit and what of it is left, in cents; of the whole gateway's it is nobody's business. */
  readonly details?: { readonly limit_cents: number; readonly left_cents: number };
  /** When there is room again. */
  readonly until: Date;
};

type Amount = { readonly merchantId: number; readonly amountCents: number };

/**
 * The first cap that this amount passes, if any: the merchant's of the night and of the day, and the whole gateway's of
 * the day. What left in that time counts; for one that is only asked for, also what waits to leave. Whoever sends holds
 * the gateway's row, so that nothing else leaves meanwhile.
 */
export async function findCap(
  tx: Tx,
  limits: Config['limits'],
  { merchantId, amountCents }: Amount,
  when: 'asked' | 'sent',
): Promise<Cap | undefined> {
  const day = dayOf(tx.now);
  const night = nightOf(tx.now);
  const over = async (limitCents: number, usedCents: number) =>
    usedCents + amountCents <= limitCents
      ? undefined
      : { limit_cents: limitCents, left_cents: Math.max(0, limitCents - usedCents) };

  const byNight =
    night && (await over(limits.withdrawalNight, await sumSentSince(tx.db, night.from, merchantId)));
  if (night && byNight) {
    const message = `Das 20h às 6h ${leftInWords(byNight)} Tente um valor menor ou depois das 6h.`;
    return { code: 'WITHDRAWAL_NIGHT_LIMIT', message, details: byNight, until: night.until };
  }
  const byDay = await over(limits.withdrawalDay, await sumSentSince(tx.db, day.from, merchantId));
  if (byDay) {
    const message = `Hoje ${leftInWords(byDay)} Tente um valor menor ou amanhã.`;
    return { code: 'WITHDRAWAL_DAY_LIMIT', message, details: byDay, until: day.until };
  }
  const waiting = when === 'asked' ? await sumWaiting(tx.db) : 0;
  const ofAll = await over(limits.gatewayDay, (await sumSentSince(tx.db, day.from, undefined)) + waiting);
  if (ofAll === undefined) return undefined;
  const message = 'O limite diário de saques deste gateway foi atingido. Tente um valor menor ou amanhã.';
  return { code: 'WITHDRAWAL_DAY_LIMIT', message, until: day.until };
}

function leftInWords({ limit_cents, left_cents }: NonNullable<Cap['details']>): string {
  const limit = `o limite de saques é de ${formatBrl(limit_cents)}`;
  return left_cents === 0 ? `${limit} e foi atingido.` : `${limit}; restam ${formatBrl(left_cents)}.`;
}
