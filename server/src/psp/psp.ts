/**
 * The port to a bank's receiving side, in our own words. Amounts in integer cents, moments as Date.
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
  /** Pix copia e cola. */
  readonly brCode: string;
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
  /** Whether the last calls reached the bank; undefined before the first. */
  reachable(): boolean | undefined;
  close(): Promise<void>;
};

/** The bank said no, for certain: nothing happened there. */
export class PspRefused extends Error {
  override name = 'PspRefused';
}

/** Nobody knows whether the bank did it. Never to be read as a failure. */
export class PspUnknown extends Error {
  override name = 'PspUnknown';
}
