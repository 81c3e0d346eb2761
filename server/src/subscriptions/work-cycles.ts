import { daysBetween } from '@jangada/pix';
import pMap from 'p-map';
import { calendarDayOf } from '../calendar-day.ts';
import { addMs } from '../clock.ts';
import { isNotPermitted, noteAcceptedRecurring, tellOfRefusedRecurring } from '../connections/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import {
  endCharges,
  prepareCharge,
  type RefundableCharge,
  settleReceived,
  storeDebitCharge,
} from '../payments/index.ts';
import {
  type AtBank,
  type BankDebit,
  type PixRecurring,
  PspRefused,
  PspUnknown,
  takeTurn,
} from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { dueDayOf } from './cycle-days.ts';
import { findCycle, leaseDueCycles, listCycleCodes, storeAttempts, updateCycle } from './cycle-store.ts';
import {
  hasPaymentCome,
  isBeingMade,
  isPaid,
  type KnownCycle,
  paidCodeOf,
  readCodes,
  readKnown,
} from './known-cycle.ts';
import { chargeOfSubscription, takeChargeBack } from './make-charge.ts';
import { type DebitSeen, type NextStep, nextStep } from './next-step.ts';
import { finishIfOver } from './plan-cycles.ts';
import {
  eventOfCycle,
  notificationTexts,
  publishCycle,
  publishNotification,
  publishSubscription,
} from './publish.ts';
import { giveBackSecondPayment } from './refund-twice.ts';
import {
  findBanksWithDueWork,
  findMandate,
  findSubscription,
  lockSubscription,
  updateSubscription,
} from './store.ts';
import { hasEnded, type StoredCycle } from './subscription.ts';
import { learnMandate } from './work-mandates.ts';

const batchSize = 50;
const concurrentCycles = 8;
const leaseMs = 120_000;
const maxPauseMs = 900_000;
/** An order without an answer is looked for once more after this time, also when its cycle has ended. */
const unknownMs = 3_600_000;
/** Debits of subscriptions are charges that live as long as a retry may pay them. */
const chargeDays = 10;

/**
 * Works on the cycles that are due: sends them to the bank, learns what became of them, retries, takes back and gives up
 * (next-step.ts says when). Returns how many were due.
 */
export async function workCycles(deps: Deps): Promise<number> {
  const banks = await findBanksWithDueWork(deps.db, 'cycles', deps.clock.now());
  return takeTurn(deps, 'cycles', workCyclesAt, banks);
}

async function workCyclesAt(deps: AtBank): Promise<number> {
  const due = await inTransaction(deps, (tx) =>
    leaseDueCycles(tx, deps.connection.id, addMs(tx.now, leaseMs), batchSize),
  );
  await pMap(due, (cycle) => workOrPostpone(deps, cycle), { concurrency: concurrentCycles });
  return due.length;
}

async function workOrPostpone(deps: AtBank, cycle: StoredCycle): Promise<void> {
  try {
    await workCycle(deps, cycle);
  } catch (err) {
    const isExpected = err instanceof PspRefused || err instanceof PspUnknown || err instanceof Refusal;
    const log = { err, subscriptionId: cycle.subscriptionId, number: cycle.number };
    deps.log[isExpected ? 'warn' : 'error'](log, 'a cycle could not be worked on, and will be again');
    const pauseMs = Math.min(maxPauseMs, 5000 * 2 ** Math.min(cycle.checks, 10));
    await inTransaction(deps, async (tx) => {
      await postpone(tx, cycle, addMs(tx.now, pauseMs));
      if (err instanceof Refusal && cycle.checks === 1) await tellRefusal(tx, cycle, err);
    });
    if (isNotPermitted(err)) await tellOfRefusedRecurring(deps, 'debit');
  }
}

/** Tells the merchant once why a cycle cannot be sent, while there is time to mend it. */
async function tellRefusal(tx: Tx, cycle: StoredCycle, { message }: Refusal): Promise<void> {
  const subscription = await findSubscription(tx.db, { ...cycle, id: cycle.subscriptionId });
  if (subscription !== undefined)
    await publishNotification(tx, subscription, notificationTexts.notSent(subscription, cycle, message));
}

