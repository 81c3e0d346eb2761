import { detectPixKeyType } from '@jangada/pix';
import * as z from 'zod/mini';
import { anyId, anyNumber } from './any-number.ts';
import type { FeeTerms } from './fees.ts';
import { DEFAULT_OUT_FEE_CENTS, MIN_WITHDRAWAL_CENTS, PAGE_SIZE } from './limits.ts';
import { type Maker, maker } from './maker.ts';
import { centsFromResponse, rateFromPercent } from './money.ts';
import { type PixKeyTypeName, pixKeyTypes } from './withdrawal.ts';

// Readers of responses about withdrawals, in every format that the specification allows. Amounts become integer cents.

const optionalText = z.nullish(z.string());

export type WithdrawalModel = {
  id: string;
  /** In lower case: one of withdrawalStatuses, `paid`, or the provider's own value. */
  status: string;
  amountCents: number;
  /** Null if the provider does not report it. */
  feeCents: number | null;
  /** Whether the fee goes on the monthly fee statement, because it stayed at the merchant's own account. */
  isFeeBilled: boolean;
  /** The own account of the merchant's from which it leaves; null if it leaves the operator's, or in a list. */
  accountName: string | null;
  /** The amount that the payee's bank returned after the withdrawal was paid. */
  returnedCents: number;
  pixKey: string;
  /** The type that the provider reports, or else the type that the key looks like; null if it looks like none. */
  keyType: PixKeyTypeName | null;
  createdAt: string | null;
  updatedAt: string | null;
  completedAt: string | null;
  error: string | null;
  /** True while it waits for the approval of other people. */
  awaitsApproval: boolean;
  /** Who asked for it in the dashboard; null if nobody did there, or the provider does not say. */
  madeBy: Maker | null;
  endToEndId: string | null;
  /** True while it is unknown whether the bank carried out the withdrawal. */
  inDoubt: boolean;
};

const anyWithdrawal = z.object({
  id: anyId,
  status: z.string(),
  amount_cents: z.nullish(z.int()),
  amount: z.nullish(anyNumber),
  fee_cents: z.nullish(z.int()),
  fee_billed: z.nullish(z.boolean()),
  account_name: z.nullish(z.string()),
  returned_cents: z.nullish(z.int()),
  pix_key: optionalText,
  pixKey: optionalText,
  pix_key_type: optionalText,
  created_at: optionalText,
  createdAt: optionalText,
  updated_at: optionalText,
  updatedAt: optionalText,
  completed_at: optionalText,
  completedAt: optionalText,
  error: z.catch(optionalText, (context) => messageIn(context.value)),
  awaits_approval: z.nullish(z.boolean()),
  made_by: z.catch(z.nullish(maker), null),
  end_to_end_id: optionalText,
  in_doubt: z.nullish(z.boolean()),
});

/** The message of an error that a provider reports as `{code, message}` instead of as text; null for other values. */
function messageIn(error: unknown): string | null {
  return z.object({ message: z.string() }).safeParse(error).data?.message ?? null;
}

function withdrawalFrom(item: z.infer<typeof anyWithdrawal>): WithdrawalModel {
  const pixKey = item.pix_key ?? item.pixKey ?? '';
  const reportedType = pixKeyTypes.find((type) => type === item.pix_key_type?.toLowerCase());
  return {
    id: item.id,
    status: item.status.toLowerCase(),
    amountCents: item.amount_cents ?? centsFromNumber(item.amount ?? 0),
    feeCents: item.fee_cents ?? null,
    isFeeBilled: item.fee_billed ?? false,
    accountName: item.account_name ?? null,
    returnedCents: item.returned_cents ?? 0,
    pixKey,
    keyType: reportedType ?? detectPixKeyType(pixKey) ?? null,
    createdAt: item.created_at ?? item.createdAt ?? null,
    updatedAt: item.updated_at ?? item.updatedAt ?? null,
    completedAt: item.completed_at ?? item.completedAt ?? null,
    error: item.error == null || item.error === '' ? null : item.error,
    awaitsApproval: item.awaits_approval ?? false,
    madeBy: item.made_by ?? null,
    endToEndId: item.end_to_end_id ?? null,
    inDoubt: item.in_doubt ?? false,
  };
}

function centsFromNumber(brl: number): number {
  return centsFromResponse(brl) ?? 0;
}

