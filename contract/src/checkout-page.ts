/**
 * The data of the pages for payers: the gateway collects it, the built pages render it. Amounts in integer cents,
 * timestamps as ISO 8601.
 */
export type CheckoutPage = PaymentPage | ReceiptPage | LinkPage | CounterPage | NoticePage;

/** Data about the gateway that serves the page. */
export type CheckoutSurroundings = {
  /** The page of the sandbox's bank; null where money is real. */
  readonly bankUrl: string | null;
};

/** A page as HTML, and its style texts, which the content security policy lists by hash. */
export type DrawnPage = { readonly html: string; readonly styles: readonly string[] };

/** Who is paid. */
export type Payee = {
  /** As the merchant wants to be known. */
  readonly name: string;
  /** As the account is called. */
  readonly legalName: string;
  /** A CPF comes masked. */
  readonly document: { readonly type: 'CPF' | 'CNPJ'; readonly text: string } | null;
  /** `#rrggbb`. */
  readonly colour: string | null;
  /** An address of this gateway. */
  readonly logo: string | null;
};

/** Waiting for payment; paid or refunded; or ended without a payment and no longer payable. */
export type PaymentState = 'waiting' | 'paid' | 'refunded' | 'expired' | 'cancelled' | 'failed';

/** One charge, as its payer sees it. */
export type PaymentPage = {
  readonly kind: 'payment';
  readonly payee: Payee;
  readonly id: string;
  readonly state: PaymentState;
  readonly amountCents: number;
  readonly description: string | null;
  /** Pix copia e cola; empty unless it waits. */
  readonly code: string;
  /** Whom the code itself names, if it is another name than the payee's: a payer's bank may show it. */
  readonly nameInCode: string | null;
  readonly now: string;
  readonly expiresAt: string;
  readonly paidAt: string | null;
  readonly endToEndId: string | null;
  readonly successUrl: string | null;
  /** Where the payer can get another code, if this one came from a link. */
  readonly linkUrl: string | null;
};

/** The status that a payment page's script polls. */
export type PaymentPageStatus = {
  readonly status: PaymentState;
  readonly now: string;
  readonly expires_at: string;
  readonly paid_at: string | null;
};

export type ReceiptPage = {
  readonly kind: 'receipt';
  readonly payee: Payee;
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
  readonly payee: Payee;
  readonly slug: string;
  readonly state: 'open' | 'full' | 'reserved' | 'ended' | 'off' | 'not-receiving';
  readonly title: string;
  readonly description: string | null;
  /** Null: the payer types it. */
  readonly amountCents: number | null;
  readonly minCents: number;
  readonly maxCents: number;
  /** Identifies this visit's charge, so that a repeated submit creates only one. */
  readonly token: string;
  /** The text typed, and the error of the text or the attempt. */
  readonly typed: string;
  readonly fieldError: string | null;
  readonly problem: string | null;
};

/** To be printed: a code that is paid again and again. */
export type CounterPage = {
  readonly kind: 'counter';
  readonly payee: Payee;
  readonly name: string;
  readonly amountCents: number | null;
  readonly code: string;
  readonly active: boolean;
};

/** A notice page: the requested item does not exist, or is unavailable now. */
export type NoticePage = {
  readonly kind: 'notice';
  readonly about:
    | 'payment-unknown'
    | 'receipt-unknown'
    | 'link-unknown'
    | 'code-unknown'
    | 'unreadable'
    | 'too-many'
    | 'failed';
};
