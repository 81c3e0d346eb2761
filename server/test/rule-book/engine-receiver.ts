import type { SubscriptionPeriod } from '@jangada/contract';
import { calendarDayOf } from '../../src/calendar-day.ts';
import { debitDayOf, dueDayOf, sendDayOf } from '../../src/subscriptions/cycle-days.ts';
import { type NextStep, nextStep } from '../../src/subscriptions/next-step.ts';
import { planMoment } from '../../src/subscriptions/plan-cycles.ts';
import { firstCycleInTime } from '../../src/subscriptions/work-mandates.ts';
import { cycleOf, DAY, HOUR, MINUTE, momentOn, readDay, SECOND } from './calendar.ts';
import { givenUp, outcomeOf, PERIODS, seenOf } from './engine-words.ts';
import type { CycleOutcome, Receiver, ReceiverRecords, SubscriptionOrder } from './receiver.ts';
import type { Answer, BankCalls, ChargeView, MandateView, Notice, PaidPix } from './rule-book.ts';

/** What the database keeps of a cycle, which is numbered from 1. */
interface Cycle {
  readonly number: number;
  readonly dueDay: string;
  readonly txid: string;
  /** Whether its charge is stored, which happens before the call. */
  isSent: boolean;
  debitDay: string;
  isPaid: boolean;
  isPaidOtherwise: boolean;
  endsWith: boolean;
  readonly refusedDays: Set<string>;
  checkAt: number | null;
  checks: number;
  outcome: CycleOutcome;
}

interface Subscription {
  readonly order: SubscriptionOrder;
  readonly firstDay: string;
  readonly period: SubscriptionPeriod;
  readonly createdAt: number;
  status: 'waiting' | 'active' | 'ended';
  endedByMerchant: boolean;
  planAt: number | null;
  nextNumber: number;
  isMandateOver: boolean;
  mandateCheckAt: number | null;
  mandateChecks: number;
  readonly cycles: Map<number, Cycle>;
  /** Cycles that fell due before the engine knew of an approval: the server has no rows for them. */
  readonly skipped: Map<number, CycleOutcome>;
  readonly books: Map<string, PaidPix>;
}

/** A call without an answer, after which the engine asks again later. */
class Unknown extends Error {}
const unknown = new Unknown('the bank gave no answer');

/**
 * The pure core of the engine of subscriptions (`nextStep`, and when cycles are planned and sent) in a receiver that keeps
 * everything in memory, for speed: it shows for 100,000 mandates that the decisions are right. Its loops are written for
 * this and are not the server's; those, with the database, are played by server-machine.ts.
 */
export class EngineReceiver implements Receiver {
  private readonly subscriptions = new Map<string, Subscription>();
  private ids = 0;

  begin(order: SubscriptionOrder, now: number): void {
    this.subscriptions.set(order.idRec, {
      order,
      firstDay: order.terms.firstDay,
      period: PERIODS[order.terms.period],
      createdAt: now,
      status: 'waiting',
      endedByMerchant: false,
      planAt: null,
      nextNumber: 1,
      isMandateOver: false,
      mandateCheckAt: now,
      mandateChecks: 0,
      cycles: new Map(),
      skipped: new Map(),
      books: new Map(),
    });
  }

  /** A notice is a hint: it makes due what it is about, and the bank is asked what is true. */
  told(notice: Notice, now: number): void {
    const subscription = this.find(notice.idRec);
    if (notice.kind === 'mandate') {
      if (!subscription.isMandateOver) subscription.mandateCheckAt = now;
      subscription.mandateChecks = 0;
      return;
    }
    if (notice.kind === 'charge') {
      const cycle = byTxid(subscription, notice.charge.txid);
      if (cycle !== undefined) makeDue(cycle, now);
      return;
    }
    book(subscription, notice.pix);
    if (notice.of === 'debit') {
      const cycle = byTxid(subscription, notice.txid);
      if (cycle === undefined) return;
      cycle.isPaid = true;
      makeDue(cycle, now);
    }
    if (notice.of === 'other-means' && notice.cycle !== null) {
      const first = readDay(subscription.firstDay);
      const number = cycleOf(first, subscription.order.terms.period, readDay(notice.cycle)) + 1;
      // Who pays before a cycle is planned has no code of the engine's: the merchant tells, and the cycle is there.
      const cycle = this.cycle(subscription, number, now);
      cycle.isPaidOtherwise = true;
      makeDue(cycle, now);
    }
  }

