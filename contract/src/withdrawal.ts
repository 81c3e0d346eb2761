import * as z from 'zod/mini';
import { PAGE_SIZE } from './limits.ts';
import { brl } from './money.ts';
import { day, periodInOrder } from './period.ts';
import { moment } from './user.ts';

export const pixKeyTypes = ['cpf', 'cnpj', 'email', 'phone', 'random'] as const;
export const pixKeyType = z.enum(pixKeyTypes, {
  error: 'O tipo da chave é cpf, cnpj, email, phone ou random.',
});
export type PixKeyTypeName = z.infer<typeof pixKeyType>;

/** The statuses of a withdrawal in the gateway and on the dashboard; integrators see `publicWithdrawalStatuses`. */
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

/** A withdrawal requested on the dashboard. `amount` in BRL; the names of the fields are those of the specification. */
export const withdrawRequest = z.object({
  amount: z.number({ error: 'Valor de saque inválido.' }),
  pixKey: pixKeyText,
  pix_key_type: pixKeyType,
  /** Four digits; anything else is a wrong PIN. */
  withdrawal_pin: z
    .string({ error: 'PIN inválido. Deve ter 4 dígitos.' })
    .check(z.regex(/^\d{4}$/, 'PIN inválido. Deve ter 4 dígitos.')),
});

/**
 * A withdrawal requested by an integrator. `amount` in integer cents; the specification writes these fields in
 * camelCase.
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
 * The statuses that integrators see, in API responses and webhooks: `PENDING` for `pending` and `processing`, `PAID`
 * for `completed`, `ERROR` for `failed`. A paid withdrawal that is returned in full becomes `failed`.
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
  /** The amount that the payee's bank returned after the withdrawal was paid; it is in the balance again. */
  returned_amount: z.int(),
  pix_key: z.string(),
  pix_key_type: pixKeyType,
  end_to_end_id: z.nullable(z.string()),
  /** Why the withdrawal failed, is waiting or was returned: a Portuguese sentence for users; null if all is well. */
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
  id: z.string(),
  status: withdrawalStatus,
  pix_key: z.string(),
  pix_key_type: pixKeyType,
  created_at: moment,
  updated_at: moment,
  completed_at: z.nullable(moment),
  /** Why the withdrawal failed, is waiting or was returned: a Portuguese sentence for users; null if all is well. */
  error: z.nullable(z.string()),
};

/** A withdrawal in a list of the dashboard. Amounts in integer cents. */
export const withdrawalItem = z.object({
  ...sharedFields,
  amount_cents: z.int(),
  fee_cents: z.int(),
});
export type WithdrawalItem = z.infer<typeof withdrawalItem>;

/** A single withdrawal on the dashboard. `amount` in BRL, the others in integer cents. */
export const withdrawalDetail = z.object({
  ...sharedFields,
  amount: brl,
  amount_cents: z.int(),
  fee_cents: z.int(),
  /** The amount that the Pix key receives: amount less fee. */
  net_cents: z.int(),
  returned_cents: z.int(),
  end_to_end_id: z.nullable(z.string()),
  /** True while the outcome of the order at the bank is unknown. */
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

/** Whether a PIN is set, and until when withdrawals are locked or suspended; null if they are not. */
export const withdrawalPin = z.object({
  has_pin: z.boolean(),
  /** The end of a lock after too many wrong PINs. */
  locked_until: z.nullable(moment),
  /** The end of the 24 hours for which withdrawals are suspended after a change of the PIN or e-mail, or a reset. */
  held_until: z.nullable(moment),
});
