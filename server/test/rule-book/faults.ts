import { cycleOf, DAY, HOUR, MINUTE, readDay, SECOND } from './calendar.ts';
import type { Random } from './random.ts';
import type {
  Answer,
  BankCalls,
  CallRefusal,
  ChargeOrder,
  ChargeView,
  MandateView,
  Notice,
} from './rule-book.ts';
import type { RuleBookBank } from './rule-book-bank.ts';

/** How often something goes wrong between the receiver and its bank, each as a share of 1. */
export interface FaultRates {
  readonly noticeLate: number;
  readonly noticeTwice: number;
  readonly noticeNever: number;
  /** The call was carried out, and its answer lost. */
  readonly answerLost: number;
  readonly callFails: number;
  /** The share of half hours in which no call gets through. */
  readonly outage: number;
}

export const NO_FAULTS: FaultRates = {
  noticeLate: 0,
  noticeTwice: 0,
  noticeNever: 0,
  answerLost: 0,
  callFails: 0,
  outage: 0,
};

export const MANY_FAULTS: FaultRates = {
  noticeLate: 0.1,
  noticeTwice: 0.05,
  noticeNever: 0.05,
  answerLost: 0.03,
  callFails: 0.03,
  outage: 0.01,
};

export interface CallMade {
  readonly at: number;
  /** Of questions only those are written down that got no answer. */
  readonly what: 'send' | 'cancel' | 'retry' | 'end-mandate' | 'read';
  readonly cycle: number | null;
  readonly txid: string | null;
  /** The due day of a charge that was sent, the day of a retry that was asked for. */
  readonly day: number | null;
  readonly outcome: 'done' | 'answer-lost' | 'failed' | 'refused' | 'refusal-lost';
  readonly because: CallRefusal | null;
}

/** What went back and forth about one mandate: what the receiver did, and since when it could know what. */
export interface Conversation {
  readonly calls: CallMade[];
  knewApprovalAt: number | null;
  knewEndAt: number | null;
  /** Of each cycle that was paid by other means, when the receiver was first told. */
  readonly knewPaidOtherwise: Map<number, number>;
}

/** The receiver's line to its bank. Decides by a seeded generator what gets lost on it, and writes down everything. */
export class FaultyLine implements BankCalls {
  private readonly conversations = new Map<string, Conversation>();
  private readonly bank: RuleBookBank;
  private readonly random: Random;
  private readonly rates: FaultRates;
  private readonly outages = new Map<number, boolean>();
  private now = 0;

  constructor(bank: RuleBookBank, random: Random, rates: FaultRates) {
    this.bank = bank;
    this.random = random;
    this.rates = rates;
  }

  setNow(now: number): void {
    this.now = now;
  }

  about(idRec: string): Conversation {
    let conversation = this.conversations.get(idRec);
    if (conversation === undefined) {
      conversation = { calls: [], knewApprovalAt: null, knewEndAt: null, knewPaidOtherwise: new Map() };
      this.conversations.set(idRec, conversation);
    }
    return conversation;
  }

  /** When a notice reaches the receiver: once, twice, or never. Most within seconds, late ones hours or days later. */
  deliveries(notice: Notice): number[] {
    const { random, rates } = this;
    // What was paid by other means the receiver's own charges tell in the end, so it comes late but not never.
    const isSure = notice.kind === 'money' && notice.of !== 'debit';
    if (!isSure && random.happens(rates.noticeNever)) return [];
    const one = () => notice.at + this.untilDelivered();
    return random.happens(rates.noticeTwice) ? [one(), one()] : [one()];
  }

  private untilDelivered(): number {
    const { random, rates } = this;
    if (!random.happens(rates.noticeLate)) return rates.noticeLate === 0 ? 0 : random.between(0, 5 * SECOND);
    return random.happens(0.8) ? random.between(MINUTE, 12 * HOUR) : random.between(12 * HOUR, 3 * DAY);
  }

  /** To be called with each notice as it is handed to the receiver. */
  delivered(notice: Notice): void {
    const conversation = this.about(notice.idRec);
    if (notice.kind === 'mandate') this.learn(conversation, notice.mandate);
    if (notice.kind === 'money' && notice.of === 'other-means' && notice.cycle !== null) {
      const cycle = this.cycleOf(notice.idRec, notice.cycle);
      if (!conversation.knewPaidOtherwise.has(cycle)) conversation.knewPaidOtherwise.set(cycle, this.now);
    }
  }