/** Sets when a cycle is due again, unless something made it due since it was leased. */
async function postpone(tx: Tx, cycle: StoredCycle, until: Date): Promise<void> {
  const current = await findCycle(tx.db, cycle);
  if (current === undefined || current.checks !== cycle.checks) return;
  await updateCycle(tx, cycle, { check_at: hasEnded(current) ? null : until });
}

async function workCycle(deps: AtBank, leased: StoredCycle): Promise<void> {
  const { recurring } = deps.psp;
  if (recurring === undefined) throw new PspUnknown('the bank of a subscription no longer debits by mandate');
  const before = await readKnown(deps, leased, undefined);
  if (before === undefined) return;
  const { debitCharge } = before;
  const seen = debitCharge === undefined ? undefined : await recurring.findDebit(debitCharge.txid);
  if (seen !== undefined) await bookMoney(deps, seen);
  // Read again: money that was booked just now has made the cycle paid.
  const known = await readKnown(deps, leased, seen);
  if (known === undefined) return;
  if (seen !== undefined) await inTransaction(deps, (tx) => storeBankDebit(tx, known, seen));
  const step = decide(known, deps.clock.now());
  if (step.step !== 'send' && step.step !== 'retry') return carryOut(deps, recurring, known, step);
  // Nothing is ordered for a mandate that may have ended: notices of it can be late or lost.
  await learnMandate(deps, recurring, known.subscription, known.mandate);
  const fresh = await readKnown(deps, leased, seen);
  if (fresh !== undefined) await carryOut(deps, recurring, fresh, decide(fresh, deps.clock.now()));
}

/** Books the Pix by which a debit was paid, which no notice may have told: the money comes from the Pix themselves. */
async function bookMoney(deps: AtBank, { status, endToEndIds }: BankDebit): Promise<void> {
  if (status !== 'completed') return;
  for (const endToEndId of endToEndIds) {
    const pix = await deps.psp.findReceivedPix(endToEndId);
    if (pix !== undefined) await inTransaction(deps, (tx) => settleReceived(tx, [pix], deps.connection));
  }
}

/** Stores the tries that the bank shows, and that it has scheduled the debit. */
async function storeBankDebit(
  tx: Tx,
  { subscription, mandate, cycle }: KnownCycle,
  seen: BankDebit,
): Promise<void> {
  await storeAttempts(
    tx,
    cycle,
    seen.attempts.map(({ date, isRetry, status, endToEndId, refusal }) => ({
      ...{ id: endToEndId, day: date ?? cycle.debitDay, isRetry, status },
      code: refusal?.code ?? null,
      text: refusal?.text.slice(0, 400) ?? null,
    })),
  );
  const first = seen.attempts[0];
  if (cycle.status !== 'sending' || first === undefined || first.status === 'requested') return;
  const scheduled: StoredCycle = { ...cycle, status: 'scheduled', debitDay: first.date ?? cycle.debitDay };
  await updateCycle(tx, cycle, { status: 'scheduled', debit_day: scheduled.debitDay });
  if (first.status === 'scheduled' || first.status === 'paid')
    await publishCycle(tx, 'cycle.scheduled', { subscription, mandate, cycle: scheduled });
}

function decide(known: KnownCycle, now: Date): NextStep {
  const { subscription, mandate, cycle, attempts, debitCharge, seen } = known;
  const isPaidOtherwise = paidCodeOf(known) !== undefined;
  return nextStep(
    {
      dueDay: cycle.dueDay,
      debitDay: cycle.debitDay,
      nextDueDay: dueDayOf(subscription, cycle.number + 1),
      amountCents: cycle.amountCents ?? undefined,
      retryDays: subscription.retryDays,
      refusedDays: attempts.filter(({ status }) => status === 'refused').map(({ day }) => day),
      isMandateEnded: ['rejected', 'expired', 'cancelled'].includes(mandate.status),
      isSent: debitCharge !== undefined,
      isPaid: isPaid(debitCharge),
      cancelBecause: isPaidOtherwise ? 'paid_otherwise' : (cycle.cancelBecause ?? undefined),
      debit: seen && debitSeenFrom(seen, cycle.debitDay),
    },
    now,
  );
}

