import type { Authorization, SubscriptionEnd, SubscriptionPeriod } from '@jangada/contract';
import { foldToAscii } from '@jangada/pix';
import pMap from 'p-map';
import { calendarDayOf, startOfDay } from '../calendar-day.ts';
import { addMs } from '../clock.ts';
import { isNotPermitted, noteAcceptedRecurring, tellOfRefusedRecurring } from '../connections/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Charge, findCharge } from '../payments/index.ts';
import {
  type AtBank,
  type BankEnd,
  type BankMandate,
  type PixRecurring,
  PspRefused,
  PspUnknown,
  takeTurn,
} from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { dueDayOf, lastSendDayOf } from './cycle-days.ts';
import { endSubscription } from './end-subscription.ts';
import { chargeOfSubscription, MadeMeanwhile, makeChargeOnce, takeFirstChargeBack } from './make-charge.ts';
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
const concurrentCalls = 8;
/** After a crash, or a call without an answer, a mandate is worked on again when this has passed. */
const leaseMs = 120_000;
const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** A bank that has not confirmed the end of a mandate is asked again this often. */
const askAgainForEndMs = 600_000;
/** A bank that refuses to make a mandate is asked again for this long, and then the subscription ends. */
const maxMakingMs = dayMs;
/** The bank takes no longer name of a payer. */
const longestBankName = 140;
/** A request in the payer's app can be answered for this long. */
const pushDays = 7;
/** For how long the first payment of `pay` can be made. */
const firstPaymentSeconds = 30 * 86_400;

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
  await pMap(due, (mandate) => workMandate(deps, mandate, 'again'), { concurrency: concurrentCalls });
  return due.length;
}

/** `first`: nothing was asked of the bank yet, so a refusal is certain and nothing has to be looked for. */
type MakingAttempt = 'first' | 'again';

/** Works on one mandate that nobody else works on. A failure is logged, and the mandate is due again later. */
export async function workMandate(
  deps: AtBank,
  mandate: StoredMandate,
  attempt: MakingAttempt,
): Promise<void> {
  const { recurring } = deps.psp;
  const { merchantId, subscriptionId: id } = mandate;
  const subscription = await findSubscription(deps.db, { merchantId, id });
  if (subscription === undefined) return;
  try {
    if (recurring === undefined)
      throw new PspUnknown('the bank of a subscription no longer debits by mandate');
    const seen =
      mandate.idRec === null
        ? await makeAtBank(deps, recurring, subscription, mandate, attempt)
        : await askBank(deps, recurring, subscription, mandate);
    // Before the end of the mandate is stored, after which nobody comes again.
    if (subscription.status === 'ended') await takeFirstChargeBack(deps, subscription);
    if (seen !== undefined) await inTransaction(deps, (tx) => storeBankMandate(tx, mandate, seen));
  } catch (err) {
    const current = await findMandate(deps.db, { merchantId, id });
    if (current === undefined) return;
    const isMissingPermission = isNotPermitted(err);
    if (err instanceof PspRefused && !isMissingPermission && current.idRec === null)
      return giveUpMaking(deps, current, err, attempt);
    const isExpected = expectedErrors.some((type) => err instanceof type);
    deps.log[isExpected ? 'warn' : 'error'](
      { err, subscriptionId: id },
      'a mandate could not be worked on at the bank, and will be again',
    );
    const pauseMs = Math.min(hourMs, 5000 * 2 ** Math.min(mandate.checks, 10));
    await inTransaction(deps, (tx) => updateMandate(tx, mandate, { check_at: addMs(tx.now, pauseMs) }));
    const isPush = current.idRec !== null && subscription.authorizedBy === 'push' && current.pushId === null;
    if (isMissingPermission && (isPush || current.idRec === null))
      await tellOfRefusedRecurring(deps, isPush ? 'push' : 'mandate');
  }
}

const expectedErrors = [PspRefused, PspUnknown, Refusal, MadeMeanwhile];

/** Learns from the bank whether a mandate still stands. Throws if the bank does not answer. */
export async function learnMandate(
  deps: AtBank,
  recurring: PixRecurring,
  subscription: StoredSubscription,
  mandate: StoredMandate,
): Promise<void> {
  const seen = await askBank(deps, recurring, subscription, mandate);
  if (seen !== undefined) await inTransaction(deps, (tx) => storeBankMandate(tx, mandate, seen));
}

/**
 * Ends a subscription whose mandate the bank refuses to make: at once if it was never asked before, and otherwise only
 * after a day, in which the mandate of an earlier attempt would have been found by its contract.
 */
