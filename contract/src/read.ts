import * as z from 'zod/mini';
import { anyAmountAsCents, anyCount, anyId, anyNumber } from './any-number.ts';
import {
  type ChargeStatus,
  chargeStatuses,
  type FeedCounts,
  feedCounts,
  type Payer,
  payer,
} from './charge.ts';
import type { FeeTerms } from './fees.ts';
import { docType, role } from './user.ts';

/*
 * Readers of responses. The dashboard works with any gateway that follows the specification (docs/specification.md).
 * Such a gateway is called a provider; ours is one of them. The specification allows several formats of a response.
 * Each reader accepts them all and returns one model, with amounts in integer cents. A schema named `any…` accepts
 * every format of one response or field.
 */

const optionalText = z.nullish(z.string());
/**
 * A percentage, converted to hundredths of a percent. The schema of amounts does this too: it multiplies by 100, which
 * turns BRL into cents.
 */
const rate = anyAmountAsCents;

export type TransactionModel = {
  id: string;
  /** One of chargeStatuses, or the provider's own value. */
  status: ChargeStatus | (string & {});
  amountCents: number;
  /** The net amount: gross less fee. */
  creditedCents: number;
  /** The fee that goes on the monthly fee statement; null unless the whole amount is at an account of the merchant's own. */
  billedFeeCents: number | null;
  /** The own account of the merchant's at which the charge is; null for one at the operator's account. */
  accountName: string | null;
  /** The part of the credited amount that is withheld in reserve; 0 if the provider does not report it. */
  reservedCents: number;
  refundedCents: number;
  createdAt: string | null;
  paidAt: string | null;
  expiresAt: string | null;
  content: string;
  endToEndId: string | null;
  /**
   * The specification has neither this field nor those below. They are empty or null if the provider does not report
   * them.
   */
  externalId: string | null;
  metadata: Readonly<Record<string, string>>;
  payer: Payer | null;
  cancelledAt: string | null;
  /** Shown to the payer. */
  description: string | null;
  /** The payment page and the receipt page. */
  checkoutUrl: string | null;
  receiptUrl: string | null;
  /** The payment link or counter code that created the charge, if one did. */
  paymentLinkId: string | null;
  counterCodeId: string | null;
  /** Due date and terms, and whom the charge is for, as they came: only what shows them reads them (`readDue`). */
  due?: unknown;
  billedTo?: unknown;
};

const billedFee = { fee: z.nullish(anyNumber), fee_billed: z.nullish(z.boolean()) };
const billedFeeFrom = ({ fee, fee_billed }: { fee?: unknown; fee_billed?: boolean | null | undefined }) =>
  fee_billed === true ? anyAmountAsCents.parse(fee) : null;

const anyTransaction = z.object({
  account_name: z.nullish(z.string()),
  id: anyId,
  status: z.string(),
  amount: anyAmountAsCents,
  credited_amount: z.nullish(anyNumber),
  ...billedFee,
  reserved_amount: anyAmountAsCents,
  refunded_amount: z.nullish(anyNumber),
  created_at: optionalText,
  createdAt: optionalText,
  paid_at: optionalText,
  paidAt: optionalText,
  expires_at: optionalText,
  content: optionalText,
  text: optionalText,
  end_to_end_id: optionalText,
  external_id: optionalText,
  metadata: z.catch(z.nullish(z.record(z.string(), z.string())), undefined),
  payer: z.catch(z.nullish(payer), undefined),
  cancelled_at: optionalText,
  description: optionalText,
  checkout_url: optionalText,
  receipt_url: optionalText,
  payment_link_id: optionalText,
  counter_code_id: optionalText,
  due: z.optional(z.unknown()),
  billed_to: z.optional(z.unknown()),
});

function transactionFrom(item: z.infer<typeof anyTransaction>): TransactionModel {
  return {
    id: item.id,
    status: item.status.toLowerCase(),
    amountCents: item.amount,
    creditedCents: anyAmountAsCents.parse(item.credited_amount),
    billedFeeCents: billedFeeFrom(item),
    accountName: item.account_name ?? null,
    reservedCents: item.reserved_amount,
    refundedCents: anyAmountAsCents.parse(item.refunded_amount),
    createdAt: item.created_at ?? item.createdAt ?? null,
    paidAt: item.paid_at ?? item.paidAt ?? null,
    expiresAt: item.expires_at ?? null,
    content: item.content ?? item.text ?? '',
    endToEndId: item.end_to_end_id ?? null,
    externalId: item.external_id ?? null,
    metadata: item.metadata ?? {},
    payer: item.payer ?? null,
    cancelledAt: item.cancelled_at ?? null,
    description: item.description ?? null,
    checkoutUrl: item.checkout_url ?? null,
    receiptUrl: item.receipt_url ?? null,
    paymentLinkId: item.payment_link_id ?? null,
    counterCodeId: item.counter_code_id ?? null,
    ...(item.due != null && { due: item.due }),
    ...(item.billed_to != null && { billedTo: item.billed_to }),
  };
}