function debitSeenFrom({ status, attempts, end }: BankDebit, debitDay: string): DebitSeen {
  return {
    status,
    attempts: attempts
      .map(({ date, isRetry, status: attemptStatus, refusal }) => ({
        day: date ?? debitDay,
        isRetry,
        status: attemptStatus,
        code: refusal?.code,
      }))
      .toSorted((left, right) => left.day.localeCompare(right.day)),
    endCode: end?.code,
    endedByPayer: end?.by === 'payer' || end?.by === 'payer-bank',
  };
}

async function carryOut(
  deps: AtBank,
  recurring: PixRecurring,
  known: KnownCycle,
  step: NextStep,
): Promise<void> {
  const { cycle, debitCharge } = known;
  if (debitCharge?.status === 'paid' && paidCodeOf(known) !== undefined)
    await giveBackSecondPayment(deps, { ...known, debitCharge });
  switch (step.step) {
    case 'wait':
      return inTransaction(deps, (tx) => postpone(tx, cycle, step.until));
    case 'send':
      return send(deps, recurring, known);
    case 'cancel':
      return takeBack(deps, recurring, known);
    case 'retry':
      return retry(deps, recurring, known, step.day);
    case 'paid':
      return inTransaction(deps, (tx) => end(tx, known, { status: 'paid', reason: null, code: null }));
    case 'give-up':
      return inTransaction(deps, (tx) =>
        end(tx, known, { status: 'given_up', reason: step.reason, code: step.code ?? null }),
      );
    case 'close': {
      const isOwnWish = step.reason === 'by_merchant' || step.reason === 'subscription_ended';
      const current = isOwnWish ? await takeCodesBack(deps, known) : known;
      const next = decide(current, deps.clock.now());
      // Meanwhile a code may have been paid.
      if (next.step !== 'close') return carryOut(deps, recurring, current, next);
      const status = step.reason === 'paid_otherwise' ? 'paid' : 'cancelled';
      return inTransaction(deps, (tx) =>
        end(tx, current, { status, reason: step.reason, code: step.code ?? null }),
      );
    }
  }
}

/** Sends a cycle to the bank. Its charge is stored first, so that money for it is known whatever becomes of the call. */
async function send(deps: AtBank, recurring: PixRecurring, known: KnownCycle): Promise<void> {
  const { subscription, mandate, cycle } = known;
  const charge = known.debitCharge ?? (await storeCharge(deps, known));
  if (charge === undefined || mandate.idRec === null || cycle.amountCents === null) return;
  try {
    await recurring.createDebit({
      txid: charge.txid,
      idRec: mandate.idRec,
      amountCents: cycle.amountCents,
      dueDate: cycle.dueDay,
      note: subscription.description,
    });
  } catch (error) {
    // A missing permission is no refusal of this debit: it goes on once the bank gives it.
    if (!(error instanceof PspRefused) || isNotPermitted(error)) throw error;
    // An earlier attempt may have created it, and then the bank refuses a second one.
    if ((await recurring.findDebit(charge.txid)) === undefined) {
      const { code, reason } = error;
      deps.log.warn({ err: error, subscriptionId: subscription.id }, 'the bank refused a debit');
      const refusal = { status: 'given_up' as const, reason: 'refused' as const, code: code ?? null };
      return inTransaction(deps, (tx) => end(tx, { ...known, debitCharge: charge }, refusal, reason));
    }
  }
  await noteAcceptedRecurring(deps.db, deps.connection.id, 'debit');
  // The bank answers at once that it has the debit, and later whether the payer's bank has scheduled it.
  await inTransaction(deps, (tx) => updateCycle(tx, cycle, { check_at: addMs(tx.now, 60_000), checks: 0 }));
}

