import type { Authorization, SubscriptionEnd, SubscriptionPeriod } from '@jangada/contract';
import { foldToAscii } from '@jangada/pix';
import { calendarDayOf, startOfDay } from '../calendar-day.ts';
import { addMs } from '../clock.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Charge, findCharge } from '../payments/index.ts';
import {
  type AtBank,
  type BankMandate,
  type PixRecurring,
  PspRefused,
  PspUnknown,
  takeTurn,
} from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { dueDayOf, lastSendDayOf } from './cycle-days.ts';
import { endSubscription } from './end-subscription.ts';
import { chargeOfSubscription, MadeMeanwhile, makeChargeOnce } from './make-charge.ts';
import { planMoment } from './plan-cycles.ts';
import { notificationTexts, publishSubscription } from './publish.ts';
import {
  findBanksWithDueWork,
  findMandate,
  findSubscription,
  leaseDueMandates,
  lockSubscription,
  updateMandate,
  updateSubscription,
} from './store.ts';
import type { StoredMandate, StoredSubscription } from './subscription.ts';

const batchSize = 50;
/** After a crash, or a call without an answer, a mandate is worked on again when this has passed. */
const leaseMs = 120_000;
const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** A bank that refuses to make a mandate is asked again for this long, and then the subscription ends. */
const maxMakingMs = dayMs;
/** A request in the payer's app can be answered for this long. */
const pushDays = 7;
/** For how long the first payment of `pay` can be made. */
const firstPaymentSeconds = 3 * 86_400;

/**
 * Works on the mandates that are due: makes them at the bank, and learns there what the payer decided. The bank's notices
 * make a mandate due at once; without one it is looked at hour by hour while somebody may be about to allow it, and once
 * a day afterwards. Returns how many were due.
 */
export async function workMandates(deps: Deps): Promise<number> {
  const banks = await findBanksWithDueWork(deps.db, 'mandates', deps.clock.now());
  return takeTurn(deps, 'mandates', workMandatesAt, banks);
}

async function workMandatesAt(deps: AtBank): Promise<number> {
  const due = await inTransaction(deps, (tx) =>
    leaseDueMandates(tx, deps.connection.id, addMs(tx.now, leaseMs), batchSize),
  );
  for (const mandate of due) await workMandate(deps, mandate);
  return due.length;
}

/** Works on one mandate that nobody else works on. A failure is logged, and the mandate is due again later. */
export async function workMandate(deps: AtBank, mandate: StoredMandate): Promise<void> {
  const { recurring } = deps.psp;
  const { merchantId, subscriptionId } = mandate;
  try {
    const subscription = await findSubscription(deps.db, { merchantId, id: subscriptionId });
    if (subscription === undefined || recurring === undefined) return;
    const bankMandate =
      mandate.idRec === null
        ? await makeAtBank(deps, recurring, subscription, mandate)
        : await askBank(recurring, subscription, mandate);
    if (bankMandate !== undefined)
      await inTransaction(deps, (tx) => storeSeen(tx, subscription, bankMandate));
  } catch (err) {
    if (err instanceof PspRefused && mandate.idRec === null) return giveUpMaking(deps, mandate, err);
    if (!expectedErrors.some((type) => err instanceof type)) throw err;
    deps.log.warn({ err, subscriptionId }, 'a mandate could not be worked on at the bank');
    const later = addMs(deps.clock.now(), Math.min(hourMs, 5000 * 2 ** Math.min(mandate.checks, 10)));
    await inTransaction(deps, (tx) => updateMandate(tx, mandate, { check_at: later }));
  }
}

const expectedErrors = [PspRefused, PspUnknown, Refusal, MadeMeanwhile];

/** Learns from the bank whether a mandate still stands. Throws if the bank does not answer. */
export async function learnMandate(
  deps: Deps,
  recurring: PixRecurring,
  subscription: StoredSubscription,
  mandate: StoredMandate,
): Promise<void> {
  const seen = await askBank(recurring, subscription, mandate);
  if (seen !== undefined) await inTransaction(deps, (tx) => storeSeen(tx, subscription, seen));
}

