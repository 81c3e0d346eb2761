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

/** A rendered page, and its inline style sheets, which the content security policy lists by hash. */
export type DrawnPage = { readonly html: string; readonly styles: readonly string[] };

/** The merchant who is paid. */
export type Payee = {
  /** The display name that the merchant chose. */
  readonly name: string;
  /** The name of the account. */
  readonly legalName: string;
  /** The tax number of a person (CPF, partly masked) or of a company (CNPJ). */
  readonly document: { readonly type: 'CPF' | 'CNPJ'; readonly text: string } | null;
  /** The page's colour, as `#rrggbb`. */
  readonly colour: string | null;
  /** The URL of the logo, on this gateway. */
  readonly logo: string | null;
};

/** The last three ended without a payment and can no longer be paid. */
export type PaymentState = 'waiting' | 'paid' | 'refunded' | 'expired' | 'cancelled' | 'failed';

/** One charge, as its payer sees it. */
export type PaymentPage = {
  readonly kind: 'payment';
  readonly payee: Payee;
  readonly id: string;
  readonly state: PaymentState;
  readonly amountCents: number;
  readonly description: string | null;
  /** The code that the payer pastes (Pix copia e cola); empty unless the charge is waiting for payment. */
  readonly code: string;
  /** The name inside the code, which the payer's bank may show; null if it is the payee's. */
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
  /** As far as the bank reported the payer; a CPF is partly masked. */
  readonly payer: { readonly name: string | null; readonly document: string | null };
};

export type LinkPage = {
  readonly kind: 'link';
  readonly payee: Payee;
  readonly slug: string;
  /**
   * `full`: its limit of payments is reached; `reserved`: unpaid codes currently take up the rest of that limit; `ended`:
   * its end time has passed; `off`: its owner switched it off; `not-receiving`: the merchant cannot receive now.
   */
  readonly state: 'open' | 'full' | 'reserved' | 'ended' | 'off' | 'not-receiving';
  readonly title: string;
  readonly description: string | null;
  /** Null if the payer chooses the amount. */
  readonly amountCents: number | null;
  readonly minCents: number;
  readonly maxCents: number;
  /** Identifies this visit's charge, so that a repeated submit creates only one. */
  readonly token: string;
  /** The amount as the payer typed it, the error of that text, and the error of the whole attempt. */
  readonly typed: string;
  readonly fieldError: string | null;
  readonly problem: string | null;
};

/** The page to print for a counter code, a code that can be paid repeatedly. */
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
