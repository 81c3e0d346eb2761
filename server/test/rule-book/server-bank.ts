import type { SubscriptionPeriod } from '@jangada/contract';
import {
  type BankCharge,
  type BankDebit,
  type BankMandate,
  type BankReceivedPix,
  type BankReturn,
  type ChargeOrder as CodeOrder,
  type PixRecurring,
  type Psp,
  PspRefused,
  PspUnknown,
} from '../../src/psp/index.ts';
import { type Period, readDay, settlementDay, writeDay } from './calendar.ts';
import { DEBIT_STATUS, PERIODS, TRY_STATUS } from './engine-words.ts';
import type { FaultyLine } from './faults.ts';
import type {
  Answer,
  ChargeView,
  EndedBy,
  Journey,
  MandateStatus,
  MandateView,
  PaidPix,
  TryView,
} from './rule-book.ts';
import { RuleBookBank } from './rule-book-bank.ts';

/** A wish of a payer, which the machine fulfils if the server has given the payer what it takes. */
export type PayersWish =
  | { readonly wants: 'allow'; readonly idRec: string; readonly journey: Journey }
  | { readonly wants: 'pay'; readonly idRec: string; readonly cycle: number };

/** The bank of the rule book, whose payers allow debits and pay cycles only by codes that they were shown. */
export class CodeBank extends RuleBookBank {
  readonly wishes: PayersWish[] = [];

  override approve(idRec: string, journey: Journey): boolean {
    this.wishes.push({ wants: 'allow', idRec, journey });
    return true;
  }

  override payOtherwise(idRec: string, cycle: number): void {
    this.wishes.push({ wants: 'pay', idRec, cycle });
  }

  allow(idRec: string, journey: Journey, cents: number, txid: string | null): boolean {
    return super.approve(idRec, journey, cents, txid);
  }

  payCode(idRec: string, cycle: number, { txid, amountCents }: Code): void {
    super.payOtherwise(idRec, cycle, amountCents, txid);
  }
}

/** A charge with a code (cob). */
interface Code {
  readonly txid: string;
  readonly amountCents: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  isRemoved: boolean;
  isPaid: boolean;
}

/** Where banks differ that all keep to the rule book. */
export interface BankHabits {
  readonly pixKey: string;
  /** Whether it refuses a second mandate of a contract, or makes one. */
  readonly hasUniqueContracts: boolean;
  /** Whether it tells the day of a debit only once the payer's bank has scheduled it. */
  readonly hidesRequestedDays: boolean;
}

interface MadeMandate {
  readonly idRec: string;
  readonly contract: string;
  readonly firstDay: string;
  readonly lastDay: string | undefined;
  readonly amountCents: number | undefined;
  readonly period: SubscriptionPeriod;
  readonly hasPlace: boolean;
  readonly createdAt: number;
  isPushed: boolean;
}

/** The bank of the rule book behind the ports by which the server calls banks. */
export class ServerBank {
  readonly codes = new Map<string, Code>();
  /** In the order in which they were made. */
  readonly mandates = new Map<string, MadeMandate>();
  /** How often each mandate was read. */
  readonly readings = new Map<string, number>();
  private readonly returns = new Map<string, BankReturn[]>();
  private readonly bank: CodeBank;
  private readonly line: FaultyLine;
  private readonly habits: BankHabits;
  private readonly now: () => number;
  private ids = 0;

  constructor(bank: CodeBank, line: FaultyLine, habits: BankHabits, now: () => number) {
    this.bank = bank;
    this.line = line;
    this.habits = habits;
    this.now = now;
  }

  /** The mandates of a contract: no more than one, if the server never makes one twice. */
  madeFor(contract: string): readonly MadeMandate[] {
    return [...this.mandates.values()].filter((made) => made.contract === contract);
  }

  returnedCents(endToEndId: string): number {
    return this.returns.get(endToEndId)?.reduce((sum, { amountCents }) => sum + amountCents, 0) ?? 0;
  }

  /** A code that can be paid now. */
  payable(txid: string): Code | undefined {
    const code = this.codes.get(txid);
    return code === undefined || code.isPaid || code.isRemoved || this.now() > code.expiresAt
      ? undefined
      : code;
  }