export type FeedModel = {
  transactions: TransactionModel[];
  /** The number of matching charges; the number known so far if the provider reports no total. */
  total: number;
  /** Whether `total` is exact. If false, there may be more charges than `total`. */
  counted: boolean;
  /** Null if the provider does not count charges by status. */
  counts: FeedCounts | null;
  /** The cursor of the next page; null on the last page, or if the provider has no cursors. */
  next: string | null;
};

const anyFeed = z.object({
  data: z.optional(z.array(anyTransaction)),
  transactions: z.optional(z.array(anyTransaction)),
  total: z.nullish(anyNumber),
  counts: z.optional(feedCounts),
  next: optionalText,
});

/** The offset and the limit of the requested page. They are of unknown type because they come from the query. */
type RequestedPage = { readonly offset?: unknown; readonly limit?: unknown };

/**
 * Reads a page of the feed from `{data}`, `{transactions, total}` or a bare list. If the provider reports no total, a
 * full page means that another may follow. Throws ZodError for anything else.
 */
export function parseTransactionFeed(response: unknown, requested: RequestedPage = {}): FeedModel {
  const offset = Number(requested.offset ?? 0);
  const limit = Number(requested.limit ?? Number.POSITIVE_INFINITY);
  const feed = anyFeed.parse(Array.isArray(response) ? { data: response } : response);
  const received = (feed.transactions ?? feed.data ?? []).map(transactionFrom);
  // A list longer than the limit comes from a provider that ignores offset and limit: it is the whole list.
  const isWholeList = received.length > limit;
  const leastTotal = offset + received.length + (received.length === limit ? 1 : 0);
  return {
    transactions: isWholeList ? received.slice(offset, offset + limit) : received,
    total: feed.total ?? (isWholeList ? received.length : leastTotal),
    counted: feed.total != null || isWholeList || received.length !== limit,
    counts: feed.counts ?? null,
    next: feed.next ?? null,
  };
}

/** Whether a status is one that this contract defines. */
export function isChargeStatus(status: string): status is ChargeStatus {
  return chargeStatuses.some((defined) => defined === status);
}

export type CreatedPaymentModel = {
  id: string;
  content: string;
  /** The QR code as a URL for the `src` of an image; empty if the response has no QR code. */
  image: string;
  createdAt: string | null;
  expiresAt: string | null;
  amountCents: number | null;
  creditedCents: number | null;
  billedFeeCents: number | null;
  reservedCents: number;
  /** The payment page. Not in the specification, so null if the provider does not report it. */
  checkoutUrl: string | null;
  /** As they came; see `TransactionModel`. */
  due?: unknown;
  billedTo?: unknown;
};

const anyCreatedPayment = z.object({
  id: z.nullish(anyId),
  text: optionalText,
  content: optionalText,
  image: optionalText,
  created_at: optionalText,
  expires_at: optionalText,
  amount: z.nullish(anyNumber),
  credited_amount: z.nullish(anyNumber),
  ...billedFee,
  reserved_amount: anyAmountAsCents,
  checkout_url: optionalText,
  due: z.optional(z.unknown()),
  billed_to: z.optional(z.unknown()),
});

/** Reads the response of POST /pix/new: the code as `text` or `content`, its picture as base64 or as a data URI. */
export function parseCreatedPayment(response: unknown): CreatedPaymentModel {
  const payment = anyCreatedPayment.parse(response);
  const picture = payment.image ?? '';
  return {
    id: payment.id ?? '',
    content: payment.content ?? payment.text ?? '',
    image: picture === '' || picture.startsWith('data:') ? picture : `data:image/png;base64,${picture}`,
    createdAt: payment.created_at ?? null,
    expiresAt: payment.expires_at ?? null,
    amountCents: payment.amount == null ? null : anyAmountAsCents.parse(payment.amount),
    creditedCents: payment.credited_amount == null ? null : anyAmountAsCents.parse(payment.credited_amount),
    billedFeeCents: billedFeeFrom(payment),
    reservedCents: payment.reserved_amount,
    checkoutUrl: payment.checkout_url ?? null,
    ...(payment.due != null && { due: payment.due }),
    ...(payment.billed_to != null && { billedTo: payment.billed_to }),
  };
}

/** Converts text to upper case, because a provider may send enum values in lower case. */
const upperCase = z.transform((value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value));

const anyUser = z.object({
  id: anyId,
  name: optionalText,
  username: optionalText,
  email: optionalText,
  avatar: optionalText,
  approved: z.nullish(z.boolean()),
  role: z.catch(z.optional(z.pipe(upperCase, role)), undefined),
  // Every screen shows the balance, so an unreadable balance must not make the user unreadable.
  balance: z.catch(anyAmountAsCents, 0),
  at_operator: z.catch(z.optional(anyAmountAsCents), undefined),
  at_own_bank: z.catch(z.optional(anyAmountAsCents), undefined),
  apiActive: z.nullish(z.boolean()),
  api_active: z.nullish(z.boolean()),
  apiKey: optionalText,
  document: optionalText,
  docType: z.catch(z.optional(z.pipe(upperCase, docType)), undefined),
  created_at: optionalText,
  createdAt: optionalText,
});

