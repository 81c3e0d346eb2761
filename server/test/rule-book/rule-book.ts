import type { Period } from './calendar.ts';

/*
 * The words of Pix Automático, as API Pix 2.9.0 has them: what a mandate (rec), a cycle's charge (cobr) and a try to debit
 * (tentativa) look like to the receiver, and what the bank answers. Days are YYYY-MM-DD, money is cents.
 */
export interface MandateTerms {
  readonly period: Period;
  readonly firstDay: string;
  readonly lastDay: string | null;
  /** The amount of every charge, if it is fixed. */
  readonly fixedCents: number | null;
  /** No payer's maximum may be below it. Excludes a fixed amount. */
  readonly minimumCents: number | null;
  /** PERMITE_3R_7D or NAO_PERMITE. */
  readonly retriesAllowed: boolean;
}

export type MandateStatus = 'CRIADA' | 'APROVADA' | 'REJEITADA' | 'EXPIRADA' | 'CANCELADA';
export type ChargeStatus = 'CRIADA' | 'ATIVA' | 'CONCLUIDA' | 'EXPIRADA' | 'REJEITADA' | 'CANCELADA';
export type TryStatus = 'SOLICITADA' | 'AGENDADA' | 'PAGA' | 'REJEITADA' | 'CANCELADA' | 'EXPIRADA';
/** AGND is the first one, NTAG one that the receiver ordered after the due day, RIFL one that its bank sent again. */
export type TryKind = 'AGND' | 'NTAG' | 'RIFL';
export type Journey = 'JORNADA_1' | 'JORNADA_2' | 'JORNADA_3' | 'JORNADA_4';
export type EndedBy = 'PSP_PAGADOR' | 'USUARIO_PAGADOR' | 'PSP_RECEBEDOR' | 'USUARIO_RECEBEDOR';

export type MandateRejection = 'AP13' | 'AP14';
export type MandateCancellation = 'ACCL' | 'CPCL' | 'DCSD' | 'ERSL' | 'FRUD' | 'PCFD' | 'SLCR' | 'SLDB';
export type ChargeCancellation = 'ACCT' | 'BLCK' | 'CCLD' | 'FAIL' | 'OTHR' | 'SLBD' | 'SLCR';

export const TRY_REJECTIONS = [
  'AB10',
  'AC05',
  'AC06',
  'AM02',
  'AM09',
  'DENC',
  'DS27',
  'DTED',
  'DTNT',
  'FBRD',
  'IRNT',
  'MIDI',
  'MSUC',
  'NIEC',
  'NIPA',
  'NITX',
  'QUNT',
  'RC09',
  'UDEI',
] as const;
export type TryRejection = (typeof TRY_REJECTIONS)[number];

/** A try that is rejected with one of these takes its charge with it; all others leave the charge open to a retry. */
export const REJECTS_THE_CHARGE: ReadonlySet<TryRejection> = new Set([
  'AC05',
  'AM09',
  'DENC',
  'DS27',
  'DTED',
  'MIDI',
  'MSUC',
  'NITX',
  'RC09',
]);

export interface MandateEnding {
  readonly code: MandateRejection | MandateCancellation | null;
  readonly by: EndedBy | null;
}

export interface MandateView {
  readonly idRec: string;
  readonly status: MandateStatus;
  readonly journey: Journey | null;
  readonly approvedAt: number | null;
  readonly endedAt: number | null;
  readonly ending: MandateEnding | null;
}

export interface TryView {
  /** The day on which it is to be debited. */
  readonly day: string;
  readonly kind: TryKind;
  readonly status: TryStatus;
  readonly endToEndId: string;
  readonly code: TryRejection | null;
}

export interface ChargeEnding {
  readonly code: TryRejection | ChargeCancellation | null;
  readonly by: EndedBy | null;
}

export interface PaidPix {
  readonly endToEndId: string;
  readonly amountCents: number;
  readonly at: number;
}

export interface ChargeView {
  readonly idRec: string;
  readonly txid: string;
  readonly due: string;
  readonly amountCents: number;
  readonly status: ChargeStatus;
  readonly tries: readonly TryView[];
  readonly pix: readonly PaidPix[];
  readonly ending: ChargeEnding | null;
}