  endSubscription(idRec: string, now: number): void {
    const subscription = this.find(idRec);
    subscription.endedByMerchant = true;
    if (!subscription.isMandateOver) subscription.mandateCheckAt = now;
    subscription.mandateChecks = 0;
    end(subscription, now, true);
  }

  wake(idRec: string, now: number, bank: BankCalls): number | null {
    const subscription = this.find(idRec);
    if (isDue(subscription.mandateCheckAt, now)) this.workMandate(subscription, now, bank);
    while (isDue(subscription.planAt, now)) this.plan(subscription, now);
    let next = Math.min(subscription.mandateCheckAt ?? Infinity, subscription.planAt ?? Infinity);
    for (const cycle of subscription.cycles.values()) {
      if (isDue(cycle.checkAt, now)) this.workCycle(subscription, cycle, now, bank);
      next = Math.min(next, cycle.checkAt ?? Infinity);
    }
    next = Math.min(next, subscription.mandateCheckAt ?? Infinity);
    return next === Infinity ? null : next;
  }

  records(idRec: string): ReceiverRecords {
    const { cycles, skipped, books } = this.find(idRec);
    const outcomes = new Map([...skipped].map(([number, outcome]) => [number - 1, outcome]));
    for (const [number, { outcome }] of cycles) outcomes.set(number - 1, outcome);
    return { cycles: outcomes, books: [...books.values()] };
  }

  // ---- the mandate, as work-mandates.ts works on it ----

  private workMandate(subscription: Subscription, now: number, bank: BankCalls): void {
    subscription.mandateChecks += 1;
    try {
      this.askMandate(subscription, now, bank);
    } catch (error) {
      if (!(error instanceof Unknown || error instanceof BankRefusal)) throw error;
      subscription.mandateCheckAt =
        now + Math.min(HOUR, 5 * SECOND * 2 ** Math.min(subscription.mandateChecks, 10));
    }
  }

  private askMandate(subscription: Subscription, now: number, bank: BankCalls): void {
    const { idRec } = subscription.order;
    let seen = known(bank.readMandate(idRec));
    const isOpen = seen.status === 'CRIADA' || seen.status === 'APROVADA';
    if (subscription.endedByMerchant && isOpen) seen = known(bank.cancelMandate(idRec));
    learnMandate(subscription, seen, now);
  }

  // ---- cycles ----

  private plan(subscription: Subscription, now: number): void {
    const number = subscription.nextNumber;
    const { lastDay } = subscription.order.terms;
    const isOver = (day: string) => lastDay !== null && day > lastDay;
    subscription.planAt = null;
    if (isOver(dueDayOf(subscription, number))) return;
    this.cycle(subscription, number, now);
    subscription.nextNumber = number + 1;
    if (!isOver(dueDayOf(subscription, number + 1)))
      subscription.planAt = planMoment(subscription, number + 1).getTime();
  }

  private workCycle(subscription: Subscription, cycle: Cycle, now: number, bank: BankCalls): void {
    cycle.checks += 1;
    try {
      const debit = cycle.isSent ? find(bank, cycle.txid) : undefined;
      this.carryOut(subscription, cycle, debit, now, bank);
    } catch (error) {
      if (!(error instanceof Unknown || error instanceof BankRefusal)) throw error;
      const pause = Math.min(15 * MINUTE, 5 * SECOND * 2 ** Math.min(cycle.checks, 10));
      cycle.checkAt = hasEnded(cycle) ? null : now + pause;
    }
  }

