import { brlFromCents, type PaymentRefunds } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { readMakers } from '../identity/index.ts';
import { findRefundableCharge } from '../payments/index.ts';
import { offersOf } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { refundableCents, refundableUntil, refundRefusal, toRefundResponse } from './refund.ts';
import { listRefunds, readRefundBlockers } from './store.ts';

/**
 * Returns a payment's refunds, the amount that is still refundable, and the reason if no refund is possible now.
 * `namesMakers`: whether the answer names who asked for each refund, which only people are told.
 */
export async function listRefundsOf(
  deps: Pick<Deps, 'db' | 'clock' | 'banks'>,
  merchantId: number,
  chargeId: string,
  { namesMakers = false }: { readonly namesMakers?: boolean } = {},
): Promise<PaymentRefunds> {
  const charge = await findRefundableCharge(deps.db, merchantId, chargeId);
  if (charge === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
  const refunds = await listRefunds(deps.db, merchantId, chargeId);
  const blockers = await readRefundBlockers(deps.db, merchantId, charge);
  const refusal = offersOf(deps.banks, charge.connectionId).refunds
    ? refundRefusal(charge, blockers, deps.clock.now())
    : new Refusal('REFUND_NOT_SUPPORTED');
  const makerOf = namesMakers ? await readMakers(deps.db, refunds) : undefined;
  return {
    refunds: refunds.map((refund) => ({
      ...toRefundResponse(refund),
      ...(makerOf !== undefined && { made_by: makerOf(refund) }),
    })),
    refunded_amount: brlFromCents(charge.refundedCents),
    refunding_amount: brlFromCents(charge.refundingCents),
    refundable_amount: brlFromCents(charge.paidAt === null ? 0 : refundableCents(charge)),
    refundable_until: charge.paidAt === null ? null : refundableUntil(charge.paidAt).toISOString(),
    blocked_because: refusal?.message ?? null,
  };
}
