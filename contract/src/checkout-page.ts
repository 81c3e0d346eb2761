/**
 * What the pages that payers see are drawn from: the gateway gathers it, the built pages draw it. Amounts in integer
 * cents, moments as ISO 8601.
 */
export type CheckoutPage = PaymentPage | ReceiptPage | LinkPage | CounterPage | NoticePage;

/** What a page needs besides: of the gateway that serves it. */
export type CheckoutSurroundings = {
  /** The page of the sandbox's bank; null where money is real. */
  readonly bankUrl: string | null;
};

/** A page as HTML, and the texts of its style elements, which its policy names by their hashes. */
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

/** Waiting for its payer; over, in one of two ways; or without a payment, and nobody should pay it any more. */
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
  /** Where another code is made, if it came from a link. */
  readonly linkUrl: string | null;
};

/** What the script of a payment page asks for again and again. */
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
  readonly payee: Payee;
  readonly name: string;
  readonly amountCents: number | null;
  readonly code: string;
  readonly active: boolean;
};

/** A page of nobody in particular: what was asked for is not there, or not now. */
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