/** Reads a single withdrawal, bare or as `{withdrawal}`. Throws ZodError for anything else. */
export function parseWithdrawal(response: unknown): WithdrawalModel {
  const { withdrawal = response } = z.object({ withdrawal: z.optional(z.unknown()) }).parse(response);
  return withdrawalFrom(anyWithdrawal.parse(withdrawal));
}

export type WithdrawalsModel = { withdrawals: WithdrawalModel[]; total: number; limit: number };

const anyWithdrawals = z.object({
  withdrawals: z.optional(z.unknown()),
  data: z.optional(z.unknown()),
  total: z.nullish(anyNumber),
  limit: z.nullish(anyNumber),
});

/**
 * Reads a page of withdrawals from `{withdrawals, total, limit}`, `{data}` or a bare list. If the provider reports no
 * total, a full page means that another may follow. Throws ZodError for anything else.
 * @param page the number of the requested page, of unknown type because it comes from the query
 */
export function parseWithdrawals(response: unknown, page: unknown = 1): WithdrawalsModel {
  const list = anyWithdrawals.parse(Array.isArray(response) ? { data: response } : response);
  const withdrawals = z
    .array(anyWithdrawal)
    .parse(list.withdrawals ?? list.data)
    .map(withdrawalFrom);
  const limit = list.limit == null || list.limit < 1 ? PAGE_SIZE.withdrawals : list.limit;
  const possiblyMore = withdrawals.length === limit ? 1 : 0;
  const leastTotal = (Number(page) - 1) * limit + withdrawals.length + possiblyMore;
  return { withdrawals, total: list.total ?? leastTotal, limit };
}

export type RequestedWithdrawalModel = { message: string | null; withdrawal: WithdrawalModel | null };

const anyRequested = z.object({ message: optionalText, withdrawal: z.optional(z.unknown()) });

/**
 * Reads the response to an accepted request for a withdrawal. Never throws: an error here would make an accepted
 * withdrawal look failed, so unreadable parts become null.
 */
export function parseRequestedWithdrawal(response: unknown): RequestedWithdrawalModel {
  const parsed = anyRequested.safeParse(response).data;
  const withdrawal = anyWithdrawal.safeParse(parsed?.withdrawal).data;
  return {
    message: parsed?.message ?? null,
    withdrawal: withdrawal === undefined ? null : withdrawalFrom(withdrawal),
  };
}

export type OutFeesModel = {
  fee: FeeTerms;
  minCents: number;
  /** Null if the provider does not report it. */
  maxCents: number | null;
  /** Whether the operator has paused withdrawals. */
  paused: boolean;
  /** Each limit that applies now, the amount that is left of it, and the message for a larger amount. */
  caps: readonly { limitCents: number | null; leftCents: number; message: string }[];
  /** When the limits next change; null if the provider does not report it. */
  capsUntil: string | null;
};

/** The terms that screens assume until those of the account are loaded. */
export const defaultOutFees: OutFeesModel = {
  fee: { rate: 0, fixedCents: DEFAULT_OUT_FEE_CENTS },
  minCents: MIN_WITHDRAWAL_CENTS,
  maxCents: null,
  paused: false,
  caps: [],
  capsUntil: null,
};

const optionalBrl = z.nullish(anyNumber);
const anyOutFees = z.object({
  outFee: optionalBrl,
  outPercent: optionalBrl,
  minAmount: optionalBrl,
  maxAmount: optionalBrl,
  paused: z.nullish(z.boolean()),
  caps: z.nullish(z.array(z.object({ limit: optionalBrl, left: z.number(), message: z.string() }))),
  capsUntil: optionalText,
});

/**
 * Reads the withdrawal terms. A provider may send `{outFee}` alone: defaults replace whatever is missing.
 * Throws ZodError for anything else.
 */
export function parseOutFees(response: unknown): OutFeesModel {
  const { outFee, outPercent, minAmount, maxAmount, paused, caps, capsUntil } = anyOutFees.parse(response);
  return {
    fee: {
      rate: rateFromPercent(outPercent ?? 0) ?? 0,
      fixedCents: outFee == null ? DEFAULT_OUT_FEE_CENTS : centsFromNumber(outFee),
    },
    minCents: minAmount == null ? MIN_WITHDRAWAL_CENTS : centsFromNumber(minAmount),
    maxCents: maxAmount == null ? null : centsFromNumber(maxAmount),
    paused: paused ?? false,
    caps: (caps ?? []).map(({ limit, left, message }) => ({
      limitCents: limit == null ? null : centsFromNumber(limit),
      leftCents: centsFromNumber(left),
      message,
    })),
    capsUntil: capsUntil ?? null,
  };
}