  toPsp(): Psp {
    return {
      createCharge: async (order) => known(this.line.pass(() => this.createCode(order))),
      findCharge: async (txid) =>
        found(this.line.pass(() => this.answerAbout(this.codes.get(txid), (code) => this.viewCode(code)))),
      removeCharge: async (txid) =>
        known(
          this.line.pass(() =>
            this.answerAbout(this.codes.get(txid), (code) => {
              if (!code.isPaid) code.isRemoved = true;
              return this.viewCode(code);
            }),
          ),
        ),
      findReceivedPix: async (endToEndId) =>
        found(
          this.line.pass(() =>
            this.answerAbout(
              this.allMoney().find((pix) => pix.endToEndId === endToEndId),
              (pix) => pix,
            ),
          ),
        ),
      listReceivedPix: (from, to) =>
        pageOf(this.allMoney().filter(({ paidAt }) => paidAt >= from && paidAt <= to)),
      findNoticeUrl: async () => undefined,
      registerNoticeUrl: async () => {},
      reachable: () => true,
      health: () => ({ answers: 1, failuresInARow: 0, lastFailure: undefined }),
      close: async () => {},
      refunds: {
        requestRefund: async ({ endToEndId, refundId, amountCents }) =>
          known(this.line.pass(() => this.giveBack(endToEndId, refundId, amountCents))),
        findRefund: async (endToEndId, refundId) =>
          found(
            this.line.pass(() =>
              this.answerAbout(
                this.returns.get(endToEndId)?.find((made) => made.refundId === refundId),
                (made) => made,
              ),
            ),
          ),
      },
      recurring: this.toRecurring(),
    };
  }

  private toRecurring(): PixRecurring {
    const { line } = this;
    const findDebit: PixRecurring['findDebit'] = async (txid) => {
      const charge = found(line.readCharge(txid));
      return charge && this.debitFrom(charge);
    };
    return {
      createLocation: async () => {
        this.ids += 1;
        return known(line.pass(() => ({ is: 'done', value: { id: this.ids } })));
      },
      createMandate: async (order) => known(line.pass(() => this.createMandate(order))),
      findMandate: async (idRec, charge) => {
        this.readings.set(idRec, (this.readings.get(idRec) ?? 0) + 1);
        const seen = found(line.readMandate(idRec));
        return seen && this.mandateFrom(seen, charge?.txid);
      },
      findMandateByContract: async (contract, from, to) => {
        const isMeant = ({ createdAt }: MadeMandate) =>
          createdAt >= from.getTime() && createdAt <= to.getTime();
        const made = this.madeFor(contract).find(isMeant);
        const seen = found(
          line.pass<MandateView>(() =>
            made === undefined ? { is: 'refused', because: 'NOT_FOUND' } : this.bank.readMandate(made.idRec),
          ),
        );
        return seen && this.mandateFrom(seen);
      },
      cancelMandate: async (idRec) => this.mandateFrom(known(line.cancelMandate(idRec))),
      pushToPayer: async ({ idRec }) => {
        const push = () =>
          this.answerAbout(this.mandates.get(idRec), (made) => {
            made.isPushed = true;
            return { id: `SC${idRec}`, status: 'created' as const };
          });
        return known(line.pass(push));
      },
      findPush: async (id) => found(line.pass(() => this.viewPush(id))),
      cancelPush: async (id) => known(line.pass(() => this.viewPush(id))),
      createDebit: async ({ txid, idRec, amountCents, dueDate }) => {
        const answer = line.createCharge({ txid, idRec, amountCents, due: dueDate });
        if (answer.is !== 'refused') return this.debitFrom(known(answer));
        // As the adapter does it: an earlier call may have been carried out.
        const earlier = await findDebit(txid);
        if (earlier !== undefined) return earlier;
        throw answer.because === 'TXID_IN_USE'
          ? new PspUnknown('the txid is in use')
          : refusalOf(answer.because);
      },
      findDebit,
      cancelDebit: async (txid) => this.debitFrom(known(line.cancelCharge(txid))),
      retryDebit: async (txid, day) => this.debitFrom(known(line.retryCharge(txid, day))),
      listMandates: () => pageOf([]),
      listDebits: () => pageOf([]),
      mandateNotices: noNotices,
      debitNotices: noNotices,
    };
  }

  // ---- mandates and debits ----

