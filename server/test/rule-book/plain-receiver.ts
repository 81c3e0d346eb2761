import { outsideWindow } from './bank-records.ts';
import {
  cycleOf,
  cycleStart,
  dayOf,
  endOf,
  HOUR,
  MINUTE,
  momentOn,
  readDay,
  receiverMayCancelUntil,
  settlementDay,
  writeDay,
} from './calendar.ts';
import type {
  CycleOutcome,
  GivenUpBecause,
  Receiver,
  ReceiverRecords,
  SubscriptionOrder,
} from './receiver.ts';
import type { BankCalls, ChargeView, MandateView, Notice, PaidPix } from './rule-book.ts';

interface Cycle {
  readonly number: number;
  readonly due: number;
  txid: string;
  /** Whether a charge was sent, or may have been. */
  wasSent: boolean;
  charge: ChargeView | null;
  paidOtherwise: boolean;
  outcome: CycleOutcome;
  /** Whether nothing is left to do or to learn. */
  isClosed: boolean;
}

interface Subscription {
  readonly order: SubscriptionOrder;
  readonly firstDay: number;
  readonly lastDay: number;
  mandate: MandateView | null;
  merchantEnded: boolean;
  askedForTheEnd: boolean;
  readonly cycles: Map<number, Cycle>;
  firstOpen: number;
  readonly books: Map<string, PaidPix>;
}

/** What a wrong receiver does otherwise; tests break one at a time and see what the judge says. */
export interface Habits {
  readonly sendDaysBefore: number;
  readonly readsBeforeItActs: boolean;
  readonly keepsTxid: boolean;
  readonly cancelsWhatIsPaid: boolean;
  readonly cancelsAtTheEnd: boolean;
  readonly knowsTheLastMoment: boolean;
  readonly countsCyclesFromTheFirst: boolean;
  readonly booksOnce: boolean;
  readonly keepsToSevenDays: boolean;
  readonly retries: boolean;
}

export const GOOD_HABITS: Habits = {
  sendDaysBefore: 6,
  readsBeforeItActs: true,
  keepsTxid: true,
  cancelsWhatIsPaid: true,
  cancelsAtTheEnd: true,
  knowsTheLastMoment: true,
  countsCyclesFromTheFirst: true,
  booksOnce: true,
  keepsToSevenDays: true,
  retries: true,
};

const SOON = MINUTE;

/** The simplest receiver that keeps every guarantee: it asks the bank before each act and believes nobody else. */
export class PlainReceiver implements Receiver {
  private readonly subscriptions = new Map<string, Subscription>();
  private readonly habits: Habits;
  private ids = 0;

  constructor(habits: Habits = GOOD_HABITS) {
    this.habits = habits;
  }

  begin(order: SubscriptionOrder): void {
    const { firstDay, lastDay } = order.terms;
    this.subscriptions.set(order.idRec, {
      order,
      firstDay: readDay(firstDay),
      lastDay: lastDay === null ? Infinity : readDay(lastDay),
      mandate: null,
      merchantEnded: false,
      askedForTheEnd: false,
      cycles: new Map(),
      firstOpen: 0,
      books: new Map(),
    });
  }

  told(notice: Notice): void {
    const subscription = this.find(notice.idRec);
    if (notice.kind === 'mandate') learnMandate(subscription, notice.mandate);
    if (notice.kind === 'charge') {
      for (const pix of notice.charge.pix) this.book(subscription, pix);
      const cycle = [...subscription.cycles.values()].find(({ txid }) => txid === notice.charge.txid);
      // What a notice says may be old: good habits ask again before they act on it.
      if (cycle !== undefined) cycle.charge = notice.charge;
    }
    if (notice.kind === 'money') {
      this.book(subscription, notice.pix);
      if (notice.of === 'other-means' && notice.cycle !== null) {
        const { firstDay, order } = subscription;
        const number = cycleOf(firstDay, order.terms.period, readDay(notice.cycle));
        const cycle = this.cycle(subscription, number);
        cycle.paidOtherwise = true;
        cycle.outcome = { end: 'paid' };
      }
    }
  }

  endSubscription(idRec: string): void {
    this.find(idRec).merchantEnded = true;
  }

  records(idRec: string): ReceiverRecords {
    const { cycles, books } = this.find(idRec);
    return {
      cycles: new Map([...cycles].map(([number, { outcome }]) => [number, outcome])),
      books: [...books.values()],
    };
  }

