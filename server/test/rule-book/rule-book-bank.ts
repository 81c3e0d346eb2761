import { Agenda } from './agenda.ts';
import {
  type ChargeRecord,
  isOpen,
  isOutsideTerm,
  isPending,
  lastRetryDay,
  type MandateRecord,
  type MoneyRecord,
  outsideWindow,
  retriesOf,
  type TryRecord,
  viewCharge,
  viewMandate,
} from './bank-records.ts';
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
  SECOND,
  settlementDay,
  writeDay,
} from './calendar.ts';
import type { Random } from './random.ts';
import {
  type Answer,
  type BankCalls,
  type BankRules,
  type CallRefusal,
  type ChargeCancellation,
  type ChargeOrder,
  type ChargeView,
  type EndedBy,
  type Journey,
  type MandateCancellation,
  type MandateRejection,
  type MandateTerms,
  type MandateView,
  type Notice,
  type PayerBankTrouble,
  REJECTS_THE_CHARGE,
  type TryKind,
  type TryRejection,
} from './rule-book.ts';

const done = <T>(value: T): Answer<T> => ({ is: 'done', value });
const refused = <T>(because: CallRefusal): Answer<T> => ({ is: 'refused', because });

/**
 * The receiver's bank and the banks of all its payers, by the rule book of Pix Automático. Holds everything in memory and
 * goes through time only by `advanceTo`. Written from the research and the official file alone, apart from Banco Sandbox
 * and from the engine. Where both say nothing, the comment at the place says *assumed*.
 */
export class RuleBookBank implements BankCalls {
  private readonly agenda = new Agenda();
  private readonly mandates = new Map<string, MandateRecord>();
  private readonly charges = new Map<string, ChargeRecord>();
  private outbox: Notice[] = [];
  private ids = 0;
  private now: number;
  private readonly random: Random;
  private readonly rules: BankRules;

  constructor(start: number, random: Random, rules: BankRules) {
    this.now = start;
    this.random = random;
    this.rules = rules;
  }

  // ---- time ----

  /** The next moment at which something happens or is told by itself. */
  nextMoment(): number | null {
    return this.outbox.length > 0 ? this.now : this.agenda.nextMoment();
  }

  /** Plays what happens until then, that moment included, and returns what was told since the last time. */
  advanceTo(moment: number): Notice[] {
    for (let next = this.agenda.nextMoment(); next !== null && next <= moment; ) {
      this.now = Math.max(this.now, next);
      this.agenda.take()?.act();
      next = this.agenda.nextMoment();
    }
    this.now = Math.max(this.now, moment);
    const told = this.outbox;
    if (told.length > 0) this.outbox = [];
    return told;
  }

  // ---- calls of the receiver ----

  /** `askUntil` is the end of a request that was pushed to the payer (journey 1). */
  createMandate(terms: MandateTerms, askUntil: number | null = null): Answer<MandateView> {
    const { fixedCents, minimumCents } = terms;
    const firstDay = readDay(terms.firstDay);
    const lastDay = terms.lastDay === null ? null : readDay(terms.lastDay);
    if (firstDay < dayOf(this.now)) return refused('FIRST_DAY_PASSED');
    if (lastDay !== null && lastDay < firstDay) return refused('INVALID');
    if (fixedCents !== null && minimumCents !== null) return refused('INVALID');
    if (fixedCents === 0 || minimumCents === 0) return refused('INVALID');
    const mandate: MandateRecord = {
      idRec: this.newId(terms.retriesAllowed ? 'RR' : 'RN'),
      period: terms.period,
      firstDay,
      lastDay,
      fixedCents,
      minimumCents,
      retriesAllowed: terms.retriesAllowed,
      charges: [],
      money: [],
      status: 'CRIADA',
      journey: null,
      approvedAt: null,
      endedAt: null,
      ending: null,
      cancelAskedAt: null,
      maximumCents: null,
      account: 'open',
      trouble: null,
      hasFunds: () => true,
    };
    this.mandates.set(mandate.idRec, mandate);
    // Assumed: a mandate that nobody approves ends with its first day, or with the request that was pushed.
    this.agenda.add(askUntil ?? endOf(firstDay), () => {
      if (mandate.status === 'CRIADA') this.endMandate(mandate, 'EXPIRADA', null, null);
    });
    if (lastDay !== null) this.agenda.add(endOf(lastDay) + 1, () => this.endTerm(mandate));
    return done(viewMandate(mandate));
  }

