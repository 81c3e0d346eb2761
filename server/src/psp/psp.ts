/**
 * The port to a bank, in our own words. Amounts in integer cents, moments as Date.
 * An answer that does not come, comes broken or says 5xx leaves the outcome unknown (PspUnknown): the bank may have
 * done what was asked. PspRefused is a certain no.
 */
export type ChargeOrder = {
  /** Ours, 26 to 35 letters and digits, stored before the call: asking again with it is the same request. */
  readonly txid: string;
  readonly amountCents: number;
  readonly expiresInSeconds: number;
  /** Shown to the payer, at most 140 characters. */
  readonly payerNote: string;
};

export type BankCharge = {
  readonly txid: string;
  readonly status: 'active' | 'completed' | 'removed';
  readonly amountCents: number;
  readonly pixKey: string;
  readonly createdAt: Date;
  readonly expiresInSeconds: number;
  /** Pix copia e cola. Undefined: the bank tells none, or one that does not ask for this charge. */
  readonly brCode: string | undefined;
  /** What was paid on it so far, as the bank reports it. */
  readonly received: readonly BankReceivedPix[];
};

/** A Pix that our bank says arrived on our key. */
export type BankReceivedPix = {
  readonly endToEndId: string;
  readonly amountCents: number;
  readonly paidAt: Date;
  readonly txid: string | undefined;
  /** Undefined where the bank leaves it out of this answer. */
  readonly pixKey: string | undefined;
  /** As the bank names them: a document may be masked already. Undefined where it does not tell. */
  readonly payer?: { readonly name: string | undefined; readonly document: string | undefined } | undefined;
  /** What of it went back, or is going: asked for by us, or made by the bank. */
  readonly returns: readonly BankReturn[];
};

/** A devolução of a received Pix. */
export type BankReturn = {
  /** The name under which it was asked for; the bank makes up one of its own for what it returns by itself. */
  readonly refundId: string;
  readonly rtrId: string | undefined;
  readonly amountCents: number;
  /** `dispute`: made by the bank after a dispute (MED). */
  readonly nature: 'requested' | 'dispute';
  readonly status: 'processing' | 'completed' | 'refused';
  readonly at: Date;
  readonly reason: string | undefined;
};

export type PixCharges = {
  createCharge(order: ChargeOrder): Promise<BankCharge>;
  /** Undefined: the bank knows no such charge. */
  findCharge(txid: string): Promise<BankCharge | undefined>;
  removeCharge(txid: string): Promise<BankCharge>;
  /** Undefined: the bank denies it, now. */
  findReceivedPix(endToEndId: string): Promise<BankReceivedPix | undefined>;
  /** Everything received on the key in the window, page by page to the last. */
  listReceivedPix(from: Date, to: Date): AsyncIterable<BankReceivedPix[]>;
  /** The address where the bank sends notices for our key; undefined when none is registered. */
  findWebhook(): Promise<string | undefined>;
  registerWebhook(url: string): Promise<void>;
  /** Whether the last calls reached the bank, and it took our credentials; undefined before the first. */
  reachable(): boolean | undefined;
  close(): Promise<void>;
};

export type RefundOrder = {
  readonly endToEndId: string;
  /** Ours, letters and digits, stored before the call: the bank takes each once for a Pix. */
  readonly refundId: string;
  readonly amountCents: number;
  /** At most 140 characters; empty for none. */
  readonly note: string;
};

export type PixRefunds = {
  /** PspRefused only when the bank certainly took nothing. A known id is answered with what became of it. */
  requestRefund(order: RefundOrder): Promise<BankReturn>;
  /** Undefined: the bank knows no such return, now. */
  findRefund(endToEndId: string, refundId: string): Promise<BankReturn | undefined>;
};

export type PayoutOrder = {
  /** Ours, 1 to 35 letters and digits, stored before the call. */
  readonly idEnvio: string;
  readonly amountCents: number;
  /** Canonical, as DICT stores it. */
  readonly pixKey: string;
  /** At most 140 characters; empty for none. */
  readonly note: string;
};

