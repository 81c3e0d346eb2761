/**
 * What the pages that payers see are drawn from: the gateway gathers it, the built pages draw it. Amounts in integer
 * cents, moments as ISO 8601.
 */
export type CheckoutPage = { readonly payee: Payee; readonly sandbox: boolean } & (
  | PaymentPage
  | ReceiptPage
  | LinkPage
  | CounterPage
);

/** Who is paid. A CPF comes masked. */
export type Payee = {
  readonly name: string;
  readonly document: { readonly type: 'CPF' | 'CNPJ'; readonly text: string } | null;
  /** `#rrggbb`. */
  readonly colour: string | null;
  /** An address of this gateway. */
  readonly logo: string | null;
};

/** One charge, as its payer sees it. */
export type PaymentPage = {
  readonly kind: 'payment';
  readonly id: string;
  /** `ended`: nobody can pay it any more, and it was not paid. */
  readonly state: 'waiting' | 'paid' | 'refunded' | 'ended';
  readonly amountCents: number;
  readonly description: string | null;
  /** Pix copia e cola; empty unless it waits. */
  readonly code: string;
  readonly now: string;
  readonly expiresAt: string;
  readonly paidAt: string | null;
  readonly endToEndId: string | null;
  readonly successUrl: string | null;
  /** Where another code is made, if it came from a link that still takes payments. */
  readonly linkUrl: string | null;
};

export type ReceiptPage = {
  readonly kind: 'receipt';
  readonly id: string;
  readonly amountCents: number;
  readonly refundedCents: number;
  readonly description: string | null;
  readonly paidAt: string;
  readonly endToEndId: string;
  /** As far as the bank named them; a CPF comes masked. */
  readonly payer: { readonly name: string | null; readonly document: string | null };
};

export type LinkPage = {
  readonly kind: 'link';
  readonly slug: string;
  readonly state: 'open' | 'full' | 'reserved' | 'ended' | 'off' | 'not-receiving';
  readonly title: string;
  readonly description: string | null;
  /** Null: the payer types it. */
  readonly amountCents: number | null;
  readonly minCents: number;
  readonly maxCents: number;
  /** Names this visit's charge, so that a form sent twice makes one. */
  readonly token: string;
  /** What was typed, and what is wrong with it or with the attempt. */
  readonly typed: string;
  readonly fieldError: string | null;
  readonly problem: string | null;
};

/** To be printed: a code that is paid again and again. */
export type CounterPage = {
  readonly kind: 'counter';
  readonly name: string;
  readonly amountCents: number | null;
  readonly code: string;
  readonly active: boolean;
};
