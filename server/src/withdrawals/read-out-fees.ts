import {
  brlFromCents,
  MIN_WITHDRAWAL_CENTS,
  type outFees,
  percentFromRate,
  type ResponseOf,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { readMerchant } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { readStop } from './gateway-store.ts';

/** What a withdrawal costs a merchant, between which amounts it lies, and whether it could leave. */
export async function readOutFees(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  merchantId: number,
): Promise<ResponseOf<typeof outFees>> {
  const merchant = await readMerchant(db, merchantId);
  if (merchant === undefined) throw new Refusal('UNAUTHENTICATED');
  return {
    outFee: brlFromCents(merchant.fixOutCents),
    outPercent: percentFromRate(merchant.outRate),
    minAmount: brlFromCents(MIN_WITHDRAWAL_CENTS),
    maxAmount: brlFromCents(config.limits.withdrawalMax),
    paused: (await readStop(db)) !== null,
  };
}