  /** A call that no mandate's conversation is about, with the faults of all others. */
  pass<T>(call: () => Answer<T>): Answer<T> {
    if (this.isCut()) return { is: 'unknown' };
    const answer = call();
    return this.random.happens(this.rates.answerLost) ? { is: 'unknown' } : answer;
  }

  cancelMandate(idRec: string): Answer<MandateView> {
    return this.make('end-mandate', idRec, {}, () => this.bank.cancelMandate(idRec));
  }

  readMandate(idRec: string): Answer<MandateView> {
    const answer = this.read(idRec, () => this.bank.readMandate(idRec));
    if (answer.is === 'done') this.learn(this.about(idRec), answer.value);
    return answer;
  }

  createCharge(order: ChargeOrder): Answer<ChargeView> {
    const { idRec, txid, due } = order;
    const about = { cycle: this.cycleOf(idRec, due), txid, day: readDay(due) };
    return this.make('send', idRec, about, () => this.bank.createCharge(order));
  }

  readCharge(txid: string): Answer<ChargeView> {
    const charge = this.bank.readCharge(txid);
    return charge.is === 'done' ? this.read(charge.value.idRec, () => charge) : this.read(null, () => charge);
  }

  listCharges(idRec: string): Answer<readonly ChargeView[]> {
    return this.read(idRec, () => this.bank.listCharges(idRec));
  }

  cancelCharge(txid: string): Answer<ChargeView> {
    return this.makeAbout('cancel', txid, null, () => this.bank.cancelCharge(txid));
  }

  retryCharge(txid: string, day: string): Answer<ChargeView> {
    return this.makeAbout('retry', txid, readDay(day), () => this.bank.retryCharge(txid, day));
  }

  private makeAbout(
    what: 'cancel' | 'retry',
    txid: string,
    day: number | null,
    call: () => Answer<ChargeView>,
  ): Answer<ChargeView> {
    const charge = this.bank.readCharge(txid);
    if (charge.is !== 'done') return charge;
    const { idRec, due } = charge.value;
    return this.make(what, idRec, { cycle: this.cycleOf(idRec, due), txid, day }, call);
  }

  private make<T>(
    what: CallMade['what'],
    idRec: string,
    about: { cycle?: number; txid?: string; day?: number | null },
    call: () => Answer<T>,
  ): Answer<T> {
    const { calls } = this.about(idRec);
    const common = {
      at: this.now,
      what,
      cycle: about.cycle ?? null,
      txid: about.txid ?? null,
      day: about.day ?? null,
    };
    if (this.isCut()) {
      calls.push({ ...common, outcome: 'failed', because: null });
      return { is: 'unknown' };
    }
    const answer = call();
    const isLost = this.random.happens(this.rates.answerLost);
    if (answer.is === 'refused')
      calls.push({ ...common, outcome: isLost ? 'refusal-lost' : 'refused', because: answer.because });
    else calls.push({ ...common, outcome: isLost ? 'answer-lost' : 'done', because: null });
    return isLost ? { is: 'unknown' } : answer;
  }

  private read<T>(idRec: string | null, call: () => Answer<T>): Answer<T> {
    if (!this.isCut() && !this.random.happens(this.rates.answerLost)) return call();
    const unread = {
      what: 'read',
      cycle: null,
      txid: null,
      day: null,
      outcome: 'failed',
      because: null,
    } as const;
    if (idRec !== null) this.about(idRec).calls.push({ at: this.now, ...unread });
    return { is: 'unknown' };
  }

  private isCut(): boolean {
    const { random, rates } = this;
    if (rates.outage > 0) {
      const slot = Math.floor(this.now / (30 * MINUTE));
      let isOut = this.outages.get(slot);
      if (isOut === undefined) {
        isOut = random.happens(rates.outage);
        this.outages.set(slot, isOut);
      }
      if (isOut) return true;
    }
    return random.happens(rates.callFails);
  }

  private learn(conversation: Conversation, mandate: MandateView): void {
    if (mandate.approvedAt !== null) conversation.knewApprovalAt ??= this.now;
    if (mandate.endedAt !== null) conversation.knewEndAt ??= this.now;
  }

  private cycleOf(idRec: string, day: string): number {
    const { firstDay, period } = this.bank.record(idRec);
    return cycleOf(firstDay, period, readDay(day));
  }
}
