import { inTransaction } from '../db/transaction.ts';
import type { RefundableCharge } from '../payments/index.ts';
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
    readonly debitCharge: RefundableCharge;
  },
): Promise<void> {
  const { subscription, cycle, debitCharge } = paid;
  if (debitCharge.refundedCents > 0 || debitCharge.refundingCents > 0) return;
  const text = await askForRefund(deps, debitCharge, cycle).then(
    () => notificationTexts.paidTwice(subscription, cycle),
    (err: unknown) => {
      if (!(err instanceof Refusal)) throw err;
      const log = { err, subscriptionId: subscription.id };
      deps.log.warn(log, 'a second payment of a cycle could not be given back');
      return notificationTexts.notGivenBack(subscription, cycle, err.message);
    },
  );
  await inTransaction(deps, (tx) => publishNotification(tx, subscription, text));
}

function askForRefund(deps: AtBank, { merchantId, id }: RefundableCharge, { number }: StoredCycle) {
  return requestRefund(deps, {
    merchantId,
    chargeId: id,
    externalId: `cycle-${number}-paid-twice`,
    amount: undefined,
    reason: 'Cobrança paga duas vezes: pelo código e pelo débito.',
    origin: 'panel',
  });
}
