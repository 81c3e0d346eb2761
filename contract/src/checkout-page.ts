/**
 * The data of the pages for payers: the gateway collects it, the built pages render it. Amounts in integer cents,
 * timestamps as ISO 8601.
 */
export type CheckoutPage = PaymentPage | ReceiptPage | LinkPage | CounterPage | NoticePage;

/** What a page shows of the gateway that serves it. */
export type CheckoutSurroundings = {
  /** The URL of Banco Sandbox; null where money is real. */
  readonly bankUrl: string | null;
};

/** A rendered page, with its inline style sheets apart, because the content security policy lists them by hash. */
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

/**
 * What has become of a charge. `expired`, `cancelled` and `failed` ended unpaid; such a charge can no longer be paid.
 */
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
  /** The name inside the code, which the payer's bank may show; null if the payee's own name is inside. */
  readonly nameInCode: string | null;
  readonly now: string;
  readonly expiresAt: string;
  readonly paidAt: string | null;
  readonly endToEndId: string | null;
  readonly successUrl: string | null;
  /**
   * The page of the payment link that created the charge, where the payer can get another code; null without a link.
   */
  readonly linkUrl: string | null;
};

/** The response that the script of a payment page polls. */
export type PaymentPageStatus = {
  readonly status: PaymentState;
  readonly now: string;
  readonly expires_at: string;
  readonly paid_at: string | null;
};

/** The receipt of one paid charge. */
export type ReceiptPage = {
  readonly kind: 'receipt';
  readonly payee: Payee;
  readonly id: string;
  readonly amountCents: number;
  readonly refundedCents: number;
  readonly description: string | null;
  readonly paidAt: string;
  readonly endToEndId: string;
  /** What the bank reported of the payer; a CPF is partly masked. */
  readonly payer: { readonly name: string | null; readonly document: string | null };
};

/** The page of a payment link, on which a payer asks for a charge. */
export type LinkPage = {
  readonly kind: 'link';
  readonly payee: Payee;
  readonly slug: string;
  /**
   * `full`: the link's limit of payments is reached; `reserved`: codes not yet paid take up the rest of that limit now;
   * `ended`: the link's end time has passed; `off`: its owner switched it off; `not-receiving`: the merchant cannot
   * receive now.
   */
  readonly state: 'open' | 'full' | 'reserved' | 'ended' | 'off' | 'not-receiving';
  readonly title: string;
  readonly description: string | null;
  /** Null if the payer chooses the amount. */
  readonly amountCents: number | null;
  readonly minCents: number;
  readonly maxCents: number;
  /** Identifies this visit, so that a form submitted twice creates only one charge. */
  readonly token: string;
  /** The amount as the payer typed it; empty before the form is submitted. */
  readonly typed: string;
  /** What is wrong with the typed amount. */
  readonly fieldError: string | null;
  /** Why the submitted form created no charge, if the typed amount was not the reason. */
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

/** A page that only says that what the payer asked for does not exist, or is unavailable now. */
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
