import * as z from 'zod/mini';
import { PAGE_SIZE } from './limits.ts';
import { maker } from './maker.ts';
import { brl, brlSum } from './money.ts';
import { day, periodInOrder } from './period.ts';
import { moment } from './user.ts';

export const pixKeyTypes = ['cpf', 'cnpj', 'email', 'phone', 'random'] as const;
export const pixKeyType = z.enum(pixKeyTypes, {
  error: 'O tipo da chave é cpf, cnpj, email, phone ou random.',
});
export type PixKeyTypeName = z.infer<typeof pixKeyType>;

/** The statuses of a withdrawal inside the gateway and on the dashboard. Integrators see `publicWithdrawalStatuses`. */
export const withdrawalStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export const withdrawalStatus = z.enum(withdrawalStatuses);
export type WithdrawalStatus = z.infer<typeof withdrawalStatus>;

const pixKeyText = z
  .string({ error: 'Por favor, insira a chave PIX.' })
  .check(
    z.trim(),
    z.minLength(1, 'Por favor, insira a chave PIX.'),
    z.maxLength(140, 'A chave PIX é longa demais.'),
  );

/**
 * A withdrawal requested on the dashboard. `amount` is in BRL. The specification prescribes the names of the fields,
 * although it mixes camelCase and snake_case.
 */
export const withdrawRequest = z.object({
  amount: z.number({ error: 'Valor de saque inválido.' }),
  pixKey: pixKeyText,
  pix_key_type: pixKeyType,
  /** The account from which the withdrawal is sent, of `withdrawalSources`; without it the gateway chooses. */
  from: z.optional(z.string().check(z.maxLength(20))),
  /** Anything but four digits is refused as a wrong PIN. */
  withdrawal_pin: z
    .string({ error: 'PIN inválido. Deve ter 4 dígitos.' })
    .check(z.regex(/^\d{4}$/, 'PIN inválido. Deve ter 4 dígitos.')),
});

/** An account from which a merchant's money can be withdrawn. */
export const withdrawalSource = z.object({
  id: z.string(),
  /** Whether it is the operator's account or one of the merchant's own. */
  at: z.enum(['operator', 'own_bank']),
  /** The name that the merchant gave the account; empty if there is none. */
  name: z.string(),
  bank: z.string(),
  /** The most that can be withdrawn from it, as far as the gateway saw: at an own account it may be below zero. */
  available: brlSum,
});
export type WithdrawalSource = z.infer<typeof withdrawalSource>;

/**
 * A withdrawal requested by an integrator. `amount` is in integer cents, unlike in the dashboard's request. The
 * specification spells the fields of this request in camelCase.
 */
export const apiWithdrawRequest = z.object({
  amount: z.int({
    error: 'amount deve ser um número inteiro, em centavos e sem aspas: 10000 são R$ 100,00.',
  }),
  pixKey: pixKeyText,
  keyType: pixKeyType,
  callbackUrl: z.nullish(
    z
      .string({ error: 'A URL de callback deve ser um texto.' })
      .check(z.maxLength(2048, 'A URL de callback é longa demais.')),
  ),
});

/**
 * The statuses that integrators see in API responses and webhooks. `PENDING` stands for `pending` and `processing`,
 * `PAID` for `completed`, and `ERROR` for `failed`. A completed withdrawal becomes `failed` if the payee's bank returns
 * its full amount.
 */
export const publicWithdrawalStatuses = ['PENDING', 'PAID', 'ERROR'] as const;
export const publicWithdrawalStatus = z.enum(publicWithdrawalStatuses);
export type PublicWithdrawalStatus = z.infer<typeof publicWithdrawalStatus>;

/** The response to an integrator's request for a withdrawal. Amounts in integer cents. */
export const apiWithdrawal = z.object({
  message: z.string(),
  withdrawal_id: z.string(),
  amount: z.int(),
  fee: z.int(),
  status: publicWithdrawalStatus,
});

