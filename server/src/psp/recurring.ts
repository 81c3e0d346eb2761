// Pix Automático: debits that a payer has allowed once. In the words of the central bank's API, a mandate is a `rec`, the
// request for one a `solicrec`, and the charge of one cycle, which the payer's bank debits, a `cobr`. Amounts are in
// integer cents, days are calendar days of Brasília.

/** How often a mandate may be debited. */
export type MandatePeriod = 'weekly' | 'monthly' | 'quarterly' | 'semiannual' | 'annual';

export type MandateOrder = {
  /** Our id of the mandate, at most 35 letters and digits, stored before the call: the bank gives the idRec. */
  readonly contract: string;
  /** What is paid for, at most 35 characters. */
  readonly object: string;
  /** The name has at most 140 characters. */
  readonly payer: { readonly name: string; readonly document: string };
  readonly firstDay: string;
  readonly lastDay: string | undefined;
  readonly period: MandatePeriod;
  /** The amount of each cycle; undefined if it varies. */
  readonly amountCents: number | undefined;
  /** Of a varying amount: the payer's own maximum may not be below it. */
  readonly minMaximumCents: number | undefined;
  readonly allowsRetries: boolean;
  /** The place at which payers' banks read the mandate from a code; undefined if it is only pushed. */
  readonly locationId: number | undefined;
  /** The immediate charge by whose payment the payer also allows the debits. */
  readonly firstChargeTxid: string | undefined;
};

export type MandateStatus = 'created' | 'approved' | 'rejected' | 'expired' | 'cancelled';

/** Who ended something, as the bank says. */
export type EndedBy = 'payer' | 'payer-bank' | 'receiver' | 'receiver-bank';

/** The end of a mandate or debit that was refused or cancelled. `code`: of the banks' catalogue (AP13, SLDB). */
export type BankEnd = {
  readonly kind: 'refused' | 'cancelled';
  readonly code: string;
  readonly text: string;
  readonly by: EndedBy | undefined;
};

/** A charge that a mandate's code also pays, with its own code as verified when it was created. */
export type ChargeInCode = { readonly txid: string; readonly amountCents: number; readonly brCode: string };

export type BankMandate = {
  readonly idRec: string;
  readonly contract: string;
  readonly status: MandateStatus;
  readonly amountCents: number | undefined;
  readonly firstDay: string;
  readonly lastDay: string | undefined;
  readonly period: MandatePeriod;
  /** How the payer allowed it (JORNADA_1 to JORNADA_4); undefined before that. */
  readonly journey: 1 | 2 | 3 | 4 | undefined;
  /** When it got its present status, if the bank says. */
  readonly statusAt: Date | undefined;
  readonly end: BankEnd | undefined;
  /** The text that payers paste or scan; undefined if the mandate has no location, or the bank gave no code. */
  readonly brCode: string | undefined;
};

/** The request for a mandate that is pushed into the payer's app. */
export type PushOrder = {
  readonly idRec: string;
  readonly expiresAt: Date;
  readonly payer: { readonly document: string };
  readonly account: { readonly ispb: string; readonly branch: string | undefined; readonly number: string };
};

export type BankPush = {
  readonly id: string;
  readonly status: 'created' | 'sent' | 'received' | 'accepted' | 'rejected' | 'expired' | 'cancelled';
};

export type DebitOrder = {
  /** Our id, 26 to 35 letters and digits, stored before the call. A retry with the same txid adds no second debit. */
  readonly txid: string;
  readonly idRec: string;
  readonly amountCents: number;
  readonly dueDate: string;
  /** Shown to the payer, at most 140 characters. */
  readonly note: string;
};

/** One try of the payer's bank to debit. */
export type BankDebitAttempt = {
  readonly endToEndId: string;
  /** The day of the debit; undefined if the bank gives no readable one. */
  readonly date: string | undefined;
  readonly isRetry: boolean;
  readonly status: 'requested' | 'scheduled' | 'paid' | 'refused' | 'cancelled' | 'expired';
  /** Why it was refused (AM02), and the bank's words. */
  readonly refusal: { readonly code: string; readonly text: string } | undefined;
};

/** The charge of one cycle. */
export type BankDebit = {
  readonly txid: string;
  readonly idRec: string;
  readonly status: 'created' | 'active' | 'completed' | 'expired' | 'refused' | 'cancelled';
  readonly amountCents: number;
  readonly dueDate: string;
  readonly attempts: readonly BankDebitAttempt[];
  readonly end: BankEnd | undefined;
  /** The ids of the Pix that paid it. Their money is read from the Pix themselves. */
  readonly endToEndIds: readonly string[];
};

/** A URL for notices. */
export type NoticeUrls = {
  /** Returns undefined if none is registered. */
  findNoticeUrl(): Promise<string | undefined>;
  registerNoticeUrl(url: string): Promise<void>;
};

/** A bank that debits by mandate. Errors are those of `Psp`: PspRefused is certain, PspUnknown is not a failure. */
export type PixRecurring = {
  /** Makes a place for a code. One that is made and not used does no harm. */
  createLocation(): Promise<{ readonly id: number }>;
  /** The bank gives the idRec, so after an unknown outcome the mandate is looked for by its contract. */
  createMandate(order: MandateOrder): Promise<BankMandate>;
  /** `charge`: the one that is to be paid along with it, which the code then contains. */
  findMandate(idRec: string, charge?: ChargeInCode): Promise<BankMandate | undefined>;
  /** Finds a mandate among those that were created in the window. */
  findMandateByContract(contract: string, from: Date, to: Date): Promise<BankMandate | undefined>;
  /** The bank may take hours to confirm: the mandate returned may still be approved. */
  cancelMandate(idRec: string): Promise<BankMandate>;
  pushToPayer(order: PushOrder): Promise<BankPush>;
  findPush(id: string): Promise<BankPush | undefined>;
  cancelPush(id: string): Promise<BankPush>;
  createDebit(order: DebitOrder): Promise<BankDebit>;
  findDebit(txid: string): Promise<BankDebit | undefined>;
  cancelDebit(txid: string): Promise<BankDebit>;
  /** Asks for another try on a later day. */
  retryDebit(txid: string, date: string): Promise<BankDebit>;
  /** Lists what was created in the window, page by page to the last: for what no notice told. */
  listMandates(from: Date, to: Date): AsyncIterable<BankMandate[]>;
  listDebits(from: Date, to: Date): AsyncIterable<BankDebit[]>;
  /** Where the bank sends notices: one URL for each, for all accounts of the receiver together. */
  readonly mandateNotices: NoticeUrls;
  readonly debitNotices: NoticeUrls;
};
