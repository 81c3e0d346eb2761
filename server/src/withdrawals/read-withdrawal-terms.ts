import {
  brlFromCents,
  MIN_WITHDRAWAL_CENTS,
  type outFees,
  percentFromRate,
  type ResponseOf,
} from '@jangada/contract';
import { startOfToday } from '../calendar-day.ts';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { readMerchant } from '../identity/index.ts';
import { findMember, memberLimitText } from '../members/index.ts';
import { readPayoutsStop } from '../payouts-stop.ts';
import { Refusal } from '../refusal.ts';
import { nextCapChange, readMerchantCaps } from './caps.ts';
import { sumRequestedBy } from './store.ts';

/**
 * Reads what the withdrawal screen shows beforehand: the merchant's fees, the minimum and maximum of one withdrawal,
 * the caps (the most that may leave in a day or night, and what the member may withdraw in a day), and whether payouts
 * are stopped.
 */
export async function readWithdrawalTerms(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  { accountId: merchantId, userId }: Pick<Caller, 'accountId' | 'userId'>,
): Promise<ResponseOf<typeof outFees>> {
  const merchant = await readMerchant(db, merchantId);
  if (merchant === undefined) throw new Refusal('UNAUTHENTICATED');
  const now = clock.now();
  const caps = await readMerchantCaps({ db, now }, config.limits, merchantId);
  return {
    outFee: brlFromCents(merchant.fixOutCents),
    outPercent: percentFromRate(merchant.outRate),
    minAmount: brlFromCents(MIN_WITHDRAWAL_CENTS),
    maxAmount: brlFromCents(config.limits.withdrawalMaxCents),
    paused: (await readPayoutsStop(db)) !== null,
    caps: [...(await readMemberCap({ db, now }, { merchantId, userId })), ...caps].map(
      ({ message, details }) => ({
        limit: brlFromCents(details.limit_cents),
        left: brlFromCents(details.left_cents),
        message,
      }),
    ),
    capsUntil: nextCapChange(now).toISOString(),
  };
}

/** What is left of the member's own limit today, if they have one. */
async function readMemberCap(
  { db, now }: { readonly db: Db; readonly now: Date },
  { merchantId, userId }: { readonly merchantId: number; readonly userId: number },
) {
  const limitCents = (await findMember(db, merchantId, userId))?.withdrawal_limit_cents;
  if (limitCents == null) return [];
  const usedCents = await sumRequestedBy(db, { merchantId, requestedBy: userId, from: startOfToday(now) });
  const leftCents = Math.max(limitCents - usedCents, 0);
  const message = memberLimitText(limitCents, leftCents);
  return [{ message, details: { limit_cents: limitCents, left_cents: leftCents } }];
}