async function giveUpMaking(
  deps: AtBank,
  { merchantId, subscriptionId: id }: StoredMandate,
  err: PspRefused,
  attempt: MakingAttempt,
): Promise<void> {
  deps.log.warn({ err, subscriptionId: id }, 'the bank refused to make a mandate');
  await inTransaction(deps, async (tx) => {
    const subscription = await lockSubscription(tx, { merchantId, id });
    const mandate = await findMandate(tx.db, { merchantId, id });
    if (subscription === undefined || mandate === undefined || mandate.idRec !== null) return;
    const mayBeMade = attempt === 'again' && tx.now.getTime() - mandate.createdAt.getTime() < maxMakingMs;
    if (mayBeMade) return updateMandate(tx, mandate, { check_at: addMs(tx.now, hourMs) });
    const end = { code: err.code ?? '', text: err.reason ?? 'O banco recusou a autorização.' };
    await storeUnmade(tx, mandate, { ...end, by: 'receiver-bank' });
    await endSubscription(tx, subscription, { status: 'cancelled', endCode: end.code }, 'by_bank');
  });
}

/** Stores that there is no mandate at the bank, and never will be. */
async function storeUnmade(
  tx: Tx,
  mandate: StoredMandate,
  {
    code,
    text,
    by,
  }: { readonly code: string; readonly text: string; readonly by: NonNullable<BankEnd['by']> },
): Promise<void> {
  await updateMandate(tx, mandate, {
    status: 'cancelled',
    ended_at: tx.now,
    end_code: code,
    end_text: text.slice(0, 400),
    ended_by: by,
    check_at: null,
  });
}

/**
 * Makes the mandate at the bank, step by step: each is stored before the next begins. The bank gives the idRec, so a
 * mandate that an earlier attempt may have made is looked for by its contract before another is made. For a subscription
 * that has ended, it is only looked for and ended.
 */
async function makeAtBank(
  deps: AtBank,
  recurring: PixRecurring,
  subscription: StoredSubscription,
  mandate: StoredMandate,
  attempt: MakingAttempt,
): Promise<BankMandate | undefined> {
  const from = addMs(mandate.createdAt, -hourMs);
  const earlier =
    attempt === 'first'
      ? undefined
      : await recurring.findMandateByContract(subscription.contract, from, deps.clock.now());
  if (subscription.status === 'ended' && earlier === undefined) {
    await inTransaction(deps, (tx) => leaveUnmade(tx, mandate));
    return undefined;
  }
  const made = earlier ?? (await createAtBank(deps, recurring, subscription, mandate));
  if (made.contract !== subscription.contract)
    throw new PspUnknown(`the bank answered with another mandate than ${subscription.contract}`);
  await inTransaction(deps, (tx) => updateMandate(tx, mandate, { id_rec: made.idRec }));
  const current = await findSubscription(deps.db, subscription);
  return askBank(deps, recurring, current ?? subscription, { ...mandate, idRec: made.idRec });
}

/** No call that could still make the mandate takes so long. */
const longestCallMs = 600_000;

async function leaveUnmade(tx: Tx, mandate: StoredMandate): Promise<void> {
  const since = mandate.cancelSince ?? mandate.createdAt;
  if (tx.now.getTime() - since.getTime() < longestCallMs)
    return updateMandate(tx, mandate, { check_at: addMs(tx.now, longestCallMs) });
  return storeUnmade(tx, mandate, { code: '', text: 'A assinatura terminou antes.', by: 'receiver' });
}