  /** The payer's bank confirms within twelve hours; until then the mandate stands as it was. */
  cancelMandate(idRec: string): Answer<MandateView> {
    const mandate = this.mandates.get(idRec);
    if (mandate === undefined) return refused('NOT_FOUND');
    if (mandate.endedAt !== null) return refused('MANDATE_ENDED');
    const end = () => this.endMandate(mandate, 'CANCELADA', 'SLCR', 'USUARIO_RECEBEDOR');
    if (mandate.status === 'CRIADA') end();
    else if (mandate.cancelAskedAt === null) {
      mandate.cancelAskedAt = this.now;
      this.agenda.add(this.now + this.delay(SECOND, 12 * HOUR), end);
    }
    return done(viewMandate(mandate));
  }

  readMandate(idRec: string): Answer<MandateView> {
    const mandate = this.mandates.get(idRec);
    return mandate === undefined ? refused('NOT_FOUND') : done(viewMandate(mandate));
  }

  createCharge({ idRec, txid, due, amountCents }: ChargeOrder): Answer<ChargeView> {
    const mandate = this.mandates.get(idRec);
    if (mandate === undefined) return refused('NOT_FOUND');
    const dueDay = readDay(due);
    const cycle = cycleOf(mandate.firstDay, mandate.period, dueDay);
    if (this.charges.has(txid)) return refused('TXID_IN_USE');
    if (amountCents <= 0) return refused('INVALID');
    if (dueDay < dayOf(this.now)) return refused('DUE_DAY_PASSED');
    const stands = ({ cycle: other, status }: ChargeRecord) =>
      other === cycle && status !== 'REJEITADA' && status !== 'CANCELADA';
    if (mandate.charges.some(stands)) return refused('CYCLE_HAS_CHARGE');
    if (this.rules.checksAtCall) {
      if (mandate.status !== 'APROVADA') return refused('MANDATE_NOT_APPROVED');
      if (isOutsideTerm(mandate, dueDay)) return refused('OUTSIDE_THE_TERM');
      if (mandate.fixedCents !== null && mandate.fixedCents !== amountCents) return refused('WRONG_AMOUNT');
      const outside = outsideWindow(this.rules, dueDay, this.now);
      if (outside !== null) return refused(outside);
    }
    const charge: ChargeRecord = {
      mandate,
      txid,
      due: dueDay,
      cycle,
      settlesOn: settlementDay(dueDay, this.rules.localHolidays),
      amountCents,
      createdAt: this.now,
      tries: [],
      pix: [],
      status: 'CRIADA',
      ending: null,
      endedAt: null,
      resending: false,
      lapses: false,
    };
    this.charges.set(txid, charge);
    mandate.charges.push(charge);
    this.agenda.add(this.now + this.delay(SECOND, 15 * MINUTE), () => this.passOn(charge));
    return done(viewCharge(charge));
  }

  readCharge(txid: string): Answer<ChargeView> {
    const charge = this.charges.get(txid);
    return charge === undefined ? refused('NOT_FOUND') : done(viewCharge(charge));
  }

  listCharges(idRec: string): Answer<readonly ChargeView[]> {
    const mandate = this.mandates.get(idRec);
    return mandate === undefined ? refused('NOT_FOUND') : done(mandate.charges.map(viewCharge));
  }

  cancelCharge(txid: string): Answer<ChargeView> {
    const charge = this.charges.get(txid);
    if (charge === undefined) return refused('NOT_FOUND');
    if (!isOpen(charge)) return refused('CHARGE_NOT_OPEN');
    if (this.now > receiverMayCancelUntil(charge.settlesOn)) return refused('CANCELLED_TOO_LATE');
    this.cancelOpenCharge(charge, 'SLCR', 'USUARIO_RECEBEDOR');
    return done(viewCharge(charge));
  }