  private carryOut(
    subscription: Subscription,
    cycle: Cycle,
    debit: ChargeView | undefined,
    now: number,
    bank: BankCalls,
  ): void {
    // The money of a debit is booked from the Pix that the bank names.
    for (const pix of debit?.pix ?? []) {
      book(subscription, pix);
      cycle.isPaid = true;
    }
    const first = debit?.tries[0];
    if (first !== undefined && first.status !== 'SOLICITADA') cycle.debitDay = first.day;
    let step = decide(subscription, cycle, debit, now);
    if (step.step === 'send' || step.step === 'retry') {
      this.askMandate(subscription, now, bank);
      step = decide(subscription, cycle, debit, now);
    }
    switch (step.step) {
      case 'wait':
        cycle.checkAt = hasEnded(cycle) ? null : step.until.getTime();
        return;
      case 'send':
        this.send(subscription, cycle, now, bank);
        return;
      case 'cancel': {
        const taken = known(bank.cancelCharge(cycle.txid));
        if (taken.status === 'CANCELADA') this.carryOut(subscription, cycle, taken, now, bank);
        else cycle.checkAt = now + MINUTE;
        return;
      }
      case 'retry': {
        const answer = bank.retryCharge(cycle.txid, step.day);
        if (answer.is === 'unknown') throw unknown;
        if (answer.is === 'refused') cycle.refusedDays.add(step.day);
        cycle.checkAt = now + MINUTE;
        cycle.checks = 0;
        return;
      }
      default:
        finish(subscription, cycle, outcomeOf(step, now), now);
    }
  }

  private send(subscription: Subscription, cycle: Cycle, now: number, bank: BankCalls): void {
    const { idRec, amountCents } = subscription.order;
    if (!cycle.isSent && subscription.status === 'ended') return;
    cycle.isSent = true;
    const answer = bank.createCharge({
      idRec,
      txid: cycle.txid,
      due: cycle.dueDay,
      amountCents: amountCents(cycle.number - 1),
    });
    if (answer.is === 'unknown') throw unknown;
    if (answer.is === 'refused' && find(bank, cycle.txid) === undefined) {
      finish(subscription, cycle, givenUp('not-sent', null, now), now);
      return;
    }
    cycle.checkAt = now + MINUTE;
    cycle.checks = 0;
  }

  private cycle(subscription: Subscription, number: number, now: number): Cycle {
    let cycle = subscription.cycles.get(number);
    if (cycle === undefined) {
      const dueDay = dueDayOf(subscription, number);
      this.ids += 1;
      cycle = {
        number,
        dueDay,
        txid: `engine${this.ids.toString(36).padStart(26, '0')}`,
        isSent: false,
        debitDay: debitDayOf(dueDay),
        isPaid: false,
        isPaidOtherwise: false,
        endsWith: false,
        refusedDays: new Set(),
        checkAt: Math.max(now, momentOn(readDay(sendDayOf(dueDay)), 8 * HOUR)),
        checks: 0,
        outcome: { end: 'open' },
      };
      subscription.cycles.set(number, cycle);
    }
    return cycle;
  }

  private find(idRec: string): Subscription {
    const subscription = this.subscriptions.get(idRec);
    if (subscription === undefined) throw new Error(`no subscription has the mandate ${idRec}`);
    return subscription;
  }
}

/** The bank's own no, which is an answer. */
class BankRefusal extends Error {}

function known<T>(answer: Answer<T>): T {
  if (answer.is === 'unknown') throw unknown;
  if (answer.is === 'refused') throw new BankRefusal(answer.because);
  return answer.value;
}

function find(bank: BankCalls, txid: string): ChargeView | undefined {
  const answer = bank.readCharge(txid);
  if (answer.is === 'unknown') throw unknown;
  return answer.is === 'refused' ? undefined : answer.value;
}