  wake(idRec: string, now: number, bank: BankCalls): number | null {
    const subscription = this.find(idRec);
    let next = this.endMandate(subscription, now, bank);
    for (let number = subscription.firstOpen; ; number += 1) {
      const known = subscription.cycles.get(number);
      const due = this.startOf(subscription, number);
      const isOver = hasEnded(subscription) && !known?.wasSent;
      if (due > subscription.lastDay || (isOver && known === undefined)) break;
      const begins = momentOn(due - this.habits.sendDaysBefore);
      if (now < begins && known === undefined) {
        next = Math.min(next, begins);
        break;
      }
      const cycle = this.cycle(subscription, number);
      if (!cycle.isClosed) next = Math.min(next, this.step(subscription, cycle, now, bank));
      if (cycle.isClosed && number === subscription.firstOpen) subscription.firstOpen += 1;
    }
    return next === Infinity ? null : next;
  }

  // ---- one cycle: does the next thing, and says when to look again ----

  private step(subscription: Subscription, cycle: Cycle, now: number, bank: BankCalls): number {
    if (cycle.wasSent) return this.follow(subscription, cycle, now, bank);
    if (cycle.paidOtherwise) return close(cycle, { end: 'paid' });
    if (hasEnded(subscription)) return close(cycle, { end: 'not-due', at: now });
    const { due } = cycle;
    const begins = momentOn(due - this.habits.sendDaysBefore);
    if (now < begins) return begins;
    const last = lastMomentToSend(due);
    if (now > (this.habits.knowsTheLastMoment ? last : endOf(due)))
      return close(cycle, givenUp('not-sent', null, now));
    if (!this.knowsMandate(subscription, bank)) return now + SOON;
    if (hasEnded(subscription)) return close(cycle, { end: 'not-due', at: now });
    if (subscription.mandate?.status !== 'APROVADA') return Math.min(now + 6 * HOUR, last + 1);
    cycle.wasSent = true;
    const { idRec, amountCents } = subscription.order;
    const answer = bank.createCharge({
      idRec,
      txid: cycle.txid,
      due: writeDay(due),
      amountCents: amountCents(cycle.number),
    });
    if (answer.is === 'done') cycle.charge = answer.value;
    if (answer.is === 'unknown') return now + SOON;
    return now + 6 * HOUR;
  }

  /** Follows a charge that was sent, or may have been. */
  private follow(subscription: Subscription, cycle: Cycle, now: number, bank: BankCalls): number {
    const { due } = cycle;
    const mustGo =
      (cycle.paidOtherwise && this.habits.cancelsWhatIsPaid) ||
      (subscription.merchantEnded && this.habits.cancelsAtTheEnd);
    if (!this.habits.keepsTxid && cycle.charge === null) {
      cycle.txid = this.newTxid();
      cycle.wasSent = false;
      return now + SOON;
    }
    const read = this.habits.readsBeforeItActs || cycle.charge === null ? bank.readCharge(cycle.txid) : null;
    if (read?.is === 'unknown') return now + SOON;
    if (read?.is === 'refused') {
      // It never arrived.
      cycle.wasSent = false;
      cycle.charge = null;
      return now + SOON;
    }
    const charge = read === null ? cycle.charge : read.value;
    if (charge === null) return now + SOON;
    cycle.charge = charge;
    for (const pix of charge.pix) this.book(subscription, pix);
    if (charge.status !== 'CRIADA' && charge.status !== 'ATIVA') return this.conclude(cycle, charge, now);
    const settles = settlementDay(due);
    const lastCancel = receiverMayCancelUntil(settles);
    if (mustGo && (now <= lastCancel || !this.habits.knowsTheLastMoment)) {
      const answer = bank.cancelCharge(charge.txid);
      if (answer.is === 'refused') return now + HOUR;
      return now + SOON;
    }
    const told = momentOn(Math.max(settles, dayOf(now)), 22 * HOUR + 40 * MINUTE);
    if (now < momentOn(settles, 22 * HOUR + 40 * MINUTE)) return Math.min(told, now + 24 * HOUR);
    if (charge.tries.some(({ status }) => status === 'SOLICITADA' || status === 'AGENDADA'))
      return now < told ? told : now + 6 * HOUR;
    return this.retryOrGiveUp(subscription, cycle, charge, now, bank);
  }

  private retryOrGiveUp(
    subscription: Subscription,
    cycle: Cycle,
    charge: ChargeView,
    now: number,
    bank: BankCalls,
  ): number {
    const { order } = subscription;
    if (cycle.paidOtherwise) return close(cycle, { end: 'paid' });
    if (!this.knowsMandate(subscription, bank)) return now + SOON;
    if (hasEnded(subscription)) return close(cycle, givenUp('unpaid', null, now));
    const nextCycle = this.startOf(subscription, cycle.number + 1);
    const ordered = charge.tries.filter(({ kind }) => kind === 'NTAG').length;
    const day = order.retryDays
      .map((days) => cycle.due + days + (this.habits.keepsToSevenDays ? 0 : 4))
      .find(
        (candidate) =>
          candidate > dayOf(now) &&
          (candidate < nextCycle || !this.habits.keepsToSevenDays) &&
          charge.tries.every((other) => readDay(other.day) !== candidate),
      );
    if (!order.terms.retriesAllowed || !this.habits.retries || ordered >= 3 || day === undefined)
      return close(cycle, givenUp('unpaid', null, now));
    const answer = bank.retryCharge(charge.txid, writeDay(day));
    if (answer.is === 'refused') return now + HOUR;
    return answer.is === 'unknown' ? now + SOON : momentOn(day, 22 * HOUR + 40 * MINUTE);
  }

