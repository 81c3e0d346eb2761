import { brlFromCents } from '@jangada/contract';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Charge, cancelPayment, createPayment, findCharge, type NewCharge } from '../payments/index.ts';
import { PspUnknown } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { MADE_WITH_SUBSCRIPTION, type StoredSubscription } from './subscription.ts';

/** Builds the request for a charge of a subscription, at the account of its mandate. */
export function chargeOfSubscription(
  subscription: StoredSubscription,
  {
    amountCents,
    expiresInSeconds,
    dueDay,
    createdBy,
  }: {
    readonly amountCents: number;
    readonly expiresInSeconds: number;
    readonly dueDay?: string | null;
    readonly createdBy?: number | undefined;
  },
): NewCharge {
  return {
    merchantId: subscription.merchantId,
    connectionId: subscription.connectionId,
    subscriptionId: subscription.id,
    amount: brlFromCents(amountCents),
    expiresInSeconds,
    callbackUrl: undefined,
    externalId: subscription.externalId ?? undefined,
    metadata: subscription.metadata ?? undefined,
    description: subscription.description,
    customerId: subscription.customerId ?? undefined,
    billing: { payer: subscription.payer, ...(dueDay != null && { due_date: dueDay }) },
    createdBy,
    by: { requestId: null, madeWith: MADE_WITH_SUBSCRIPTION },
  };
}

/**
 * Creates a charge with a code, or goes on with the one that an earlier attempt began. `note` stores the id of the charge
 * before it is made, and returns false if another attempt has stored one meanwhile: then nothing is made, and
 * `MadeMeanwhile` is thrown.
 */
export async function makeChargeOnce(
  deps: Deps,
  request: NewCharge,
  earlierId: string | undefined,
  note: (tx: Tx, chargeId: string) => Promise<boolean>,
): Promise<Charge> {
  return createPayment(deps, request, {
    idempotency: {
      resumedId: earlierId,
      remember: async (chargeId) => {
        if (!(await inTransaction(deps, (tx) => note(tx, chargeId))))
          throw new MadeMeanwhile('another attempt makes this charge');
      },
    },
  });
}

export class MadeMeanwhile extends Error {}

/**
 * Removes a charge at the bank that nobody is to pay any more. Does nothing if it has ended, if it is paid, or if a Pix
 * for it has come about which people still decide: then nobody else can pay it.
 * @throws {PspUnknown} if somebody may still pay it, so that the caller comes again
 */
export async function takeChargeBack(deps: Deps, { merchantId, id, status, brCode }: Charge): Promise<void> {
  if (status !== 'pending') return;
  if (brCode === '') throw new PspUnknown(`the charge ${id} is being made`);
  try {
    await cancelPayment(deps, merchantId, id);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'CHARGE_ALREADY_PAID' || error.code === 'CHARGE_ENDED') return;
    throw new PspUnknown(`the bank did not confirm that the charge ${id} is removed`);
  }
}

/** Removes the first payment of a subscription that the merchant ended before anybody made it. Throws as above. */
export async function takeFirstChargeBack(deps: Deps, subscription: StoredSubscription): Promise<void> {
  const { merchantId, endReason, authorizedBy, firstChargeId } = subscription;
  if (endReason !== 'by_merchant' || authorizedBy !== 'pay' || firstChargeId === null) return;
  const charge = await findCharge(deps.db, merchantId, firstChargeId);
  if (charge !== undefined) await takeChargeBack(deps, charge);
}