async function storeCharge(deps: AtBank, known: KnownCycle): Promise<RefundableCharge | undefined> {
  const { subscription, cycle } = known;
  const merchant = await readMerchant(deps.db, subscription.merchantId);
  invariant(merchant !== undefined && cycle.amountCents !== null, 'a debit without an account or an amount');
  const dayCount = chargeDays + daysBetween(calendarDayOf(deps.clock.now()), cycle.debitDay);
  const prepared = await prepareCharge(deps, merchant, {
    ...chargeOfSubscription(subscription, {
      amountCents: cycle.amountCents,
      expiresInSeconds: dayCount * 86_400,
    }),
    // The person who allowed the debits pays them, also if they are not the one whom the subscription names.
    payerRules: { other_payer: 'accept', late: 'accept', doubled: 'accept' },
  });
  const isStored = await inTransaction(deps, async (tx) => {
    const locked = await lockSubscription(tx, subscription);
    const current = await findCycle(tx.db, cycle);
    const mayBegin =
      locked?.status !== 'ended' &&
      current?.status === 'planned' &&
      current.cancelBecause === null &&
      current.amountCents === cycle.amountCents;
    if (!mayBegin) return false;
    await storeDebitCharge(tx, prepared);
    await updateCycle(tx, cycle, { status: 'sending', charge_id: prepared.charge.id, checks: 0 });
    return true;
  });
  return isStored ? { ...prepared.charge, refundingCents: 0 } : undefined;
}

/** Takes a debit back. The bank's own answer decides: if it refuses, the debit goes on and is looked at again. */
async function takeBack(deps: AtBank, recurring: PixRecurring, known: KnownCycle): Promise<void> {
  const { cycle, debitCharge } = known;
  if (debitCharge === undefined) return;
  const taken = await recurring.cancelDebit(debitCharge.txid);
  if (taken.status !== 'cancelled')
    return inTransaction(deps, (tx) => updateCycle(tx, cycle, { check_at: addMs(tx.now, 60_000) }));
  await carryOut(
    deps,
    recurring,
    { ...known, seen: taken },
    decide({ ...known, seen: taken }, deps.clock.now()),
  );
}

/**
 * Removes the codes of a cycle that the merchant cancelled, so that nobody pays it. Returns what is then known of the
 * cycle: one of them may have been paid.
 */
async function takeCodesBack(deps: AtBank, known: KnownCycle): Promise<KnownCycle> {
  const { cycle } = known;
  const noted = await listCycleCodes(deps.db, cycle.merchantId, [cycle]);
  const codes = await readCodes(deps.db, cycle.merchantId, noted);
  if (isBeingMade(noted[0]?.chargeId, codes, deps.clock.now()))
    throw new PspUnknown('a code of a cancelled cycle is being made');
  for (const code of codes) await takeChargeBack(deps, code);
  return { ...known, codes: await readCodes(deps.db, cycle.merchantId, noted) };
}

/** Asks for another try. It is stored before the call, and the bank's own list of tries says what became of it. */
async function retry(deps: AtBank, recurring: PixRecurring, known: KnownCycle, day: string): Promise<void> {
  const { subscription, mandate, cycle, debitCharge } = known;
  if (debitCharge === undefined) return;
  const asked = { id: day, day, isRetry: true, status: 'asked' as const, code: null, text: null };
  const retrying: StoredCycle = { ...cycle, status: 'retrying' };
  if (!known.attempts.some(({ id }) => id === day))
    await inTransaction(deps, async (tx) => {
      await storeAttempts(tx, cycle, [asked]);
      await updateCycle(tx, cycle, { status: 'retrying' });
      await publishCycle(tx, 'cycle.retrying', { subscription, mandate, cycle: retrying, day });
    });
  try {
    const ordered = await recurring.retryDebit(debitCharge.txid, day);
    await inTransaction(deps, (tx) => storeBankDebit(tx, { ...known, cycle: retrying }, ordered));
  } catch (error) {
    if (!(error instanceof PspRefused) || isNotPermitted(error)) throw error;
    const { code = null, reason = null } = error;
    const refused = { ...asked, status: 'refused' as const, code, text: reason };
    await inTransaction(deps, (tx) => storeAttempts(tx, cycle, [refused]));
  }
  await inTransaction(deps, (tx) => updateCycle(tx, cycle, { check_at: addMs(tx.now, 60_000), checks: 0 }));
}