function decide(
  subscription: Subscription,
  cycle: Cycle,
  debit: ChargeView | undefined,
  now: number,
): NextStep {
  const { order } = subscription;
  return nextStep(
    {
      dueDay: cycle.dueDay,
      debitDay: cycle.debitDay,
      nextDueDay: dueDayOf(subscription, cycle.number + 1),
      amountCents: order.amountCents(cycle.number - 1),
      // A mandate that allows no retries is one of a subscription without days for them.
      retryDays: order.terms.retriesAllowed ? order.retryDays : [],
      refusedDays: [...cycle.refusedDays],
      isMandateEnded: subscription.isMandateOver,
      isSent: cycle.isSent,
      isPaid: cycle.isPaid,
      cancelBecause: cycle.isPaidOtherwise
        ? 'paid_otherwise'
        : cycle.endsWith
          ? 'subscription_ended'
          : undefined,
      debit: debit && seenOf(debit),
    },
    new Date(now),
  );
}

const isDue = (moment: number | null, now: number): boolean => moment !== null && moment <= now;
const hasEnded = ({ outcome }: Cycle) => outcome.end !== 'open';

function makeDue(cycle: Cycle, now: number): void {
  cycle.checkAt = now;
  cycle.checks = 0;
}

const byTxid = ({ cycles }: Subscription, txid: string | null) =>
  [...cycles.values()].find((cycle) => cycle.txid === txid);

function book({ books }: Subscription, pix: PaidPix): void {
  books.set(pix.endToEndId, pix);
}

function finish(subscription: Subscription, cycle: Cycle, outcome: CycleOutcome, now: number): void {
  cycle.checkAt = null;
  if (cycle.outcome.end === outcome.end || (hasEnded(cycle) && outcome.end !== 'paid')) return;
  cycle.outcome = outcome;
  const { lastDay } = subscription.order.terms;
  if (lastDay !== null && dueDayOf(subscription, cycle.number + 1) > lastDay) end(subscription, now, false);
}

function end(subscription: Subscription, now: number, byMerchant: boolean): void {
  if (subscription.status === 'ended') return;
  if (subscription.status === 'waiting') skipEarly(subscription, now);
  subscription.status = 'ended';
  subscription.planAt = null;
  for (const cycle of subscription.cycles.values()) {
    if (hasEnded(cycle)) continue;
    makeDue(cycle, now);
    if (byMerchant) cycle.endsWith = true;
  }
}

/** What fell due before the engine knew that the payer allowed it is not debited. Returns the first cycle that can be. */
function skipEarly(subscription: Subscription, now: number): number {
  const number = firstCycleInTime(subscription, calendarDayOf(new Date(now)));
  for (let early = 1; early < number; early += 1)
    subscription.skipped.set(early, givenUp('not-sent', null, now));
  return number;
}

function learnMandate(subscription: Subscription, seen: MandateView, now: number): void {
  if (subscription.isMandateOver) {
    subscription.mandateCheckAt = null;
    return;
  }
  if (seen.endedAt !== null) {
    subscription.isMandateOver = true;
    subscription.mandateCheckAt = null;
    end(subscription, now, false);
    return;
  }
  if (seen.status === 'APROVADA' && subscription.status === 'waiting') {
    const number = skipEarly(subscription, now);
    subscription.status = 'active';
    subscription.nextNumber = number;
    subscription.planAt = planMoment(subscription, number).getTime();
  }
  subscription.mandateCheckAt = now + pauseOf(subscription, seen, now);
}

function pauseOf({ status, createdAt, firstDay }: Subscription, seen: MandateView, now: number): number {
  if (status === 'ended') return HOUR;
  if (seen.status === 'APROVADA') return DAY;
  const age = now - createdAt;
  if (age < HOUR) return 30 * SECOND;
  return now < momentOn(readDay(firstDay)) || age < 7 * DAY ? HOUR : DAY;
}