  retryCharge(txid: string, day: string): Answer<ChargeView> {
    const charge = this.charges.get(txid);
    if (charge === undefined) return refused('NOT_FOUND');
    const { mandate } = charge;
    const date = readDay(day);
    if (charge.status === 'CONCLUIDA' && this.rules.checksAtCall) return refused('CHARGE_PAID');
    if (charge.status !== 'ATIVA' && charge.status !== 'CONCLUIDA') return refused('CHARGE_NOT_OPEN');
    if (charge.resending || charge.tries.some(isPending)) return refused('TRY_OPEN');
    if (date <= dayOf(this.now) || date <= charge.due) return refused('NOT_A_FUTURE_DAY');
    if (charge.tries.some((other) => other.day === date)) return refused('DAY_TAKEN');
    if (this.rules.checksAtCall) {
      if (!mandate.retriesAllowed) return refused('RETRIES_NOT_ALLOWED');
      if (retriesOf(charge) >= 3) return refused('THREE_ALREADY');
      if (date > charge.due + 7) return refused('BEYOND_SEVEN_DAYS');
      if (date > lastRetryDay(mandate, charge.due)) return refused('NEXT_CYCLE');
      if (mandate.status !== 'APROVADA') return refused('MANDATE_NOT_APPROVED');
    }
    this.order(charge, date, 'NTAG');
    return done(viewCharge(charge));
  }

  // ---- acts of payers and their banks: each says whether it was possible ----

  /** With journey 3 the payer pays at once; that payment is not a charge of any cycle. */
  approve(idRec: string, journey: Journey, joiningCents = 0, txid: string | null = null): boolean {
    const mandate = this.record(idRec);
    if (mandate.status !== 'CRIADA') return false;
    mandate.status = 'APROVADA';
    mandate.journey = journey;
    mandate.approvedAt = this.now;
    this.tellMandate(mandate);
    if (journey === 'JORNADA_3') this.receive(mandate, 'joining', null, txid, joiningCents);
    return true;
  }

  /** Assumed: AP13 is the payer's own no, AP14 the bank's. */
  reject(idRec: string, code: MandateRejection): boolean {
    const mandate = this.record(idRec);
    if (mandate.status !== 'CRIADA') return false;
    this.endMandate(mandate, 'REJEITADA', code, code === 'AP13' ? 'USUARIO_PAGADOR' : 'PSP_PAGADOR');
    return true;
  }

  payerCancels(idRec: string): boolean {
    return this.endApproved(idRec, 'SLDB', 'USUARIO_PAGADOR');
  }

  payersBankEnds(idRec: string, code: Exclude<MandateCancellation, 'SLCR' | 'SLDB' | 'CPCL'>): boolean {
    return this.endApproved(idRec, code, 'PSP_PAGADOR');
  }

  /** Assumed: CPCL says that the receiver's company was closed. */
  receiversBankEnds(idRec: string): boolean {
    return this.endApproved(idRec, 'CPCL', 'PSP_RECEBEDOR');
  }

  /** The payer takes back what is scheduled, but not the mandate: until the end of the day before. */
  payerCancelsPayment(idRec: string): boolean {
    return this.cancelScheduled(idRec, 'SLBD', 'USUARIO_PAGADOR');
  }

  payersBankCancelsPayment(idRec: string, code: 'ACCT' | 'BLCK' | 'FAIL' | 'OTHR'): boolean {
    return this.cancelScheduled(idRec, code, 'PSP_PAGADOR');
  }

  /** A fixed amount knows no maximum, and none may be below what the receiver set. */
  setMaximum(idRec: string, maximumCents: number | null): boolean {
    const mandate = this.record(idRec);
    if (mandate.fixedCents !== null) return false;
    if (maximumCents !== null && maximumCents < (mandate.minimumCents ?? 0)) return false;
    mandate.maximumCents = maximumCents;
    return true;
  }

  setFunds(idRec: string, hasFunds: (moment: number) => boolean): void {
    this.record(idRec).hasFunds = hasFunds;
  }

  /** Assumed: the bank ends the mandates of a closed account within two days; what falls between is rejected. */
  closeAccount(idRec: string): void {
    const mandate = this.record(idRec);
    mandate.account = 'closed';
    this.agenda.add(this.now + this.delay(MINUTE, 48 * HOUR), () =>
      this.endApproved(idRec, 'ACCL', 'PSP_PAGADOR'),
    );
  }

  setBlocked(idRec: string, isBlocked: boolean): void {
    const mandate = this.record(idRec);
    if (mandate.account !== 'closed') mandate.account = isBlocked ? 'blocked' : 'open';
  }

  setTrouble(idRec: string, trouble: PayerBankTrouble | null): void {
    this.record(idRec).trouble = trouble;
  }