export type UserModel = {
  id: string;
  name: string;
  username: string;
  email: string;
  avatar: string;
  approved: boolean;
  role: 'USER' | 'ADMIN' | 'SUPPORT';
  balanceCents: number;
  /** The parts of `balanceCents` at the operator's account and at the merchant's own; null if the first is all. */
  atOperatorCents: number | null;
  atOwnBankCents: number | null;
  apiActive: boolean;
  apiKey: string;
  document: string;
  docType: 'CPF' | 'CNPJ';
  createdAt: string | null;
  /** How many requests wait for the person's approval; absent where approvals are of no use. */
  approvalsWaiting?: number;
};

/** Reads a user, with field names in camelCase or snake_case. */
export function parseUser(response: unknown): UserModel {
  const user = anyUser.parse(response);
  return {
    id: user.id,
    name: user.name ?? user.username ?? '',
    username: user.username ?? '',
    email: user.email ?? '',
    avatar: user.avatar ?? '',
    approved: user.approved ?? false,
    role: user.role ?? 'USER',
    balanceCents: user.balance,
    atOperatorCents: user.at_operator ?? null,
    atOwnBankCents: user.at_own_bank ?? null,
    apiActive: user.apiActive ?? user.api_active ?? false,
    apiKey: user.apiKey ?? '',
    document: user.document ?? '',
    docType: user.docType ?? 'CPF',
    createdAt: user.created_at ?? user.createdAt ?? null,
  };
}

export type PaymentStatusModel = {
  status: ChargeStatus | (string & {});
  amountCents: number;
  /** Null if the provider does not report it. */
  creditedCents: number | null;
  reservedCents: number | null;
  refundedCents: number | null;
  paidAt: string | null;
  /**
   * The receipt page. Null before the charge is paid, and if the provider does not report it, because the specification
   * has no such field.
   */
  receiptUrl: string | null;
  /** As it came; see `TransactionModel`. */
  due?: unknown;
};

const anyPaymentStatus = z.object({
  status: z.string(),
  amount: anyAmountAsCents,
  credited_amount: z.nullish(anyNumber),
  reserved_amount: z.nullish(anyNumber),
  refunded_amount: z.nullish(anyNumber),
  paid_at: optionalText,
  paidAt: optionalText,
  receipt_url: optionalText,
  due: z.optional(z.unknown()),
});

/** Reads the response of GET /pix/status/{id}. */
export function parsePaymentStatus(response: unknown): PaymentStatusModel {
  const payment = anyPaymentStatus.parse(response);
  return {
    status: payment.status.toLowerCase(),
    amountCents: payment.amount,
    creditedCents: payment.credited_amount == null ? null : anyAmountAsCents.parse(payment.credited_amount),
    reservedCents: payment.reserved_amount == null ? null : anyAmountAsCents.parse(payment.reserved_amount),
    refundedCents: payment.refunded_amount == null ? null : anyAmountAsCents.parse(payment.refunded_amount),
    paidAt: payment.paid_at ?? payment.paidAt ?? null,
    receiptUrl: payment.receipt_url ?? null,
    ...(payment.due != null && { due: payment.due }),
  };
}

/** An account's fees and reserve. Rates are in hundredths of a percent, fixed fees in integer cents. */
export type TaxesModel = {
  in: FeeTerms;
  out: FeeTerms;
  cryptoRate: number;
  reserve: { enabled: boolean; rate: number; days: number };
};

const anyTaxes = z.object({
  pix: z.nullish(z.object({ in: rate, out: rate, fixIn: anyAmountAsCents, fixOut: anyAmountAsCents })),
  crypto: rate,
  reserve: z.nullish(
    z.object({ enabled: z.nullish(z.boolean()), percentage: rate, liberationTime: anyCount }),
  ),
});

/** Reads an account's fees from `{success, data}` or from the bare object. Missing fees become 0 or false. */
export function parseTaxes(response: unknown): TaxesModel {
  const wrapped = z.object({ data: z.unknown() }).safeParse(response);
  const isWrapped = wrapped.success && wrapped.data.data != null;
  const { pix, crypto, reserve } = anyTaxes.parse(isWrapped ? wrapped.data.data : response);
  return {
    in: { rate: pix?.in ?? 0, fixedCents: pix?.fixIn ?? 0 },
    out: { rate: pix?.out ?? 0, fixedCents: pix?.fixOut ?? 0 },
    cryptoRate: crypto,
    reserve: {
      enabled: reserve?.enabled ?? false,
      rate: reserve?.percentage ?? 0,
      days: reserve?.liberationTime ?? 0,
    },
  };
}