/** A withdrawal as an integrator reads it, alone or in a list. Amounts in integer cents. */
export const integratorWithdrawal = z.object({
  withdrawal_id: z.string(),
  status: publicWithdrawalStatus,
  /** The amount debited from the balance. The Pix key receives this amount less the fee. */
  amount: z.int(),
  fee: z.int(),
  /** The amount that the payee's bank returned after the withdrawal was paid. It was credited back to the balance. */
  returned_amount: z.int(),
  pix_key: z.string(),
  pix_key_type: pixKeyType,
  end_to_end_id: z.nullable(z.string()),
  /** A Portuguese sentence for users: why the withdrawal failed, is delayed or was returned. Null if all is well. */
  error: z.nullable(z.string()),
  created_at: moment,
  updated_at: moment,
  completed_at: z.nullable(moment),
});
export type IntegratorWithdrawal = z.infer<typeof integratorWithdrawal>;

/**
 * Query of an integrator's list of withdrawals. `from` and `to` are calendar days in America/Sao_Paulo, both inclusive.
 */
export const integratorWithdrawalsQuery = periodInOrder(
  z.object({
    status: z.optional(publicWithdrawalStatus),
    from: z.optional(day),
    to: z.optional(day),
    limit: z._default(
      z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
      PAGE_SIZE.withdrawals,
    ),
    /** Cursor: `next` of the previous page. */
    before: z.optional(z.string().check(z.maxLength(200))),
  }),
);

export const integratorWithdrawals = z.object({
  data: z.array(integratorWithdrawal),
  /** The `before` that requests the next page, of older withdrawals; null on the last page. */
  next: z.nullable(z.string()),
});

const sharedFields = {
  /** True for a withdrawal from an own account: the key receives all of it, and the fee goes on the monthly fee statement. */
  fee_billed: z.optional(z.boolean()),
  id: z.string(),
  status: withdrawalStatus,
  pix_key: z.string(),
  pix_key_type: pixKeyType,
  created_at: moment,
  updated_at: moment,
  completed_at: z.nullable(moment),
  /** A Portuguese sentence for users: why the withdrawal failed, is delayed or was returned. Null if all is well. */
  error: z.nullable(z.string()),
  /** True while it waits for the approval of other people, which `error` then says. */
  awaits_approval: z.optional(z.boolean()),
  /** Who asked for it in the dashboard; null if an API key did. */
  made_by: z.optional(z.nullable(maker)),
};

/** A withdrawal in a list of the dashboard. Amounts in integer cents. */
export const withdrawalItem = z.object({
  ...sharedFields,
  amount_cents: z.int(),
  fee_cents: z.int(),
});
export type WithdrawalItem = z.infer<typeof withdrawalItem>;

/** A single withdrawal on the dashboard. `amount` is in BRL, every other amount in integer cents. */
export const withdrawalDetail = z.object({
  ...sharedFields,
  amount: brl,
  amount_cents: z.int(),
  fee_cents: z.int(),
  /** The amount that the payee receives: the amount less the fee, unless the fee is billed. */
  net_cents: z.int(),
  /** The merchant's own account from which it leaves, by the name that the merchant gave it. */
  account_name: z.optional(z.string()),
  returned_cents: z.int(),
  end_to_end_id: z.nullable(z.string()),
  /** True while we do not know whether the bank carried out the order that we sent. */
  in_doubt: z.boolean(),
});
export type WithdrawalDetail = z.infer<typeof withdrawalDetail>;

export const withdrawalsQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1),
  pageSize: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
    PAGE_SIZE.withdrawals,
  ),
  status: z.optional(withdrawalStatus),
});

export const withdrawalsPage = z.object({
  withdrawals: z.array(withdrawalItem),
  total: z.int(),
  page: z.int(),
  limit: z.int(),
});

/** A Pix key to which withdrawals by API key may be sent. */
export const withdrawalDestination = z.object({
  pix_key: z.string(),
  pix_key_type: pixKeyType,
  label: z.string(),
  created_at: moment,
});
export type WithdrawalDestination = z.infer<typeof withdrawalDestination>;

/** Whether a merchant's API key may withdraw, and to which Pix keys. */
export const apiWithdrawalSettings = z.object({
  enabled: z.boolean(),
  destinations: z.array(withdrawalDestination),
});
export type ApiWithdrawalSettings = z.infer<typeof apiWithdrawalSettings>;