async function createAtBank(
  deps: AtBank,
  recurring: PixRecurring,
  subscription: StoredSubscription,
  mandate: StoredMandate,
): Promise<BankMandate> {
  const firstCharge = await ensureFirstCharge(deps, subscription);
  let { locationId } = mandate;
  if (locationId === null && subscription.authorizedBy !== 'push') {
    const location = await recurring.createLocation();
    locationId = location.id;
    await inTransaction(deps, (tx) => updateMandate(tx, mandate, { location_id: location.id }));
  }
  const made = await recurring.createMandate({
    contract: subscription.contract,
    object: foldToAscii(subscription.description, 35),
    payer: { ...subscription.payer, name: subscription.payer.name.slice(0, longestBankName) },
    firstDay: subscription.firstDay,
    lastDay: subscription.lastDay ?? undefined,
    period: subscription.period,
    amountCents: subscription.amountCents ?? undefined,
    minMaximumCents: subscription.minMaximumCents ?? undefined,
    allowsRetries: subscription.retryDays.length > 0,
    locationId: locationId ?? undefined,
    firstChargeTxid: subscription.authorizedBy === 'pay' ? firstCharge?.txid : undefined,
  });
  await noteAcceptedRecurring(deps.db, deps.connection.id, 'mandate');
  return made;
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

/**
 * Reads the mandate at the bank, and does there what its subscription asks for: ends it, or asks the payer in their app.
 * Its code contains the first charge only if the bank is told of it at each look.
 */
async function askBank(
  deps: AtBank,
  recurring: PixRecurring,
  subscription: StoredSubscription,
  mandate: StoredMandate,
): Promise<BankMandate | undefined> {
  const { idRec } = mandate;
  if (idRec === null) return undefined;
  const { merchantId, firstChargeId } = subscription;
  const isOpen = mandate.status === 'making' || mandate.status === 'created';
  const firstCharge =
    firstChargeId === null || !isOpen ? undefined : await findCharge(deps.db, merchantId, firstChargeId);
  const seen = await recurring.findMandate(idRec, firstCharge);
  if (seen === undefined) throw new PspUnknown(`the bank does not find the mandate ${idRec}`);
  if (seen.status !== 'created' && seen.status !== 'approved') return seen;
  // The bank may take hours to confirm. Asking again does no harm.
  if (subscription.status === 'ended') return recurring.cancelMandate(idRec);
  if (seen.status === 'approved') return seen;
  if (subscription.authorizedBy === 'pay' && firstCharge !== undefined && isOver(firstCharge))
    return recurring.cancelMandate(idRec);
  if (subscription.authorizedBy !== 'push') return seen;
  if (mandate.pushId === null) await push(deps, recurring, subscription, { ...mandate, idRec });
  else if (await isPushOver(recurring, mandate.pushId)) return recurring.cancelMandate(idRec);
  return seen;
}

/** Whether nobody can pay a charge any more, and nobody has. */
function isOver({ status }: Charge): boolean {
  return status === 'expired' || status === 'error';
}

async function isPushOver(recurring: PixRecurring, pushId: string): Promise<boolean> {
  const request = await recurring.findPush(pushId);
  return request !== undefined && ['rejected', 'expired', 'cancelled'].includes(request.status);
}

/** Asks the payer in their bank's app. If an earlier request got no answer, the payer may see two, and answers one. */
async function push(
  deps: AtBank,
  recurring: PixRecurring,
  { payer, payerAccount }: StoredSubscription,
  mandate: StoredMandate & { readonly idRec: string },
): Promise<void> {
  if (payerAccount === null) return;
  const pushed = await recurring.pushToPayer({
    idRec: mandate.idRec,
    expiresAt: addMs(deps.clock.now(), pushDays * dayMs),
    payer: { document: payer.document },
    account: { ...payerAccount, branch: payerAccount.branch ?? undefined },
  });
  await inTransaction(deps, (tx) => updateMandate(tx, mandate, { push_id: pushed.id }));
  await noteAcceptedRecurring(deps.db, deps.connection.id, 'push');
}

const journeys: Readonly<Record<1 | 2 | 3 | 4, Authorization>> = {
  1: 'push',
  2: 'code',
  3: 'pay',
  4: 'offer',
};

/** Stores what the bank said of a mandate, with what follows from it. `asked`: the mandate as it was before the call. */
async function storeBankMandate(tx: Tx, asked: StoredMandate, seen: BankMandate): Promise<void> {
  const { merchantId, subscriptionId: id } = asked;
  const subscription = await lockSubscription(tx, { merchantId, id });
  const mandate = await findMandate(tx.db, { merchantId, id });
  if (subscription === undefined || mandate === undefined) return;
  if (['rejected', 'expired', 'cancelled'].includes(mandate.status))
    return updateMandate(tx, mandate, { check_at: null });
  const isChanged = seen.status !== mandate.status;
  // The bank's answer does not show a change that made the mandate due during the call.
  const isWoken = mandate.checks !== asked.checks;
  const common = {
    check_at: isWoken ? tx.now : nextCheckAt(subscription, mandate, seen, tx.now),
    ...(isChanged && { checks: 0 }),
  };
  switch (seen.status) {
    case 'created':
      return updateMandate(tx, mandate, {
        ...common,
        ...(seen.brCode !== undefined && { br_code: seen.brCode }),
        ...(seen.brCode !== undefined && mandate.brCode === '' && { code_at: tx.now }),
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
      return endSubscription(tx, subscription, change.mandate, endReasonOf(subscription, seen));
    }
  }
}

function endReasonOf({ status: before }: StoredSubscription, { status, end }: BankMandate): SubscriptionEnd {
  if (status === 'rejected') return 'rejected';
  if (status === 'expired') return before === 'waiting' ? 'not_allowed' : 'finished';
  if (end?.by === 'payer') return 'by_payer';
  if (end?.by !== 'receiver') return 'by_bank';
  // A subscription that the merchant ends has ended already; a request that nobody answered is ended by us.
  return before === 'waiting' ? 'not_allowed' : 'by_merchant';
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
  if (cancelSince !== null || status === 'ended') return addMs(now, askAgainForEndMs);
  if (seen.status === 'approved') return addMs(now, dayMs);
  // Somebody who has just got a code is likely to use it now.
  const age = now.getTime() - createdAt.getTime();
  if (age < hourMs) return addMs(now, 30_000);
  return addMs(now, now < startOfDay(firstDay) || age < 7 * dayMs ? hourMs : dayMs);
}
