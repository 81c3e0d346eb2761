import {
  brlFromCents,
  MIN_WITHDRAWAL_CENTS,
  type outFees,
  percentFromRate,
  type ResponseOf,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { readMerchant } from '../identity/index.ts';
import { readPayoutsStop } from '../payouts-stop.ts';
import { Refusal } from '../refusal.ts';
import { nextCapChange, readMerchantCaps } from './caps.ts';

/**
 * Reads what the withdrawal screen shows beforehand: the merchant's fees, the minimum and maximum of one withdrawal,
 * the caps (the most that may leave in a day or night), and whether payouts are stopped.
 */
export async function readWithdrawalTerms(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  merchantId: number,
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
    caps: caps.map(({ message, details }) => ({
      limit: brlFromCents(details.limit_cents),
      left: brlFromCents(details.left_cents),
      message,
    })),
    capsUntil: nextCapChange(now).toISOString(),
  };
}
