import type { DueAmountParts, DueTerms } from '@jangada/pix';
import type { PixRecurring } from './recurring.ts';

/**
 * The interface to a bank (PSP) in our own terms, which the adapters in `bacen/` and `efi/` implement. Amounts are in
 * integer cents, times are Dates. After a missing or broken response, or a 5xx, the bank may have executed the call:
 * the outcome is unknown, and PspUnknown is thrown. PspRefused is a certain refusal. A received Pix is identified by
 * its endToEndId, which is unique nationwide; a charge by its txid and a payout by its idEnvio, which are ours.
 */

/** A charge to be created at the bank. */
export type ChargeOrder = {
  /** Our id, 26 to 35 letters and digits, stored before the call. A retry with the same txid adds no second charge. */
  readonly txid: string;
  readonly amountCents: number;
  /** How long it can be paid. Without meaning for a charge with a due date. */
  readonly expiresInSeconds: number;
  /** Shown to the payer, at most 140 characters. */
  readonly payerNote: string;
  /** Whom it is for. Required with `due`. */
  readonly billedTo?: { readonly name: string; readonly document: string } | undefined;
  /** The due date and what late and early payers owe. `amountCents` is then the original amount. */
  readonly due?: DueTerms | undefined;
};

/** Banks keep charges with a due date apart, and do not know them among the others. */
export type ChargeKind = 'immediate' | 'due';

export type BankCharge = {
  readonly txid: string;
  readonly status: 'active' | 'completed' | 'removed';
  /** The original amount, if the charge has a due date. */
  readonly amountCents: number;
  readonly pixKey: string;
  readonly createdAt: Date;
  /** Undefined for a charge with a due date. */
  readonly expiresInSeconds: number | undefined;
  /** The calendar day on which it falls due; undefined for an immediate charge. */
  readonly dueDate: string | undefined;
  /**
   * The text that payers paste or scan. Undefined if the bank gives no code, or a code that does not match the charge.
   */
  readonly brCode: string | undefined;
  /** Payments of this charge so far, as reported by the bank. */
  readonly received: readonly BankReceivedPix[];
};

/** A Pix received on our key, as reported by the bank. */
export type BankReceivedPix = {
  readonly endToEndId: string;
  readonly amountCents: number;
  readonly paidAt: Date;
  readonly txid: string | undefined;
  /** Undefined if the bank omits it from this response. */
  readonly pixKey: string | undefined;
  /** The payer as given by the bank, which may mask the document. Undefined if the bank does not report it. */
  readonly payer?: { readonly name: string | undefined; readonly document: string | undefined } | undefined;
  /** How the bank explains the amount, if it does. The parts are not checked. */
  readonly parts?: DueAmountParts | undefined;
  /** Completed, pending and refused returns, requested by us or made by the bank. */
  readonly returns: readonly BankReturn[];
};

/** A return (devolução) of a received Pix. */
export type BankReturn = {
  /** The id under which we requested the return, or the id that the bank generated for a return made by itself. */
  readonly refundId: string;
  /** The nationwide identifier of the return. */
  readonly rtrId: string | undefined;
  readonly amountCents: number;
  /** `dispute`: made by the bank after a dispute (MED, the banks' special return mechanism). */
  readonly nature: 'requested' | 'dispute';
  readonly status: 'processing' | 'completed' | 'refused';
  /** When the return was settled, or requested if the bank reports no settlement. */
  readonly at: Date;
  readonly reason: string | undefined;
};

export type PixCharges = {
  createCharge(order: ChargeOrder): Promise<BankCharge>;
  /** Returns undefined if the bank has no such charge. */
  findCharge(txid: string, kind: ChargeKind): Promise<BankCharge | undefined>;
  removeCharge(txid: string, kind: ChargeKind): Promise<BankCharge>;
  /** Returns undefined if the bank has no such Pix at present. */
  findReceivedPix(endToEndId: string): Promise<BankReceivedPix | undefined>;
  /**
   * Lists the Pix that the account received in the window, on whatever key, page by page to the last. With the filter `returned`, lists only
   * Pix that were returned in whole or in part.
   */
  listReceivedPix(from: Date, to: Date, filter?: 'returned'): AsyncIterable<BankReceivedPix[]>;
  /** Returns the URL to which the bank sends notices for our key; undefined if none is registered. */
  findNoticeUrl(): Promise<string | undefined>;
  registerNoticeUrl(url: string): Promise<void>;
  /** Whether the last call reached the bank and our credentials were accepted; undefined before the first call. */
  reachable(): boolean | undefined;
  health(): BankHealth;
  close(): Promise<void>;
};

/** The health of a bank, as the attempts of this process to reach it have shown it. */
export type BankHealth = {
  /**
   * How many attempts the bank answered, with our credentials accepted. While it creates no charges, other answers do not
   * count.
   */
  readonly answers: number;
  /** How many attempts failed since the last answer: no response, a failure of the bank, or credentials refused. */
  readonly failuresInARow: number;
  /** The failure of the last attempt, in Portuguese; undefined if it was answered. */
  readonly lastFailure: string | undefined;
};

export type RefundOrder = {
  readonly endToEndId: string;
  /** Our id, letters and digits, stored before the call: the bank executes each id at most once per Pix. */
  readonly refundId: string;
  readonly amountCents: number;
  /** At most 140 characters; empty for none. */
  readonly note: string;
};

