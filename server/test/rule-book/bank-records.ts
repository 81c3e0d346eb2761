import {
  businessDays,
  cycleOf,
  cycleStart,
  dayOf,
  type Period,
  settlementDay,
  writeDay,
} from './calendar.ts';
import type {
  BankRules,
  ChargeEnding,
  ChargeStatus,
  ChargeView,
  Journey,
  MandateEnding,
  MandateStatus,
  MandateView,
  PaidPix,
  PayerBankTrouble,
  TryKind,
  TryRejection,
  TryStatus,
} from './rule-book.ts';

/*
 * What both banks know. The receiver never sees these; the judge does.
 */
export interface TryRecord {
  readonly day: number;
  readonly kind: TryKind;
  readonly endToEndId: string;
  status: TryStatus;
  code: TryRejection | null;
  endedAt: number | null;
}

export interface ChargeRecord {
  readonly mandate: MandateRecord;
  readonly txid: string;
  readonly due: number;
  /** -1 if the due day lies before the mandate's first day. */
  readonly cycle: number;
  readonly settlesOn: number;
  readonly amountCents: number;
  readonly createdAt: number;
  readonly tries: TryRecord[];
  readonly pix: PaidPix[];
  status: ChargeStatus;
  ending: ChargeEnding | null;
  endedAt: number | null;
  /** Whether the receiver's bank is about to send the first order again. */
  resending: boolean;
  lapses: boolean;
}

export interface MoneyRecord {
  readonly of: 'debit' | 'joining' | 'other-means';
  readonly cycle: number | null;
  readonly txid: string | null;
  readonly pix: PaidPix;
}

export interface MandateRecord {
  readonly idRec: string;
  readonly period: Period;
  readonly firstDay: number;
  readonly lastDay: number | null;
  readonly fixedCents: number | null;
  readonly minimumCents: number | null;
  readonly retriesAllowed: boolean;
  readonly charges: ChargeRecord[];
  readonly money: MoneyRecord[];
  status: MandateStatus;
  journey: Journey | null;
  approvedAt: number | null;
  endedAt: number | null;
  ending: MandateEnding | null;
  /** When the receiver asked for the end, which the payer's bank confirms later. */
  cancelAskedAt: number | null;
  maximumCents: number | null;
  account: 'open' | 'blocked' | 'closed';
  trouble: PayerBankTrouble | null;
  hasFunds: (moment: number) => boolean;
}

export const isOpen = ({ status }: ChargeRecord) => status === 'CRIADA' || status === 'ATIVA';
export const isPending = ({ status }: TryRecord) => status === 'SOLICITADA' || status === 'AGENDADA';
export const retriesOf = ({ tries }: ChargeRecord) => tries.filter(({ kind }) => kind === 'NTAG').length;

/** The last day for which a retry may be ordered: the seventh after the due day, and before the next cycle. */
export function lastRetryDay(mandate: MandateRecord, due: number): number {
  const cycle = cycleOf(mandate.firstDay, mandate.period, due);
  return Math.min(due + 7, cycleStart(mandate.firstDay, mandate.period, cycle + 1) - 1);
}

/** Whether no cycle of the mandate has this due day. */
export function isOutsideTerm({ firstDay, lastDay }: MandateRecord, due: number): boolean {
  return due < firstDay || (lastDay !== null && due > lastDay);
}

/** Why a charge sent then is not sent in time, if it is not. */
export function outsideWindow(
  rules: BankRules,
  due: number,
  sentAt: number,
): 'TOO_EARLY' | 'TOO_LATE' | null {
  const sent = dayOf(sentAt);
  if (due - sent > 10) return 'TOO_EARLY';
  if (due - sent < 2) return 'TOO_LATE';
  if (rules.window === 'calendar') return null;
  if (settlementDay(due) - sent > 10) return 'TOO_EARLY';
  return businessDays(sent, due) < 2 ? 'TOO_LATE' : null;
}

export function viewMandate(mandate: MandateRecord): MandateView {
  const { idRec, status, journey, approvedAt, endedAt, ending } = mandate;
  return { idRec, status, journey, approvedAt, endedAt, ending };
}

export function viewCharge(charge: ChargeRecord): ChargeView {
  return {
    idRec: charge.mandate.idRec,
    txid: charge.txid,
    due: writeDay(charge.due),
    amountCents: charge.amountCents,
    status: charge.status,
    tries: charge.tries.map(({ day, kind, status, endToEndId, code }) => ({
      day: writeDay(day),
      kind,
      status,
      endToEndId,
      code,
    })),
    pix: charge.pix.slice(),
    ending: charge.ending,
  };
}