type End = Pick<StoredCycle, 'reason' | 'code'> & { readonly status: 'paid' | 'given_up' | 'cancelled' };

/**
 * Ends a cycle, with its charge, and what follows for the subscription. Does nothing if it has ended this way already, and
 * looks again at once if a payment came since the decision: charges are locked first, as by whoever books a payment.
 */
async function end(tx: Tx, known: KnownCycle, { status, reason, code }: End, text?: string): Promise<void> {
  const { debitCharge } = known;
  if (await hasPaymentCome(tx, known)) return updateCycle(tx, known.cycle, { check_at: tx.now });
  const paidCode = paidCodeOf(known);
  const subscription = await lockSubscription(tx, known.subscription);
  const cycle = await findCycle(tx.db, known.cycle);
  const mandate = subscription && (await findMandate(tx.db, subscription));
  if (subscription === undefined || cycle === undefined || mandate === undefined) return;
  if (cycle.status === status || (hasEnded(cycle) && status !== 'paid'))
    return updateCycle(tx, cycle, { check_at: null });
  // A cycle is paid by its debit, or ends without it.
  if (debitCharge?.status === 'pending') await endCharges(tx, [debitCharge], 'expired');
  // If both were paid, the debit is given back.
  const payment = status !== 'paid' ? undefined : (paidCode ?? debitCharge);
  const paidAt = status === 'paid' ? (payment?.paidAt ?? tx.now) : null;
  const ended: StoredCycle = { ...cycle, status, reason, code, paidAt };
  await updateCycle(tx, cycle, {
    status,
    reason,
    code,
    text: text?.slice(0, 400) ?? null,
    paid_at: paidAt,
    // An order whose outcome is unknown may still be on its way to the bank.
    check_at: isPaid(debitCharge) || !isUnknown(known) ? null : addMs(tx.now, unknownMs),
  });
  const type = eventOfCycle[status];
  const notice = status === 'given_up' ? notificationTexts.givenUp(subscription, ended) : undefined;
  if (type !== undefined)
    await publishCycle(tx, type, { subscription, mandate, cycle: ended, paidBy: payment?.id }, notice);
  await followUp(tx, { subscription, mandate, cycle: ended });
}

function isUnknown({ debitCharge, seen }: KnownCycle): boolean {
  return debitCharge !== undefined && seen === undefined;
}

/** A subscription is past due while the last cycle that ended was not paid. */
async function followUp(
  tx: Tx,
  { subscription, mandate, cycle }: Pick<KnownCycle, 'subscription' | 'mandate' | 'cycle'>,
): Promise<void> {
  const occurrence = `${cycle.number}`;
  if (cycle.status === 'given_up' && subscription.status === 'active') {
    const pastDue = { ...subscription, status: 'past_due' as const };
    await updateSubscription(tx, subscription, { status: 'past_due' });
    await publishSubscription(
      tx,
      'subscription.past_due',
      { subscription: pastDue, mandate },
      { occurrence },
    );
  } else if (cycle.status === 'paid' && subscription.status === 'past_due') {
    const recovered = { ...subscription, status: 'active' as const };
    await updateSubscription(tx, subscription, { status: 'active' });
    await publishSubscription(
      tx,
      'subscription.recovered',
      { subscription: recovered, mandate },
      { occurrence },
    );
  }
  await finishIfOver(tx, subscription, cycle.number);
}