  /** The payer pays a cycle by other means, by example by a link that the receiver sent. */
  payOtherwise(idRec: string, cycle: number, amountCents: number, txid: string | null = null): void {
    this.receive(this.record(idRec), 'other-means', cycle, txid, amountCents);
  }

  /** Everything that the banks know about a mandate, for the judge. */
  record(idRec: string): MandateRecord {
    const mandate = this.mandates.get(idRec);
    if (mandate === undefined) throw new Error(`the bank knows no mandate ${idRec}`);
    return mandate;
  }

  // ---- the life of a charge ----

  private passOn(charge: ChargeRecord): void {
    if (charge.status !== 'CRIADA') return;
    charge.status = 'ATIVA';
    this.order(charge, charge.settlesOn, 'AGND');
    this.tellCharge(charge);
  }

  private order(charge: ChargeRecord, day: number, kind: TryKind): void {
    const attempt: TryRecord = {
      day,
      kind,
      endToEndId: this.newEndToEndId(),
      status: 'SOLICITADA',
      code: null,
      endedAt: null,
    };
    charge.tries.push(attempt);
    this.agenda.add(this.now + this.delay(10 * SECOND, 6 * HOUR), () => this.answer(charge, attempt));
  }

  /** The payer's bank says once whether it will debit. */
  private answer(charge: ChargeRecord, attempt: TryRecord): void {
    if (attempt.status !== 'SOLICITADA') return;
    const { mandate } = charge;
    const first = charge.tries[0];
    if (attempt.kind === 'RIFL' && first !== undefined && isPending(first)) {
      this.schedule(charge, first);
      this.rejectTry(charge, attempt, 'NIEC');
      return;
    }
    const { trouble } = mandate;
    if (trouble?.code === 'NIEC' && attempt.kind === 'AGND') {
      mandate.trouble = null;
      this.sendAgain(charge);
      return;
    }
    const code = this.whyRejected(charge, attempt);
    if (code === null) {
      this.schedule(charge, attempt);
      this.tellCharge(charge);
      return;
    }
    if (code === 'AB10' && attempt.kind === 'AGND') this.sendAgain(charge);
    this.rejectTry(charge, attempt, code);
  }

  private whyRejected(charge: ChargeRecord, attempt: TryRecord): TryRejection | null {
    const { mandate, amountCents } = charge;
    const trouble = mandate.trouble?.code ?? null;
    if (trouble === 'AB10' || trouble === 'FBRD') mandate.trouble = null;
    if (trouble !== null && trouble !== 'NIEC' && trouble !== 'NITX') {
      if (trouble !== 'FBRD' || attempt.kind === 'AGND') return trouble;
    }
    if (mandate.status !== 'APROVADA') return 'MSUC';
    if (mandate.account === 'closed') return 'AC05';
    if (mandate.account === 'blocked') return 'AC06';
    if (attempt.kind === 'NTAG') {
      if (charge.status === 'CONCLUIDA') return 'NIPA';
      if (trouble === 'NITX') return 'NITX';
      if (!mandate.retriesAllowed) return 'IRNT';
      if (attempt.day > lastRetryDay(mandate, charge.due)) return 'DTNT';
      if (retriesOf(charge) > 3) return 'QUNT';
    } else {
      if (isOutsideTerm(mandate, charge.due)) return 'DTED';
      if (outsideWindow(this.rules, charge.due, charge.createdAt) !== null) return 'FBRD';
      if (mandate.fixedCents !== null && mandate.fixedCents !== amountCents) return 'AM09';
    }
    if (mandate.maximumCents !== null && amountCents > mandate.maximumCents) return 'AM02';
    return null;
  }

  private schedule(charge: ChargeRecord, attempt: TryRecord): void {
    attempt.status = 'AGENDADA';
    const debit = momentOn(attempt.day, this.random.between(0, 8 * HOUR));
    this.agenda.add(Math.max(this.now, debit), () => this.debit(charge, attempt, false));
  }