export type PixRefunds = {
  /**
   * Throws PspRefused only if the bank certainly accepted nothing. If the bank already has a refund under this id,
   * returns the current state of that refund.
   */
  requestRefund(order: RefundOrder): Promise<BankReturn>;
  /** Returns undefined if the bank has no such return at present. */
  findRefund(endToEndId: string, refundId: string): Promise<BankReturn | undefined>;
};

export type PayoutOrder = {
  /** Our id of the payout, 1 to 35 letters and digits, stored before the call. */
  readonly idEnvio: string;
  readonly amountCents: number;
  /** The payee's key in the canonical format of DICT, the central bank's directory of Pix keys. */
  readonly pixKey: string;
  /** At most 140 characters; empty for none. */
  readonly note: string;
};

/** A Pix sent from our account, as reported by the bank. */
export type BankPayout = {
  /** Our id of the payout, or the endToEndId of a Pix that was sent without an idEnvio. */
  readonly idEnvio: string;
  readonly endToEndId: string | undefined;
  readonly status: 'processing' | 'completed' | 'refused';
  readonly amountCents: number;
  /** Undefined if the bank omits it from this response or masks it. */
  readonly pixKey: string | undefined;
  readonly requestedAt: Date | undefined;
  /** For a refused payout: the Pix reason code (AC03) and the bank's text. */
  readonly refusal: { readonly code: string | undefined; readonly reason: string } | undefined;
  /** Amounts that the payee's bank returned after completion. */
  readonly returned: readonly { readonly rtrId: string; readonly amountCents: number; readonly at: Date }[];
};

export type PixPayouts = {
  /**
   * Whether an order that the bank does not know may be sent again under its idEnvio, because the bank executes each
   * idEnvio at most once.
   */
  readonly isResendSafe: boolean;
  /**
   * Throws PspRefused only if the bank certainly accepted nothing. If the bank already has a payout under this
   * idEnvio, returns the current state of that payout.
   */
  sendPayout(order: PayoutOrder): Promise<BankPayout>;
  /** Returns undefined if the bank has no such order at present. */
  findPayout(idEnvio: string): Promise<BankPayout | undefined>;
  /** Lists all Pix sent from the account in the window, page by page to the last. */
  listPayouts(from: Date, to: Date): AsyncIterable<BankPayout[]>;
};

/** A dispute: a payment contested by its payer. */
export type BankDispute = {
  readonly disputeId: string;
  readonly endToEndId: string;
  /** The protocol number under which the bank handles the dispute. */
  readonly protocol: string;
  readonly amountCents: number;
  readonly reason: string;
  readonly status: 'open' | 'defended' | 'accepted' | 'rejected' | 'cancelled';
  readonly openedAt: Date;
  /** Until when the bank accepts a defence. */
  readonly deadlineAt: Date;
};

/** Identifies a dispute. Finding a dispute takes its opening time, because banks only list disputes by time. */
export type DisputeLookupKey = Pick<BankDispute, 'disputeId' | 'openedAt'>;

/** The merchant's statement, at most 4,000 characters, and its evidence. */
export type BankDefence = {
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly type: string; readonly content: Buffer }[];
};

export type BankDisputes = {
  /** Whether a defence can include files. If not, they are not sent, and must be uploaded on the bank's own site. */
  readonly takesFiles: boolean;
  /** Lists the disputes opened in the window, page by page to the last. */
  listDisputes(from: Date, to: Date): AsyncIterable<BankDispute[]>;
  /** Returns undefined if the bank has no such dispute at present. */
  findDispute(key: DisputeLookupKey): Promise<BankDispute | undefined>;
  /**
   * Contests the dispute on the merchant's behalf. Does nothing, without an error, if the dispute is defended already.
   */
  sendDefence(key: DisputeLookupKey, defence: BankDefence): Promise<void>;
};

/** The bank account that holds the merchants' money. */
export type BankAccount = {
  /**
   * Reads the free balance, and the amount that the bank has blocked (for disputes or courts). The money in the account
   * is the sum of both.
   */
  readBalance(): Promise<{ readonly freeCents: number; readonly blockedCents: number }>;
};

/**
 * A bank. API Pix standardises charges, refunds and mandates; payouts, disputes and the balance differ by bank. What a
 * bank lacks is absent.
 */
export type Psp = PixCharges & {
  readonly refunds?: PixRefunds;
  readonly payouts?: PixPayouts;
  readonly disputes?: BankDisputes;
  readonly account?: BankAccount;
  readonly recurring?: PixRecurring;
};

type RefusalDetails = {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly cause?: unknown;
};

/** A certain refusal: the bank executed nothing. */
export class PspRefused extends Error {
  override name = 'PspRefused';
  /** The bank's error code, if given: `saldo_insuficiente`, `PixDevolucaoInvalida`. */
  readonly code: string | undefined;
  /** The bank's explanation in Portuguese, if given. */
  readonly reason: string | undefined;

  constructor(message: string, { code, reason, cause }: RefusalDetails = {}) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
  }
}

/** The outcome is unknown: the bank may have executed the call. Never treat this as a failure. */
export class PspUnknown extends Error {
  override name = 'PspUnknown';
}

/**
 * The call was not made, because the bank has not answered for some time. For a call that was never tried before, nothing
 * can have come of it; otherwise its outcome is unknown as before.
 */
export class PspNotAsked extends PspUnknown {
  override name = 'PspNotAsked';
}