  private createMandate(order: Parameters<PixRecurring['createMandate']>[0]): Answer<BankMandate> {
    const { contract, firstDay, lastDay, period, amountCents, minMaximumCents, allowsRetries } = order;
    if (this.habits.hasUniqueContracts && this.madeFor(contract).length > 0)
      return { is: 'refused', because: 'INVALID' };
    const answer = this.bank.createMandate({
      period: PERIOD_WORDS[period],
      firstDay,
      lastDay: lastDay ?? null,
      fixedCents: amountCents ?? null,
      minimumCents: minMaximumCents ?? null,
      retriesAllowed: allowsRetries,
    });
    if (answer.is !== 'done') return answer;
    const { idRec } = answer.value;
    const hasPlace = order.locationId !== undefined;
    const createdAt = this.now();
    const made = {
      idRec,
      contract,
      firstDay,
      lastDay,
      amountCents,
      period,
      hasPlace,
      createdAt,
      isPushed: false,
    };
    this.mandates.set(idRec, made);
    return { is: 'done', value: this.mandateFrom(answer.value) };
  }

  private mandateFrom(view: MandateView, chargeTxid?: string): BankMandate {
    const made = this.mandates.get(view.idRec);
    if (made === undefined) throw new Error(`nobody made the mandate ${view.idRec}`);
    const { idRec, status, journey, approvedAt, endedAt, ending } = view;
    const statusAt = endedAt ?? approvedAt;
    const { contract, firstDay, lastDay, amountCents, period, hasPlace } = made;
    return {
      ...{ idRec, contract, firstDay, lastDay, amountCents, period },
      status: MANDATE_STATUS[status],
      journey: journey === null ? undefined : JOURNEYS[journey],
      statusAt: statusAt === null ? undefined : new Date(statusAt),
      end: ending === null ? undefined : endFrom(status === 'REJEITADA' ? 'refused' : 'cancelled', ending),
      brCode: hasPlace ? codeOfMandate(idRec, chargeTxid) : undefined,
    };
  }

  private viewPush(id: string) {
    return this.answerAbout(this.mandates.get(id.slice(2)), () => ({ id, status: 'sent' as const }));
  }

  private debitFrom({ idRec, txid, due, amountCents, status, tries, pix, ending }: ChargeView): BankDebit {
    const isRefused = status === 'REJEITADA';
    return {
      ...{ idRec, txid, amountCents, dueDate: due },
      status: DEBIT_STATUS[status],
      attempts: tries.map((attempt) => ({
        endToEndId: attempt.endToEndId,
        date: this.dayShown(due, attempt),
        isRetry: attempt.kind === 'NTAG',
        status: TRY_STATUS[attempt.status],
        refusal: attempt.code === null ? undefined : { code: attempt.code, text: 'O banco recusou.' },
      })),
      end: ending === null ? undefined : endFrom(isRefused ? 'refused' : 'cancelled', ending),
      endToEndIds: pix.map(({ endToEndId }) => endToEndId),
    };
  }

  /** Assumed: of a holiday of the payer's town the receiver's bank knows once the payer's bank has answered. */
  private dayShown(due: string, { day, kind, status }: TryView): string | undefined {
    if (status !== 'SOLICITADA' || kind === 'NTAG') return day;
    return this.habits.hidesRequestedDays ? undefined : writeDay(settlementDay(readDay(due)));
  }

  // ---- codes and money ----

  private createCode({ txid, amountCents, expiresInSeconds }: CodeOrder): Answer<BankCharge> {
    if (this.codes.has(txid)) return { is: 'refused', because: 'TXID_IN_USE' };
    const createdAt = this.now();
    const expiresAt = createdAt + expiresInSeconds * 1000;
    const code = { txid, amountCents, createdAt, expiresAt, isRemoved: false, isPaid: false };
    this.codes.set(txid, code);
    return { is: 'done', value: this.viewCode(code) };
  }

  private viewCode({ txid, amountCents, createdAt, expiresAt, isRemoved, isPaid }: Code): BankCharge {
    return {
      ...{ txid, amountCents, pixKey: this.habits.pixKey, dueDate: undefined, brCode: `code-of-${txid}` },
      status: isPaid ? 'completed' : isRemoved ? 'removed' : 'active',
      createdAt: new Date(createdAt),
      expiresInSeconds: (expiresAt - createdAt) / 1000,
      received: this.allMoney().filter((pix) => pix.txid === txid),
    };
  }