/** A refusal proves nothing if an earlier attempt may have made the mandate: it is then found by its contract. */
async function giveUpMaking(deps: AtBank, mandate: StoredMandate, err: PspRefused): Promise<void> {
  const { merchantId, subscriptionId: id, createdAt } = mandate;
  deps.log.warn({ err, subscriptionId: id }, 'the bank refused to make a mandate');
  await inTransaction(deps, async (tx) => {
    if (tx.now.getTime() - createdAt.getTime() < maxMakingMs && mandate.checks > 1)
      return updateMandate(tx, mandate, { check_at: addMs(tx.now, hourMs) });
    const subscription = await lockSubscription(tx, { merchantId, id });
    if (subscription === undefined || subscription.status === 'ended') return;
    const end = { code: err.code ?? '', text: err.reason ?? 'O banco recusou a autorização.' };
    await updateMandate(tx, mandate, {
      status: 'cancelled',
      ended_at: tx.now,
      end_code: end.code,
      end_text: end.text.slice(0, 400),
      ended_by: 'receiver-bank',
      check_at: null,
    });
    const ended = { status: 'cancelled' as const, endCode: end.code };
    await endSubscription(tx, subscription, ended, 'by_bank');
  });
}

/**
 * Makes the mandate at the bank, step by step: each is stored before the next begins. The bank gives the idRec, so a
 * mandate that an earlier attempt may have made is looked for by its contract before another is made.
 */
async function makeAtBank(
  deps: AtBank,
  recurring: PixRecurring,
  subscription: StoredSubscription,
  mandate: StoredMandate,
): Promise<BankMandate> {
  const isPushed = subscription.authorizedBy === 'push';
  const firstCharge = await ensureFirstCharge(deps, subscription);
  let { locationId } = mandate;
  if (locationId === null && !isPushed) {
    const location = await recurring.createLocation();
    locationId = location.id;
    await inTransaction(deps, (tx) => updateMandate(tx, mandate, { location_id: location.id }));
  }
  const from = addMs(mandate.createdAt, -hourMs);
  const earlier =
    mandate.checks > 1
      ? await recurring.findMandateByContract(subscription.contract, from, deps.clock.now())
      : undefined;
  const made =
    earlier ??
    (await recurring.createMandate({
      contract: subscription.contract,
      object: foldToAscii(subscription.description, 35),
      payer: subscription.payer,
      firstDay: subscription.firstDay,
      lastDay: subscription.lastDay ?? undefined,
      period: subscription.period,
      amountCents: subscription.amountCents ?? undefined,
      minMaximumCents: subscription.minMaximumCents ?? undefined,
      allowsRetries: subscription.retryDays.length > 0,
      locationId: locationId ?? undefined,
      firstChargeTxid: subscription.authorizedBy === 'pay' ? firstCharge?.txid : undefined,
    }));
  if (made.contract !== subscription.contract)
    throw new PspUnknown(`the bank answered with another mandate than ${subscription.contract}`);
  await inTransaction(deps, (tx) => updateMandate(tx, mandate, { id_rec: made.idRec }));
  if (isPushed) await push(deps, recurring, subscription, { ...mandate, idRec: made.idRec });
  return (await recurring.findMandate(made.idRec, firstCharge)) ?? made;
}

/** Makes the charge that is paid along with the permission, unless it is made already. */
async function ensureFirstCharge(
  deps: AtBank,
  subscription: StoredSubscription,
): Promise<Charge | undefined> {
  const { merchantId, firstCents, firstDueDay, firstChargeId } = subscription;
  if (firstCents === null) return undefined;
  const made = firstChargeId === null ? undefined : await findCharge(deps.db, merchantId, firstChargeId);
  if (made !== undefined && made.brCode !== '') return made;
  const request = chargeOfSubscription(subscription, {
    amountCents: firstCents,
    expiresInSeconds: firstPaymentSeconds,
    dueDay: firstDueDay,
  });
  return makeChargeOnce(deps, request, firstChargeId ?? undefined, async (tx, chargeId) => {
    const current = await lockSubscription(tx, subscription);
    if (current?.firstChargeId !== firstChargeId) return false;
    await updateSubscription(tx, subscription, { first_charge_id: chargeId });
    return true;
  });
}

async function push(
  deps: AtBank,
  recurring: PixRecurring,
  { payer, payerAccount }: StoredSubscription,
  mandate: StoredMandate,
): Promise<void> {
  if (payerAccount === null || mandate.idRec === null || mandate.pushId !== null) return;
  const pushed = await recurring.pushToPayer({
    idRec: mandate.idRec,
    expiresAt: addMs(deps.clock.now(), pushDays * dayMs),
    payer: { document: payer.document },
    account: { ...payerAccount, branch: payerAccount.branch ?? undefined },
  });
  await inTransaction(deps, (tx) => updateMandate(tx, mandate, { push_id: pushed.id }));
}

