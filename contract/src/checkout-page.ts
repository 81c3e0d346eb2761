import type { Authorization, SubscriptionPeriod } from './subscription.ts';

/**
 * The data of the pages for payers. The gateway collects the data, and code that is built from the web app renders it.
 * Amounts in integer cents, timestamps in ISO 8601.
 */
export type CheckoutPage =
  | PaymentPage
  | ReceiptPage
  | LinkPage
  | CounterPage
  | SubscriptionPage
  | CustomerPage
  | RemindersPage
  | UnavailablePage;

/** Facts about the gateway itself that a page for payers shows. */
export type CheckoutEnvironment = {
  /** The URL of Banco Sandbox, the bank of the test mode; null if money is real. */
  readonly bankUrl: string | null;
};

/**
 * A rendered page. `styles` repeats the inline style sheets of `html`, because the content security policy of the page
 * lists the hash of each.
 */
export type RenderedPage = { readonly html: string; readonly styles: readonly string[] };

/** The merchant who receives the payment. */
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

/** The state of a charge. An `expired`, `cancelled` or `failed` charge ended unpaid and can no longer be paid. */
export type PaymentState = 'waiting' | 'paid' | 'refunded' | 'expired' | 'cancelled' | 'failed';

/** A due date, and how the amount is made up: what was paid, or what is owed today as the gateway predicts it. */
export type PayerDue = {
  readonly dueDate: string;
  /** The last day on which it can be paid, as far as the gateway knows the payer's holidays. */
  readonly lastDay: string;
  readonly isLate: boolean;
  readonly originalCents: number;
  readonly fineCents: number;
  readonly interestCents: number;
  readonly rebateCents: number;
  readonly discountCents: number;
};

/** One charge, as its payer sees it. */
export type PaymentPage = {
  readonly kind: 'payment';
  readonly payee: Payee;
  readonly id: string;
  readonly state: PaymentState;
  /** With a due date: what is owed today. */
  readonly amountCents: number;
  readonly due: PayerDue | null;
  readonly description: string | null;
  /** The code that the payer pastes (Pix copia e cola); empty unless the charge is waiting for payment. */
  readonly code: string;
  /**
   * The name inside the code, which the payer's bank may show; null if that name is the payee's own. The page announces
   * a different name, so that the payer is not alarmed.
   */
  readonly nameInCode: string | null;
  /** The institution that holds the account into which the payer pays; null if the operator named none. */
  readonly institution: string | null;
  readonly now: string;
  readonly expiresAt: string;
  readonly paidAt: string | null;
  readonly endToEndId: string | null;
  readonly successUrl: string | null;
  /** The page of the payment link that created the charge, where the payer can get a new code; null without a link. */
  readonly linkUrl: string | null;
};

/** The response to the script of a payment page, which polls for the state of the charge. */
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
  readonly due: PayerDue | null;
  readonly refundedCents: number;
  readonly description: string | null;
  readonly paidAt: string;
  readonly endToEndId: string;
  /** The institution that holds the account into which was paid; null if the operator named none. */
  readonly institution: string | null;
  /** The payer as reported by the bank; a CPF is partly masked. */
  readonly payer: { readonly name: string | null; readonly document: string | null };
};