  private giveBack(endToEndId: string, refundId: string, amountCents: number): Answer<BankReturn> {
    const earlier = this.returns.get(endToEndId) ?? [];
    const same = earlier.find((made) => made.refundId === refundId);
    if (same !== undefined) return { is: 'done', value: same };
    const pix = this.allMoney().find((received) => received.endToEndId === endToEndId);
    if (pix === undefined || this.returnedCents(endToEndId) + amountCents > pix.amountCents)
      return { is: 'refused', because: 'INVALID' };
    this.ids += 1;
    const made: BankReturn = {
      refundId,
      rtrId: `D12345678${writeDay(0).replaceAll('-', '')}0000${this.ids.toString(36).padStart(11, '0')}`,
      amountCents,
      nature: 'requested',
      status: 'completed',
      at: new Date(this.now()),
      reason: undefined,
    };
    this.returns.set(endToEndId, [...earlier, made]);
    return { is: 'done', value: made };
  }

  private allMoney(): BankReceivedPix[] {
    return [...this.mandates.keys()].flatMap((idRec) =>
      this.bank.record(idRec).money.map(({ txid, pix }) => this.receivedFrom(txid, pix)),
    );
  }

  private receivedFrom(txid: string | null, { endToEndId, amountCents, at }: PaidPix): BankReceivedPix {
    const returns = this.returns.get(endToEndId) ?? [];
    const paidAt = new Date(at);
    return { endToEndId, amountCents, paidAt, txid: txid ?? undefined, pixKey: undefined, returns };
  }

  private answerAbout<T, V>(item: T | undefined, view: (item: T) => V): Answer<V> {
    return item === undefined ? { is: 'refused', because: 'NOT_FOUND' } : { is: 'done', value: view(item) };
  }
}

/** The text of a mandate's code, which says whether it also pays a charge. */
export const codeOfMandate = (idRec: string, chargeTxid?: string) =>
  `mandate-${idRec}${chargeTxid === undefined ? '' : `-with-${chargeTxid}`}`;

const refusalOf = (because: string) =>
  new PspRefused(`the bank refused: ${because}`, { code: because, reason: 'O banco recusou.' });

function known<T>(answer: Answer<T>): T {
  if (answer.is === 'unknown') throw new PspUnknown('the bank gave no answer');
  if (answer.is === 'refused') throw refusalOf(answer.because);
  return answer.value;
}

function found<T>(answer: Answer<T>): T | undefined {
  return answer.is === 'refused' && answer.because === 'NOT_FOUND' ? undefined : known(answer);
}

async function* pageOf<T>(items: T[]): AsyncGenerator<T[]> {
  yield items;
}

const noNotices = { findNoticeUrl: async () => undefined, registerNoticeUrl: async () => {} };

const PERIOD_WORDS = Object.fromEntries(
  Object.entries(PERIODS).map(([word, period]) => [period, word]),
) as Record<SubscriptionPeriod, Period>;
const MANDATE_STATUS: Readonly<Record<MandateStatus, BankMandate['status']>> = {
  CRIADA: 'created',
  APROVADA: 'approved',
  REJEITADA: 'rejected',
  EXPIRADA: 'expired',
  CANCELADA: 'cancelled',
};
const JOURNEYS = { JORNADA_1: 1, JORNADA_2: 2, JORNADA_3: 3, JORNADA_4: 4 } as const;
const ENDED_BY: Readonly<Record<EndedBy, 'payer' | 'payer-bank' | 'receiver' | 'receiver-bank'>> = {
  USUARIO_PAGADOR: 'payer',
  PSP_PAGADOR: 'payer-bank',
  USUARIO_RECEBEDOR: 'receiver',
  PSP_RECEBEDOR: 'receiver-bank',
};

/** As the adapter reads it: a mandate or debit that ran out has no code, and of a refusal nobody is named. */
function endFrom(
  kind: 'refused' | 'cancelled',
  { code, by }: { readonly code: string | null; readonly by: EndedBy | null },
) {
  if (code === null) return undefined;
  const isNamed = kind === 'cancelled' && by !== null;
  return { kind, code, text: 'O banco encerrou.', by: isNamed ? ENDED_BY[by] : undefined };
}