/** Reads the mandate, after asking for its end if the merchant ended the subscription. */
async function askBank(
  recurring: PixRecurring,
  subscription: StoredSubscription,
  mandate: StoredMandate,
): Promise<BankMandate | undefined> {
  const { idRec } = mandate;
  if (idRec === null) return undefined;
  if (mandate.cancelSince === null) return recurring.findMandate(idRec);
  const seen = await recurring.findMandate(idRec);
  if (seen === undefined || !['created', 'approved'].includes(seen.status)) return seen;
  // The bank may take hours to confirm. Asking again does no harm.
  return subscription.status === 'ended' ? recurring.cancelMandate(idRec) : seen;
}

const journeys: Readonly<Record<1 | 2 | 3 | 4, Authorization>> = {
  1: 'push',
  2: 'code',
  3: 'pay',
  4: 'offer',
};

/** Stores what the bank says of a mandate, with what follows from it. */
async function storeSeen(tx: Tx, { merchantId, id }: StoredSubscription, seen: BankMandate): Promise<void> {
  const subscription = await lockSubscription(tx, { merchantId, id });
  const mandate = await findMandate(tx.db, { merchantId, id });
  if (subscription === undefined || mandate === undefined) return;
  const isOver = ['rejected', 'expired', 'cancelled'].includes(mandate.status);
  if (isOver) return updateMandate(tx, mandate, { check_at: null });
  const isChanged = seen.status !== mandate.status;
  const common = {
    ...(seen.brCode !== undefined && { br_code: seen.brCode }),
    check_at: nextCheckAt(subscription, mandate, seen, tx.now),
    ...(isChanged && { checks: 0 }),
  };
  switch (seen.status) {
    case 'created':
      return updateMandate(tx, mandate, {
        ...common,
        ...(mandate.status === 'making' && { status: 'created' }),
      });
    case 'approved': {
      await updateMandate(tx, mandate, {
        ...common,
        status: 'approved',
        ...(isChanged && {
          approved_at: seen.statusAt ?? tx.now,
          allowed_by: seen.journey === undefined ? subscription.authorizedBy : journeys[seen.journey],
        }),
      });
      return isChanged && subscription.status === 'waiting' ? activate(tx, subscription) : undefined;
    }
    case 'rejected':
    case 'expired':
    case 'cancelled': {
      await updateMandate(tx, mandate, {
        status: seen.status,
        ended_at: seen.statusAt ?? tx.now,
        end_code: seen.end?.code ?? null,
        end_text: seen.end?.text.slice(0, 400) ?? null,
        ended_by: seen.end?.by ?? null,
        check_at: null,
      });
      const change = { subscription, mandate: { status: seen.status, endCode: seen.end?.code ?? null } };
      await publishSubscription(tx, `mandate.${seen.status}`, change);
      return endSubscription(tx, subscription, change.mandate, endReasonOf(seen));
    }
  }
}

function endReasonOf({ status, end }: BankMandate): SubscriptionEnd {
  if (status === 'rejected') return 'rejected';
  if (status === 'expired') return 'finished';
  if (end?.by === 'payer') return 'by_payer';
  return end?.by === 'receiver' ? 'by_merchant' : 'by_bank';
}

/** The payer allowed the debits: cycles are planned from the first whose day can still be met. */
async function activate(tx: Tx, subscription: StoredSubscription): Promise<void> {
  const number = firstCycleInTime(subscription, calendarDayOf(tx.now));
  const active = { ...subscription, status: 'active' as const };
  await updateSubscription(tx, subscription, {
    status: 'active',
    next_number: number,
    plan_at: planMoment(subscription, number),
  });
  const change = { subscription: active, mandate: { status: 'approved' as const, endCode: null } };
  await publishSubscription(tx, 'mandate.approved', change, {
    text: notificationTexts.approved(subscription),
  });
}

/** The first cycle that the bank still takes. What fell due before the payer allowed the debits is not debited. */
export function firstCycleInTime(
  subscription: { readonly firstDay: string; readonly period: SubscriptionPeriod },
  today: string,
): number {
  let number = 1;
  while (lastSendDayOf(dueDayOf(subscription, number)) < today) number += 1;
  return number;
}

function nextCheckAt(
  { status, firstDay }: StoredSubscription,
  { cancelSince, createdAt }: StoredMandate,
  seen: BankMandate,
  now: Date,
): Date {
  if (cancelSince !== null || status === 'ended') return addMs(now, hourMs);
  if (seen.status === 'approved') return addMs(now, dayMs);
  // Somebody who has just got a code is likely to use it now.
  const age = now.getTime() - createdAt.getTime();
  if (age < hourMs) return addMs(now, 30_000);
  return addMs(now, now < startOfDay(firstDay) || age < 7 * dayMs ? hourMs : dayMs);
}