/** The page of a payment link, which creates a charge for each payer who asks for one on this page. */
export type LinkPage = {
  readonly kind: 'link';
  readonly payee: Payee;
  readonly slug: string;
  /**
   * Whether the link creates charges now, and if not, why:
   * - `full`: the link's limit of payments is reached.
   * - `reserved`: unpaid codes that are still valid take up the rest of that limit.
   * - `ended`: the link's end time has passed.
   * - `off`: the link's owner switched the link off.
   * - `not-receiving`: the merchant cannot receive payments now.
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
  /** The message about the typed amount, if the gateway refused that amount. */
  readonly fieldError: string | null;
  /** Why the submitted form created no charge, for any reason other than the typed amount. */
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

/**
 * Where the payer's permission stands. `waiting`: not given yet. `cancelled`: it was taken back, or given up before it
 * was given. `ended`: no more debits follow, because the last day passed.
 */
export type PermissionState = 'waiting' | 'allowed' | 'rejected' | 'expired' | 'cancelled' | 'ended';

/** A debit that was made, or that will be. */
type PayerDebit = {
  /** The day that the subscription names, which names the debit (“a cobrança de janeiro”). */
  readonly dueDay: string;
  /** The day of the debit, or on which it was paid. */
  readonly day: string;
  /** Null while the amount is not known. */
  readonly amountCents: number | null;
};

/**
 * One subscription, as its payer sees it at `/autorizar/{id}`: where the debits are allowed, and later seen. Whoever has
 * the address sees the page, so it names neither a person in full nor their account.
 */
export type SubscriptionPage = {
  readonly kind: 'subscription';
  readonly payee: Payee;
  /** As in the address of the page, which nobody can guess. */
  readonly id: string;
  readonly state: PermissionState;
  /**
   * Of a person, the first name and the first letter of the last one, and the CPF partly masked; of a company, name and
   * CNPJ, which are public.
   */
  readonly payer: { readonly name: string; readonly document: string };
  readonly description: string;
  /** Null if it varies. */
  readonly amountCents: number | null;
  /** Of a varying amount: the maximum that the payer sets may not be below it. */
  readonly minMaximumCents: number | null;
  readonly period: SubscriptionPeriod;
  readonly firstDay: string;
  readonly lastDay: string | null;
  readonly authorization: Authorization;
  /**
   * The code by which the debits are allowed; empty unless the page waits for that and the bank has made the code. Of
   * `push` it is always empty.
   */
  readonly code: string;
  /** The name inside the code, if it is not the payee's own. */
  readonly nameInCode: string | null;
  /** What is paid along with the permission, of `pay` and `offer`: null otherwise, and once it is paid. */
  readonly firstPayment: { readonly amountCents: number; readonly dueDate: string | null } | null;
  /** The institution that holds the account into which the payer pays; null if the operator named none. */
  readonly institution: string | null;
  readonly now: string;
  readonly allowedAt: string | null;
  readonly endedAt: string | null;
  /** Who ended it; null while it goes on, and if nobody did. */
  readonly endedBy: 'payer' | 'payee' | 'bank' | null;
  readonly nextDebit: PayerDebit | null;
  /** The last cycle, if its debit failed and it is not paid. */
  readonly unpaid:
    | (PayerDebit & {
        /** When the bank tries again; null if it does not. */
        readonly nextTryDay: string | null;
        /** The page where it can be paid by a code; null without such a charge. */
        readonly payUrl: string | null;
      })
    | null;
  /** The last twelve payments, from the newest to the oldest. */
  readonly payments: readonly PayerDebit[];
};

/** The response to the script of a subscription's page, at `/autorizar/{id}/status`. */
export type SubscriptionPageStatus = { readonly status: PermissionState; readonly now: string };

/** Everything that is open between a customer and a merchant, for whoever has the page's address. */
export type CustomerPage = {
  readonly kind: 'customer';
  readonly payee: Payee;
  readonly customerName: string;
  /** What can be paid now, what is due first at the beginning. */
  readonly open: readonly {
    readonly id: string;
    readonly description: string | null;
    /** Null for a charge without a due date. */
    readonly dueDate: string | null;
    readonly expiresAt: string;
    /** What is owed today. */
    readonly amountCents: number;
    readonly isOverdue: boolean;
  }[];
  /** The debits that the customer allows at their bank, or is asked to allow; without those that ended. */
  readonly subscriptions: readonly {
    /** As in the address of its page. */
    readonly id: string;
    readonly description: string;
    /** Null if the amount varies. */
    readonly amountCents: number | null;
    readonly period: SubscriptionPeriod;
    readonly firstDay: string;
    readonly state: PermissionState;
    /** The day of the next debit; null until it is planned. */
    readonly nextDay: string | null;
  }[];
  /** What was paid in the last twelve months, the newest payment first. */
  readonly paid: readonly {
    readonly id: string;
    readonly description: string | null;
    readonly amountCents: number;
    readonly refundedCents: number;
    readonly paidAt: string;
  }[];
};

/** The page on which a customer stops a merchant's reminders. It tells nothing of the customer. */
export type RemindersPage = {
  readonly kind: 'reminders';
  readonly payee: Payee;
  readonly token: string;
  readonly stopped: boolean;
};

/** A page shown instead of a requested page that does not exist or is unavailable now. */
export type UnavailablePage = {
  readonly kind: 'notice';
  /**
   * Why the requested page is not shown. For `…-unknown`, it does not exist; `unreadable`: the request is malformed;
   * `too-many`: a rate limit is reached; `failed`: the gateway has a problem.
   */
  readonly about:
    | 'payment-unknown'
    | 'receipt-unknown'
    | 'link-unknown'
    | 'code-unknown'
    | 'subscription-unknown'
    | 'customer-unknown'
    | 'unreadable'
    | 'too-many'
    | 'failed';
};