  /** Assumed: the receiver's bank sends an order again once, one to three hours later, and never on the last evening. */
  private sendAgain(charge: ChargeRecord): void {
    charge.resending = true;
    this.agenda.add(this.now + this.random.between(HOUR, 3 * HOUR), () => {
      charge.resending = false;
      if (charge.status !== 'ATIVA') return;
      const pending = charge.tries.find(isPending);
      if (this.now <= receiverMayCancelUntil(charge.settlesOn)) this.order(charge, charge.settlesOn, 'RIFL');
      else if (pending !== undefined) this.schedule(charge, pending);
      else this.afterFailure(charge, 'AB10');
      this.tellCharge(charge);
    });
  }

  /** Between 0 and 8 h, and once more between 18 and 21 h if that failed. */
  private debit(charge: ChargeRecord, attempt: TryRecord, isEvening: boolean): void {
    if (attempt.status !== 'AGENDADA') return;
    const { mandate } = charge;
    if (mandate.account === 'closed') {
      this.rejectTry(charge, attempt, 'AC05');
      return;
    }
    const isBlocked = mandate.account === 'blocked';
    const isAboveMaximum = mandate.maximumCents !== null && charge.amountCents > mandate.maximumCents;
    if (!isBlocked && !isAboveMaximum && mandate.hasFunds(this.now)) {
      this.settle(charge, attempt);
      return;
    }
    if (!isEvening) {
      const evening = momentOn(attempt.day, this.random.between(18 * HOUR, 21 * HOUR - 1));
      this.agenda.add(Math.max(this.now, evening), () => this.debit(charge, attempt, true));
      return;
    }
    const told = momentOn(attempt.day, this.random.between(21 * HOUR, 22 * HOUR + 30 * MINUTE));
    this.agenda.add(Math.max(this.now, told), () => {
      if (isBlocked) {
        this.rejectTry(charge, attempt, 'AC06');
        return;
      }
      // Neither funds nor maximum are disclosed.
      attempt.status = 'EXPIRADA';
      attempt.endedAt = this.now;
      this.afterFailure(charge, null);
      this.tellCharge(charge);
    });
  }

  private settle(charge: ChargeRecord, attempt: TryRecord): void {
    attempt.status = 'PAGA';
    attempt.endedAt = this.now;
    const { mandate, cycle, amountCents } = charge;
    const { pix } = this.receive(mandate, 'debit', cycle, charge.txid, amountCents, attempt.endToEndId);
    charge.pix.push(pix);
    this.endCharge(charge, 'CONCLUIDA', null, null);
    this.tellCharge(charge);
  }

  private rejectTry(charge: ChargeRecord, attempt: TryRecord, code: TryRejection): void {
    attempt.status = 'REJEITADA';
    attempt.code = code;
    attempt.endedAt = this.now;
    if (isOpen(charge)) {
      if (REJECTS_THE_CHARGE.has(code)) this.endCharge(charge, 'REJEITADA', code, 'PSP_PAGADOR');
      else this.afterFailure(charge, code);
    }
    this.tellCharge(charge);
  }

  /** A charge whose tries all failed stays open as long as a retry could be ordered. */
  private afterFailure(charge: ChargeRecord, code: TryRejection | null): void {
    if (charge.resending || charge.tries.some(isPending)) return;
    const { mandate } = charge;
    const lastDay = lastRetryDay(mandate, charge.due);
    // A bank that leaves these rules to the payer's bank keeps the charge open until the last day.
    const allowsMore = !this.rules.checksAtCall || (mandate.retriesAllowed && retriesOf(charge) < 3);
    if (!allowsMore || mandate.status !== 'APROVADA' || lastDay <= dayOf(this.now)) {
      if (code === null) this.endCharge(charge, 'EXPIRADA', null, null);
      else this.endCharge(charge, 'REJEITADA', code, 'PSP_PAGADOR');
    } else if (!charge.lapses) {
      charge.lapses = true;
      this.agenda.add(endOf(lastDay) + 1, () => {
        if (charge.status !== 'ATIVA' || charge.tries.some(isPending)) return;
        this.endCharge(charge, 'EXPIRADA', null, null);
        this.tellCharge(charge);
      });
    }
  }

  private endCharge(
    charge: ChargeRecord,
    status: 'CONCLUIDA' | 'EXPIRADA' | 'REJEITADA' | 'CANCELADA',
    code: TryRejection | ChargeCancellation | null,
    by: EndedBy | null,
  ): void {
    charge.status = status;
    charge.ending = { code, by };
    charge.endedAt = this.now;
  }