export interface ChargeOrder {
  readonly idRec: string;
  readonly txid: string;
  readonly due: string;
  readonly amountCents: number;
}

/** Why the receiver's bank refuses a call at once. */
export type CallRefusal =
  | 'NOT_FOUND'
  | 'INVALID'
  | 'FIRST_DAY_PASSED'
  | 'MANDATE_ENDED'
  | 'TXID_IN_USE'
  | 'DUE_DAY_PASSED'
  | 'CYCLE_HAS_CHARGE'
  | 'MANDATE_NOT_APPROVED'
  | 'OUTSIDE_THE_TERM'
  | 'WRONG_AMOUNT'
  | 'TOO_EARLY'
  | 'TOO_LATE'
  | 'CHARGE_NOT_OPEN'
  | 'CANCELLED_TOO_LATE'
  | 'CHARGE_PAID'
  | 'TRY_OPEN'
  | 'DAY_TAKEN'
  | 'NOT_A_FUTURE_DAY'
  | 'RETRIES_NOT_ALLOWED'
  | 'BEYOND_SEVEN_DAYS'
  | 'THREE_ALREADY'
  | 'NEXT_CYCLE';

/** Unknown: no answer came, and the call may or may not have been carried out. */
export type Answer<T> =
  | { readonly is: 'done'; readonly value: T }
  | { readonly is: 'refused'; readonly because: CallRefusal }
  | { readonly is: 'unknown' };

export interface MandateNotice {
  readonly kind: 'mandate';
  readonly idRec: string;
  readonly at: number;
  readonly mandate: MandateView;
}
export interface ChargeNotice {
  readonly kind: 'charge';
  readonly idRec: string;
  readonly at: number;
  readonly charge: ChargeView;
}
/** Money that came, as a bank tells it on /pix. Not every bank tells a debit's money there beside the charge itself. */
export interface MoneyNotice {
  readonly kind: 'money';
  readonly idRec: string;
  readonly at: number;
  /** A debit of a charge, the payment with which the payer joined (journey 3), or a cycle paid by other means. */
  readonly of: 'debit' | 'joining' | 'other-means';
  readonly txid: string | null;
  /** The first day of the cycle that was paid by other means. */
  readonly cycle: string | null;
  readonly pix: PaidPix;
}
export type Notice = MandateNotice | ChargeNotice | MoneyNotice;

/** What the receiver may ask of its bank. A snapshot that an answer or notice holds never changes afterwards. */
export interface BankCalls {
  cancelMandate(idRec: string): Answer<MandateView>;
  readMandate(idRec: string): Answer<MandateView>;
  createCharge(order: ChargeOrder): Answer<ChargeView>;
  readCharge(txid: string): Answer<ChargeView>;
  /** Every charge of a mandate, in the order of their creation. */
  listCharges(idRec: string): Answer<readonly ChargeView[]>;
  cancelCharge(txid: string): Answer<ChargeView>;
  retryCharge(txid: string, day: string): Answer<ChargeView>;
}

/** Where the rule book leaves a choice, or its readers differ. */
export interface BankRules {
  /**
   * Whether the receiver's bank refuses at once what the file leaves to the payer's bank, which rejects it later with a code:
   * window, amount, term, the mandate's status, more than three retries, beyond the seventh day.
   */
  readonly checksAtCall: boolean;
  /** Ten to two calendar days before the due day; `every` reading asks it of business days and of the settlement day too. */
  readonly window: 'calendar' | 'every';
  /** Whether a debit's money is told on /pix beside the charge. */
  readonly tellsDebitsApart: boolean;
  /** Days on which the town of every payer has a holiday, which moves what would be debited; none by default. */
  readonly localHolidays?: ReadonlySet<number>;
}

/** What is wrong at the payer's bank, each with the code that comes of it. */
export type PayerBankTrouble =
  | { readonly code: 'DENC' | 'DS27' | 'MIDI' | 'RC09' | 'UDEI' }
  /** The next answer is an error; the receiver's bank sends the order again. */
  | { readonly code: 'AB10' }
  /** The next answer is lost; the receiver's bank sends again what is pending already. */
  | { readonly code: 'NIEC' }
  /** The receiver's bank passes the next order on too late. */
  | { readonly code: 'FBRD' }
  /** A retry does not find its charge. */
  | { readonly code: 'NITX' };
