import { inTransaction } from '../db/transaction.ts';
import type { Charge } from '../payments/index.ts';
import type { AtBank } from '../psp/index.ts';
import { requestRefund } from '../refunds/index.ts';
import { Refusal } from '../refusal.ts';
import { notificationTexts, publishNotification } from './publish.ts';
import type { StoredCycle, StoredSubscription } from './subscription.ts';

/**
 * Gives a debit back whose cycle the payer had paid otherwise, too late for the debit to be taken back. The refund has an
 * id of its own, so it is asked for once, however often this runs.
 */
export async function giveBackSecondPayment(
  deps: AtBank,
  paid: {
    readonly subscription: StoredSubscription;
    readonly cycle: StoredCycle;
    readonly debitCharge: Charge;
  },
): Promise<void> {
  const { subscription, cycle, debitCharge } = paid;
  if (debitCharge.refundedCents > 0) return;
  try {
    await requestRefund(deps, {
      merchantId: debitCharge.merchantId,
      chargeId: debitCharge.id,
      externalId: `cycle-${cycle.number}-paid-twice`,
      amount: undefined,
      reason: 'Cobrança paga duas vezes: pelo código e pelo débito.',
      origin: 'panel',
    });
  } catch (err) {
    if (!(err instanceof Refusal)) throw err;
    deps.log.warn(
      { err, subscriptionId: subscription.id },
      'a second payment of a cycle could not be given back',
    );
  }
  await inTransaction(deps, (tx) =>
    publishNotification(tx, subscription, notificationTexts.paidTwice(subscription, cycle)),
  );
}
