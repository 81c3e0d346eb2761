import type { NewPayment } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { IdempotencyHandle } from '../http/route.ts';
import { billCustomer } from './billed-customer.ts';
import { createPayment, type NewCharge } from './create-payment.ts';
import { rulesOfCharge } from './payer-rules.ts';
import type { Charge } from './payment.ts';

/** Who asks for a charge. */
type ChargeMaker = Pick<NewCharge, 'merchantId' | 'createdBy' | 'by'>;

/** What the API takes as a request for a charge, as the charge that is to be created. */
export function chargeOf(maker: ChargeMaker, body: NewPayment): NewCharge {
  return {
    ...maker,
    amount: body.amount,
    expiresInSeconds: body.expires_in,
    callbackUrl: body.callback_url ?? undefined,
    externalId: body.external_id ?? undefined,
    metadata: body.metadata ?? undefined,
    description: body.description ?? undefined,
    successUrl: body.success_url ?? undefined,
    customerId: body.customer_id ?? undefined,
    billing: body,
    payerRules: rulesOfCharge(body.payer_rules),
  };
}

/**
 * Creates a charge as the API does, but without a caller who waits for the answer. A repeated attempt goes on with the
 * charge whose id `handle` remembers.
 */
export async function createFromRequest(
  deps: Deps,
  maker: ChargeMaker,
  body: NewPayment,
  handle: IdempotencyHandle,
): Promise<Charge> {
  const billed = await billCustomer(deps, maker.merchantId, body);
  return createPayment(deps, chargeOf(maker, billed), { idempotency: handle });
}