/** A Pix that leaves our account, as the bank tells it. */
export type BankPayout = {
  /** The endToEndId, where a list shows what was sent without one. */
  readonly idEnvio: string;
  readonly endToEndId: string | undefined;
  readonly status: 'processing' | 'completed' | 'refused';
  readonly amountCents: number;
  /** Undefined where the bank leaves it out of this answer, or masks it. */
  readonly pixKey: string | undefined;
  readonly requestedAt: Date | undefined;
  /** Of a refused one: the code of the arrangement (AC03) and the bank's words. */
  readonly refusal: { readonly code: string | undefined; readonly reason: string } | undefined;
  /** What came back after it was completed. */
  readonly returned: readonly { readonly rtrId: string; readonly amountCents: number; readonly at: Date }[];
};

export type PixPayouts = {
  /** Whether an order may be sent again under the same idEnvio when the bank does not know it. */
  readonly resendIsSafe: boolean;
  /** PspRefused only when the bank certainly took nothing. A known idEnvio is answered with what became of it. */
  sendPayout(order: PayoutOrder): Promise<BankPayout>;
  /** Undefined: the bank knows no such order, now. */
  findPayout(idEnvio: string): Promise<BankPayout | undefined>;
  /** Everything sent from the account in the window, page by page to the last. */
  listPayouts(from: Date, to: Date): AsyncIterable<BankPayout[]>;
};

/** What a payer contested (MED). */
export type BankDispute = {
  readonly disputeId: string;
  readonly endToEndId: string;
  readonly protocol: string;
  readonly amountCents: number;
  readonly reason: string;
  readonly status: 'open' | 'defended' | 'accepted' | 'rejected' | 'cancelled';
  readonly openedAt: Date;
  readonly deadlineAt: Date;
};

/** A dispute that the bank told of: its moment is needed to find it again, since banks publish only a list of them. */
export type DisputeName = Pick<BankDispute, 'disputeId' | 'openedAt'>;

/** What the merchant has to say, at most 4,000 characters, and what proves it. */
export type BankDefence = {
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly type: string; readonly content: Buffer }[];
};

export type BankDisputes = {
  /** Whether files go along with a defence; else they are not sent, and the bank's own page is the way for them. */
  readonly takesFiles: boolean;
  /** What was opened in the window, page by page to the last. */
  listDisputes(from: Date, to: Date): AsyncIterable<BankDispute[]>;
  /** Undefined: the bank knows no such dispute, now. */
  findDispute(name: DisputeName): Promise<BankDispute | undefined>;
  /** The merchant disagrees, and says why. A dispute that was defended before is left as it is, without a word. */
  sendDefence(name: DisputeName, defence: BankDefence): Promise<void>;
};

/** The account that holds the merchants' money. */
export type BankAccount = {
  /** Free to move, and blocked by the bank (disputes, courts); the account holds both. */
  readBalance(): Promise<{ readonly freeCents: number; readonly blockedCents: number }>;
};

/**
 * A bank. API Pix standardises receiving and refunds; payouts, disputes and the balance are each bank's own, and a bank
 * that has none here leaves them out.
 */
export type Psp = PixCharges & {
  readonly refunds?: PixRefunds;
  readonly payouts?: PixPayouts;
  readonly disputes?: BankDisputes;
  readonly account?: BankAccount;
};

type RefusalDetails = {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly cause?: unknown;
};

/** The bank said no, for certain: nothing happened there. */
export class PspRefused extends Error {
  override name = 'PspRefused';
  /** The bank's code for it, where it gives one: `saldo_insuficiente`, `PixDevolucaoInvalida`. */
  readonly code: string | undefined;
  /** The bank's words for it, in Portuguese, where it gives any. */
  readonly reason: string | undefined;

  constructor(message: string, { code, reason, cause }: RefusalDetails = {}) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
  }
}

/** Nobody knows whether the bank did it. Never to be read as a failure. */
export class PspUnknown extends Error {
  override name = 'PspUnknown';
}