  private cancelOpenCharge(charge: ChargeRecord, code: ChargeCancellation, by: EndedBy): void {
    for (const attempt of charge.tries.filter(isPending)) {
      attempt.status = 'CANCELADA';
      attempt.endedAt = this.now;
    }
    this.endCharge(charge, 'CANCELADA', code, by);
    this.tellCharge(charge);
  }

  private cancelScheduled(idRec: string, code: ChargeCancellation, by: EndedBy): boolean {
    const today = dayOf(this.now);
    const scheduled = this.record(idRec).charges.find(
      (charge) =>
        charge.status === 'ATIVA' &&
        charge.tries.some((attempt) => isPending(attempt) && attempt.day > today),
    );
    if (scheduled === undefined) return false;
    this.cancelOpenCharge(scheduled, code, by);
    return true;
  }

  // ---- the life of a mandate ----

  private endApproved(idRec: string, code: MandateCancellation, by: EndedBy): boolean {
    const mandate = this.record(idRec);
    if (mandate.status !== 'APROVADA') return false;
    this.endMandate(mandate, 'CANCELADA', code, by);
    return true;
  }

  /** Ends the charges too, except what is due today, or tomorrow if the receiver cancelled after 22:00. */
  private endMandate(
    mandate: MandateRecord,
    status: 'REJEITADA' | 'EXPIRADA' | 'CANCELADA',
    code: MandateRejection | MandateCancellation | null,
    by: EndedBy | null,
  ): void {
    if (mandate.endedAt !== null) return;
    mandate.status = status;
    mandate.endedAt = this.now;
    mandate.ending = { code, by };
    this.tellMandate(mandate);
    const isLate = (day: number) =>
      by === 'USUARIO_RECEBEDOR' ? this.now > receiverMayCancelUntil(day) : dayOf(this.now) >= day;
    for (const charge of mandate.charges.filter(isOpen)) {
      const goesOn = charge.tries.some((attempt) => isPending(attempt) && isLate(attempt.day));
      if (!goesOn) this.cancelOpenCharge(charge, code === 'ACCL' ? 'ACCT' : 'CCLD', by ?? 'PSP_RECEBEDOR');
    }
  }

  /** Assumed: what fell due within the term is still debited and retried; the mandate ends when nothing is open. */
  private endTerm(mandate: MandateRecord): void {
    if (mandate.endedAt !== null) return;
    if (mandate.charges.some(isOpen)) {
      this.agenda.add(endOf(dayOf(this.now)) + 1, () => this.endTerm(mandate));
    } else this.endMandate(mandate, 'EXPIRADA', null, null);
  }

  // ---- small parts ----

  private receive(
    mandate: MandateRecord,
    of: MoneyRecord['of'],
    cycle: number | null,
    txid: string | null,
    amountCents: number,
    endToEndId = this.newEndToEndId(),
  ): MoneyRecord {
    const pix = { endToEndId, amountCents, at: this.now };
    const money = { of, cycle, txid, pix };
    mandate.money.push(money);
    if (of !== 'debit' || this.rules.tellsDebitsApart)
      this.outbox.push({
        kind: 'money',
        idRec: mandate.idRec,
        at: this.now,
        of,
        txid,
        cycle: cycle === null ? null : writeDay(cycleStart(mandate.firstDay, mandate.period, cycle)),
        pix,
      });
    return money;
  }

  /** From `least` to `most`, and mostly near `least`. */
  private delay(least: number, most: number): number {
    const share = this.random.next();
    return least + Math.floor((most - least) * share * share * share * share);
  }

  private tellMandate(mandate: MandateRecord): void {
    const { idRec } = mandate;
    this.outbox.push({ kind: 'mandate', idRec, at: this.now, mandate: viewMandate(mandate) });
  }

  private tellCharge(charge: ChargeRecord): void {
    const { idRec } = charge.mandate;
    this.outbox.push({ kind: 'charge', idRec, at: this.now, charge: viewCharge(charge) });
  }

  private newId(prefix: string): string {
    return `${prefix}12345678${writeDay(dayOf(this.now)).replaceAll('-', '')}${this.counter()}`;
  }

  private newEndToEndId(): string {
    return `E12345678${writeDay(dayOf(this.now)).replaceAll('-', '')}0000${this.counter()}`;
  }

  private counter(): string {
    this.ids += 1;
    return this.ids.toString(36).padStart(11, '0');
  }
}
