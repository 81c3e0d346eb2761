import { brlFromCents } from '@jangada/contract';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Charge, cancelPayment, createPayment, type NewCharge } from '../payments/index.ts';
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
 * Removes a charge at the bank that nobody is to pay any more. Does nothing if it has ended or is paid already.
 * @throws {PspUnknown} if the bank does not confirm it, so that the caller comes again
 */
export async function takeChargeBack(deps: Deps, { merchantId, id }: Charge): Promise<void> {
  try {
    await cancelPayment(deps, merchantId, id);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'CHARGE_ALREADY_PAID' || error.code === 'CHARGE_ENDED') return;
    throw new PspUnknown(`the bank did not confirm that the charge ${id} is removed`);
  }
}

/** Whether somebody has the code of a charge and may still pay it. */
export function canBePaid({ status, brCode }: Charge): boolean {
  return status === 'pending' && brCode !== '';
}

/**
 * Removes the first payment of a subscription that the merchant ended. If the bank does not confirm it, the end of the
 * mandate does not wait for it: what may still be debited matters more.
 */
export async function takeFirstChargeBack(
  deps: Deps,
  { id, endReason, authorizedBy }: StoredSubscription,
  charge: Charge | undefined,
): Promise<void> {
  const isUnwanted = endReason === 'by_merchant' && authorizedBy === 'pay';
  if (!isUnwanted || charge === undefined || !canBePaid(charge)) return;
  try {
    await takeChargeBack(deps, charge);
  } catch (err) {
    if (!(err instanceof PspUnknown)) throw err;
    deps.log.warn(
      { err, subscriptionId: id },
      'the first payment of an ended subscription may still be made',
    );
  }
}