  private conclude(cycle: Cycle, charge: ChargeView, now: number): number {
    const { status, ending } = charge;
    if (status === 'CONCLUIDA' || cycle.paidOtherwise) return close(cycle, { end: 'paid' });
    const code = ending?.code ?? null;
    if (status === 'REJEITADA') return close(cycle, givenUp('rejected', code, now));
    if (status === 'EXPIRADA') return close(cycle, givenUp('unpaid', null, now));
    if (ending?.by === 'USUARIO_RECEBEDOR') return close(cycle, { end: 'not-due', at: now });
    return close(cycle, givenUp('cancelled', code, now));
  }

  // ---- the mandate ----

  private endMandate(subscription: Subscription, now: number, bank: BankCalls): number {
    const { idRec } = subscription.order;
    if (!subscription.merchantEnded || subscription.mandate?.endedAt) return Infinity;
    if (!this.habits.cancelsAtTheEnd) return Infinity;
    const read = bank.readMandate(idRec);
    if (read.is === 'done') learnMandate(subscription, read.value);
    if (subscription.mandate?.endedAt) return Infinity;
    if (subscription.askedForTheEnd) return now + 6 * HOUR;
    const answer = bank.cancelMandate(idRec);
    if (answer.is === 'unknown') return now + SOON;
    subscription.askedForTheEnd = true;
    return now + 6 * HOUR;
  }

  /** Whether the bank answered what state the mandate is in. */
  private knowsMandate(subscription: Subscription, bank: BankCalls): boolean {
    if (!this.habits.readsBeforeItActs && subscription.mandate !== null) return true;
    const read = bank.readMandate(subscription.order.idRec);
    if (read.is === 'done') learnMandate(subscription, read.value);
    return read.is === 'done';
  }

  // ---- small parts ----

  private cycle(subscription: Subscription, number: number): Cycle {
    let cycle = subscription.cycles.get(number);
    if (cycle === undefined) {
      cycle = {
        number,
        due: this.startOf(subscription, number),
        txid: this.newTxid(),
        wasSent: false,
        charge: null,
        paidOtherwise: false,
        outcome: { end: 'open' },
        isClosed: false,
      };
      subscription.cycles.set(number, cycle);
    }
    return cycle;
  }

  private startOf({ firstDay, order }: Subscription, number: number): number {
    const { period } = order.terms;
    if (this.habits.countsCyclesFromTheFirst) return cycleStart(firstDay, period, number);
    let start = firstDay;
    for (let done = 0; done < number; done += 1) start = cycleStart(start, period, 1);
    return start;
  }

  private book({ books }: Subscription, pix: PaidPix): void {
    books.set(this.habits.booksOnce ? pix.endToEndId : `${books.size}`, pix);
  }

  private find(idRec: string): Subscription {
    const subscription = this.subscriptions.get(idRec);
    if (subscription === undefined) throw new Error(`no subscription has the mandate ${idRec}`);
    return subscription;
  }

  private newTxid(): string {
    this.ids += 1;
    return `plain${this.ids.toString(36).padStart(27, '0')}`;
  }
}

function close(cycle: Cycle, outcome: CycleOutcome): number {
  cycle.outcome = outcome;
  cycle.isClosed = true;
  return Infinity;
}

const givenUp = (because: GivenUpBecause, code: string | null, at: number): CycleOutcome => ({
  end: 'given-up',
  at,
  because,
  code,
});

const hasEnded = ({ merchantEnded, mandate }: Subscription) =>
  merchantEnded || (mandate !== null && mandate.endedAt !== null);

/** A status that is older than what is known changes nothing. */
function learnMandate(subscription: Subscription, mandate: MandateView): void {
  if (subscription.mandate?.endedAt) return;
  if (mandate.status === 'CRIADA' && subscription.mandate !== null) return;
  subscription.mandate = mandate;
}

/** By the strictest reading of the window. */
function lastMomentToSend(due: number): number {
  const rules = { checksAtCall: true, window: 'every', tellsDebitsApart: true } as const;
  let day = due - 2;
  while (outsideWindow(rules, due, momentOn(day)) !== null) day -= 1;
  return endOf(day);
}
