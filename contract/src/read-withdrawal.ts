import { detectPixKeyType } from '@jangada/pix';
import * as z from 'zod/mini';
import { anyNumber } from './any-number.ts';
import type { FeeTerms } from './fees.ts';
import { DEFAULT_OUT_FEE_CENTS, MIN_WITHDRAWAL_CENTS, PAGE_SIZE } from './limits.ts';
import { centsFromResponse, rateFromPercent } from './money.ts';
import { type PixKeyTypeName, pixKeyTypes } from './withdrawal.ts';

// Readers of responses about withdrawals, in every format that the specification allows. Amounts become integer cents.

const text = z.nullish(z.string());

export type WithdrawalModel = {
  id: string;
  /** In lower case: one of withdrawalStatuses, `paid`, or the provider's own value. */
  status: string;
  amountCents: number;
  /** Null if the provider does not report it. */
  feeCents: number | null;
  returnedCents: number;
  pixKey: string;
  /** The type that the provider reports, or else the type that the key looks like; null if it looks like none. */
  keyType: PixKeyTypeName | null;
  createdAt: string | null;
  updatedAt: string | null;
  completedAt: string | null;
  error: string | null;
  endToEndId: string | null;
  inDoubt: boolean;
};

const anyWithdrawal = z.object({
  id: z.union([z.string(), z.pipe(z.number(), z.transform(String))]),
  status: z.string(),
  amount_cents: z.nullish(z.int()),
  amount: z.nullish(anyNumber),
  fee_cents: z.nullish(z.int()),
  returned_cents: z.nullish(z.int()),
  pix_key: text,
  pixKey: text,
  pix_key_type: text,
  created_at: text,
  createdAt: text,
  updated_at: text,
  updatedAt: text,
  completed_at: text,
  completedAt: text,
  error: z.catch(text, (context) => messageIn(context.value)),
  end_to_end_id: text,
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
    returnedCents: item.returned_cents ?? 0,
    pixKey,
    keyType: reportedType ?? detectPixKeyType(pixKey) ?? null,
    createdAt: item.created_at ?? item.createdAt ?? null,
    updatedAt: item.updated_at ?? item.updatedAt ?? null,
    completedAt: item.completed_at ?? item.completedAt ?? null,
    error: item.error == null || item.error === '' ? null : item.error,
    endToEndId: item.end_to_end_id ?? null,
    inDoubt: item.in_doubt ?? false,
  };
}

function centsFromNumber(brl: number): number {
  return centsFromResponse(brl) ?? 0;
}

/** Reads a single withdrawal, bare or as `{withdrawal}`. Throws ZodError for anything else. */
export function parseWithdrawal(answer: unknown): WithdrawalModel {
  const { withdrawal = answer } = z.object({ withdrawal: z.optional(z.unknown()) }).parse(answer);
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
export function parseWithdrawals(answer: unknown, page: unknown = 1): WithdrawalsModel {
  const list = anyWithdrawals.parse(Array.isArray(answer) ? { data: answer } : answer);
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

const anyRequested = z.object({ message: text, withdrawal: z.optional(z.unknown()) });

/**
 * Reads the response to an accepted request for a withdrawal. Never throws: an error here would make an accepted
 * withdrawal look failed, so unreadable parts become null.
 */
export function parseRequestedWithdrawal(answer: unknown): RequestedWithdrawalModel {
  const response = anyRequested.safeParse(answer).data;
  const withdrawal = anyWithdrawal.safeParse(response?.withdrawal).data;
  return {
    message: response?.message ?? null,
    withdrawal: withdrawal === undefined ? null : withdrawalFrom(withdrawal),
  };
}

export type WithdrawalPinModel = { hasPin: boolean; lockedUntil: string | null; heldUntil: string | null };

const anyPin = z.object({ has_pin: z.boolean(), locked_until: text, held_until: text });

/** Reads whether a PIN is set, and what currently prevents withdrawals. Throws ZodError for anything else. */
export function parseWithdrawalPin(answer: unknown): WithdrawalPinModel {
  const state = anyPin.parse(answer);
  return {
    hasPin: state.has_pin,
    lockedUntil: state.locked_until ?? null,
    heldUntil: state.held_until ?? null,
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

const brl = z.nullish(anyNumber);
const anyOutFees = z.object({
  outFee: brl,
  outPercent: brl,
  minAmount: brl,
  maxAmount: brl,
  paused: z.nullish(z.boolean()),
  caps: z.nullish(z.array(z.object({ limit: brl, left: z.number(), message: z.string() }))),
  capsUntil: text,
});

/**
 * Reads the withdrawal terms. A provider may send `{outFee}` alone: defaults replace whatever is missing.
 * Throws ZodError for anything else.
 */
export function parseOutFees(answer: unknown): OutFeesModel {
  const { outFee, outPercent, minAmount, maxAmount, paused, caps, capsUntil } = anyOutFees.parse(answer);
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
