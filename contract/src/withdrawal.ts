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

/** What the dashboard sends. `amount` in BRL. */
export const withdrawRequest = z.object({
  amount: z.number({ error: 'Valor de saque inválido.' }),
  pixKey: pixKeyText,
  pix_key_type: pixKeyType,
  /** The four digits; anything else is a wrong PIN. */
  withdrawal_pin: z
    .string({ error: 'PIN inválido. Deve ter 4 dígitos.' })
    .check(z.regex(/^\d{4}$/, 'PIN inválido. Deve ter 4 dígitos.')),
});

/** What an integrator sends. `amount` in integer cents. */
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

/** Public statuses of a withdrawal: in the API's answer and in webhooks. */
export const publicWithdrawalStatuses = ['PENDING', 'PAID', 'ERROR'] as const;
export const publicWithdrawalStatus = z.enum(publicWithdrawalStatuses);
export type PublicWithdrawalStatus = z.infer<typeof publicWithdrawalStatus>;

/** Amounts in integer cents. */
export const apiWithdrawal = z.object({
  message: z.string(),
  withdrawal_id: z.string(),
  amount: z.int(),
  fee: z.int(),
  status: publicWithdrawalStatus,
});

/** A withdrawal as an integrator's system asks for it. Amounts in integer cents. */
export const queriedWithdrawal = z.object({
  withdrawal_id: z.string(),
  status: publicWithdrawalStatus,
  /** What left the balance; the key receives amount less fee. */
  amount: z.int(),
  fee: z.int(),
  /** What came back to the balance after it was paid. */
  returned_amount: z.int(),
  pix_key: z.string(),
  pix_key_type: pixKeyType,
  end_to_end_id: z.nullable(z.string()),
  /** Why it failed, waits or came back, fit to show; null when all goes as it should. */
  error: z.nullable(z.string()),
  created_at: moment,
  updated_at: moment,
  completed_at: z.nullable(moment),
});
export type QueriedWithdrawal = z.infer<typeof queriedWithdrawal>;

/** Query of an integrator's list. Dates are calendar days of America/Sao_Paulo, both included. */
export const queriedWithdrawalsQuery = periodInOrder(
  z.object({
    status: z.optional(publicWithdrawalStatus),
    from: z.optional(day),
    to: z.optional(day),
    limit: z._default(
      z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
      PAGE_SIZE.withdrawals,
    ),
    before: z.optional(z.string().check(z.maxLength(200))),
  }),
);

export const queriedWithdrawals = z.object({
  data: z.array(queriedWithdrawal),
  /** `before` of the next older page; null on the last. */
  next: z.nullable(z.string()),
});

const withdrawalFacts = {
  id: z.string(),
  status: withdrawalStatus,
  pix_key: z.string(),
  pix_key_type: pixKeyType,
  created_at: moment,
  updated_at: moment,
  completed_at: z.nullable(moment),
  /** Why it failed, waits or came back, fit to show; null when all goes as it should. */
  error: z.nullable(z.string()),
};

/** A withdrawal in a list. Amounts in integer cents. */
export const withdrawalItem = z.object({
  ...withdrawalFacts,
  amount_cents: z.int(),
  fee_cents: z.int(),
});
export type WithdrawalItem = z.infer<typeof withdrawalItem>;

/** A withdrawal by itself. `amount` in BRL, the others in integer cents. */
export const withdrawalDetail = z.object({
  ...withdrawalFacts,
  amount: brl,
  amount_cents: z.int(),
  fee_cents: z.int(),
  /** What the key receives: amount less fee. */
  net_cents: z.int(),
  returned_cents: z.int(),
  end_to_end_id: z.nullable(z.string()),
  /** True while nobody knows what became of the order at the bank. */
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

/** Where withdrawals by API key may go. */
export const withdrawalDestination = z.object({
  pix_key: z.string(),
  pix_key_type: pixKeyType,
  label: z.string(),
  created_at: moment,
});
export type WithdrawalDestination = z.infer<typeof withdrawalDestination>;

export const apiWithdrawals = z.object({
  enabled: z.boolean(),
  destinations: z.array(withdrawalDestination),
});
export type ApiWithdrawals = z.infer<typeof apiWithdrawals>;

/** What stands in the way of withdrawing now, told before it is tried. Moments are null when nothing does. */
export const withdrawalPin = z.object({
  has_pin: z.boolean(),
  /** Too many wrong PINs. */
  locked_until: z.nullable(moment),
  /** Something that guards withdrawals changed. */
  held_until: z.nullable(moment),
});
