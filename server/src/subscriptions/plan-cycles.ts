import type { SubscriptionPeriod } from '@jangada/contract';
import { addMs } from '../clock.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { debitDayOf, dueDayOf } from './cycle-days.ts';
import { insertCycle } from './cycle-store.ts';
import { endSubscription } from './end-subscription.ts';
import { sendMoment } from './next-step.ts';
import { notificationTexts, publishCycle } from './publish.ts';
import { findMandate, listSubscriptionsToPlan, lockSubscription, updateSubscription } from './store.ts';
import type { StoredMandate, StoredSubscription } from './subscription.ts';

const batchSize = 100;
const dayMs = 86_400_000;
const pauseMs = 3_600_000;
/** A cycle is planned so many days before it is sent, so that a varying amount can be told in time. */
const planDaysBefore = 4;

type Rhythm = { readonly firstDay: string; readonly period: SubscriptionPeriod };

/** When a cycle is planned. */
export function planMoment(subscription: Rhythm, number: number): Date {
  return addMs(sendMoment(dueDayOf(subscription, number)), -planDaysBefore * dayMs);
}

/** Plans the next cycles of subscriptions, one of each. Returns how many were due. */
export async function planCycles(deps: Deps): Promise<number> {
  const due = await listSubscriptionsToPlan(deps.db, deps.clock.now(), batchSize);
  for (const key of due)
    try {
      await inTransaction(deps, async (tx) => {
        const subscription = await lockSubscription(tx, key);
        const isDue = subscription?.planAt != null && subscription.planAt <= tx.now;
        if (isDue) await planNext(tx, subscription);
      });
    } catch (err) {
      // One that cannot be planned must not keep others waiting.
      deps.log.error(
        { err, subscriptionId: key.id },
        'the next cycle of a subscription could not be planned',
      );
      await inTransaction(deps, (tx) => updateSubscription(tx, key, { plan_at: addMs(tx.now, pauseMs) }));
    }
  return due.length;
}

async function planNext(tx: Tx, subscription: StoredSubscription): Promise<void> {
  const { merchantId, id, lastDay, nextNumber: number, amountCents } = subscription;
  const dueDay = dueDayOf(subscription, number);
  if (lastDay !== null && dueDay > lastDay) return updateSubscription(tx, subscription, { plan_at: null });
  const mandate = await findMandate(tx.db, { merchantId, id });
  if (mandate === undefined) return;
  const cycle = await insertCycle(
    tx,
    { merchantId, subscriptionId: id, number, dueDay, debitDay: debitDayOf(dueDay), amountCents },
    sendMoment(dueDay),
  );
  const isLast = lastDay !== null && dueDayOf(subscription, number + 1) > lastDay;
  await updateSubscription(tx, subscription, {
    next_number: number + 1,
    plan_at: isLast ? null : planMoment(subscription, number + 1),
  });
  const text = amountCents === null ? notificationTexts.amountNeeded(subscription, dueDay) : undefined;
  await publishCycle(tx, 'cycle.planned', { subscription, mandate, cycle }, text);
}

/** Ends a subscription whose last cycle has ended. */
export async function finishIfOver(
  tx: Tx,
  subscription: StoredSubscription,
  endedNumber: number,
): Promise<void> {
  const { merchantId, id, lastDay, status } = subscription;
  if (lastDay === null || status === 'ended') return;
  if (dueDayOf(subscription, endedNumber + 1) <= lastDay) return;
  const mandate = await findMandate(tx.db, { merchantId, id });
  if (mandate !== undefined) await endSubscription(tx, subscription, mandate, 'finished');
}

/** The debit that follows what is planned: a cycle is planned only days before it, and the payer asks at any time. */
export function unplannedDebitOf({
  subscription,
  mandate,
}: {
  readonly subscription: StoredSubscription;
  readonly mandate: StoredMandate;
}) {
  const { status, lastDay, nextNumber, amountCents } = subscription;
  if (status === 'ended' || mandate.status !== 'approved') return null;
  const dueDay = dueDayOf(subscription, nextNumber);
  if (lastDay !== null && dueDay > lastDay) return null;
  return { dueDay, day: debitDayOf(dueDay), amountCents };
}
