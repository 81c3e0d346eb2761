// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { approvalRefusals, staffApprovalRefusals } from './approval-errors.ts';
import { endpoint, successResponse } from './endpoint.ts';
import { brl, brlSum, percent } from './money.ts';
import { currentPassword } from './security.ts';
import {
  apiWithdrawal,
  apiWithdrawalSettings,
  apiWithdrawRequest,
  integratorWithdrawal,
  integratorWithdrawals,
  integratorWithdrawalsQuery,
  pixKeyType,
  withdrawalDetail,
  withdrawalSource,
  withdrawalsPage,
  withdrawalsQuery,
  withdrawRequest,
} from './withdrawal.ts';
import { checkWithdrawalPin, fourDigitPin, setWithdrawalPin } from './withdrawal-pin.ts';

const malformedPinText = 'PIN inválido. Deve ter 4 dígitos.';

/** The errors that a request for a withdrawal can get, on the dashboard and by API key alike. */
const withdrawalRefusals = [
  'ACCOUNT_NOT_APPROVED',
  'WITHDRAWALS_UNAVAILABLE',
  'MONEY_AT_OWN_BANK',
  'BANK_ACCOUNT_SUSPENDED',
  'AMOUNT_INVALID',
  'WITHDRAWAL_MINIMUM',
  'WITHDRAWAL_TOO_SMALL',
  'WITHDRAWAL_TOO_LARGE',
  'WITHDRAWAL_DAY_LIMIT',
  'WITHDRAWAL_NIGHT_LIMIT',
  'WITHDRAWALS_PAUSED',
  'PIX_KEY_INVALID',
  'PIX_KEY_NOT_OWN',
  'PIX_KEY_OF_GATEWAY',
  'WITHDRAWAL_PENDING',
  'WITHDRAWALS_HELD',
  'PIN_LOCKED',
  'DISPUTE_SHORTFALL',
  'INSUFFICIENT_BALANCE',
  'APPROVERS_TOO_FEW',
] as const;

export const outFees = endpoint({
  name: 'outFees',
  method: 'GET',
  isBatchable: true,
  path: '/authed/out-fees',
  access: 'session',
  permission: 'read-money',
  tag: 'Saques',
  summary: 'A tarifa de saque: fixa em reais e percentual.',
  response: z.object({
    outFee: brl,
    outPercent: percent,
    /** The smallest amount of one withdrawal, in BRL. */
    minAmount: brl,
    /** The largest amount of one withdrawal, in BRL. */
    maxAmount: brl,
    /** Whether the operator has paused withdrawals. */
    paused: z.boolean(),
    /** The limits that apply now, by day or by night: what is left of each, and the message for who asks for more. */
    caps: z.array(z.object({ limit: brl, left: brl, message: z.string() })),
    /** When the limits next change: night limits begin at 20:00 and end at 6:00, and daily limits renew at midnight. */
    capsUntil: z.iso.datetime(),
  }),
  refusals: [],
});

export const withdrawalSources = endpoint({
  name: 'withdrawalSources',
  method: 'GET',
  isBatchable: true,
  path: '/authed/withdrawal-sources',
  access: 'session',
  permission: 'read-money',
  tag: 'Saques',
  summary: 'As contas das quais o lojista pode sacar agora, e quanto há em cada uma.',
  response: z.object({
    /** In the order in which the gateway chooses among them. */
    sources: z.array(withdrawalSource),
    /** The money at own accounts of a merchant who is paid there, from which the gateway sends nothing. */
    not_sendable: brlSum,
  }),
  refusals: [],
  isExtension: true,
});

export const withdraw = endpoint({
  name: 'withdraw',
  method: 'POST',
  path: '/authed/withdraw',
  access: 'session',
  permission: 'withdraw',
  tag: 'Saques',
  summary: 'Saca do saldo disponível para uma chave Pix, com o PIN.',
  body: withdrawRequest,
  aliases: { pix_key: 'pixKey', keyType: 'pix_key_type' },
  status: 201,
  response: z.object({ success: z.literal(true), message: z.string(), withdrawal: withdrawalDetail }),
  refusals: [
    'MEMBER_DAY_LIMIT',
    ...withdrawalRefusals,
    'WITHDRAWAL_SOURCE_UNAVAILABLE',
    'PIN_NOT_SET',
    'PIN_WRONG',
    'STEP_UP_REQUIRED',
  ],
  stepUp: true,
  idempotent: true,
});

export const apiWithdraw = endpoint({
  name: 'apiWithdraw',
  method: 'POST',
  path: '/withdraw',
  access: 'apiKey',
  scope: 'withdrawals',
  tag: 'Saques',
  summary: 'Saca, pela chave de API, para um destino salvo. Valores em centavos.',
  body: apiWithdrawRequest,
  aliases: {
    pix_key: 'pixKey',
    pix_key_type: 'keyType',
    callback_url: 'callbackUrl',
    callback: 'callbackUrl',
  },
  response: apiWithdrawal,
  refusals: [
    ...withdrawalRefusals,
    'API_KEY_INACTIVE',
    'API_WITHDRAWALS_OFF',
    'DESTINATION_NOT_SAVED',
    'INVALID_CALLBACK_URL',
    'WITHDRAWAL_PROCESSING_ERROR',
  ],
  idempotent: true,
  example: { amount: 10_000, pixKey: 'maria@example.com', keyType: 'email' },
});

export const apiListWithdrawals = endpoint({
  name: 'apiListWithdrawals',
  method: 'GET',
  path: '/withdraw',
  access: 'merchant',
  permission: 'read-money',
  scope: 'read',
  tag: 'Saques',
  summary: 'Os saques, da API e do painel, do mais novo para o mais antigo. Valores em centavos.',
  query: integratorWithdrawalsQuery,
  response: integratorWithdrawals,
  refusals: [],
  isExtension: true,
});

export const apiGetWithdrawal = endpoint({
  name: 'apiGetWithdrawal',
  method: 'GET',
  path: '/withdraw/{id}',
  access: 'merchant',
  permission: 'read-money',
  scope: 'read',
  tag: 'Saques',
  summary: 'O estado de um saque. Valores em centavos.',
  params: z.object({ id: z.uuid() }),
  response: integratorWithdrawal,
  refusals: ['WITHDRAWAL_NOT_FOUND'],
  isExtension: true,
});

export const listWithdrawals = endpoint({
  name: 'listWithdrawals',
  method: 'GET',
  path: '/authed/withdrawals',
  access: 'session',
  permission: 'read-money',
  tag: 'Saques',
  summary: 'Os saques da conta, do mais novo para o mais antigo.',
  query: withdrawalsQuery,
  response: withdrawalsPage,
  refusals: [],
});

export const getWithdrawal = endpoint({
  name: 'getWithdrawal',
  method: 'GET',
  path: '/authed/withdrawals/{id}',
  access: 'session',
  permission: 'read-money',
  tag: 'Saques',
  summary: 'Um saque.',
  params: z.object({ id: z.uuid() }),
  response: withdrawalDetail,
  refusals: ['WITHDRAWAL_NOT_FOUND'],
});

export const getApiWithdrawals = endpoint({
  name: 'getApiWithdrawals',
  method: 'GET',
  path: '/authed/api-withdrawals',
  access: 'session',
  permission: 'read-money',
  tag: 'Saques',
  summary: 'Se a chave de API pode sacar, e para quais destinos.',
  response: apiWithdrawalSettings,
  refusals: [],
  isExtension: true,
});

const passwordAndPin = { password: currentPassword, withdrawal_pin: fourDigitPin(malformedPinText) };
const passwordAndPinRefusals = ['PASSWORD_WRONG', 'PIN_NOT_SET', 'PIN_WRONG', 'PIN_LOCKED'] as const;

export const setApiWithdrawals = endpoint({
  name: 'setApiWithdrawals',
  method: 'PUT',
  path: '/authed/api-withdrawals',
  access: 'session',
  permission: 'manage-destinations',
  tag: 'Saques',
  summary: 'Liga, com senha e PIN, ou desliga o saque pela chave de API.',
  /** The password and the PIN are required only to enable withdrawals: disabling them only makes the account safer. */
  body: z.object({
    enabled: z.boolean(),
    password: z.optional(currentPassword),
    withdrawal_pin: z.optional(fourDigitPin(malformedPinText)),
  }),
  response: apiWithdrawalSettings,
  refusals: [
    'ACCOUNT_NOT_APPROVED',
    'WITHDRAWALS_HELD',
    'PASSWORD_REQUIRED',
    ...passwordAndPinRefusals,
    'STEP_UP_REQUIRED',
    ...approvalRefusals,
  ],
  stepUp: true,
  isExtension: true,
});

export const saveDestination = endpoint({
  name: 'saveDestination',
  method: 'POST',
  path: '/authed/api-withdrawals/destinations',
  access: 'session',
  permission: 'manage-destinations',
  tag: 'Saques',
  summary: 'Salva uma chave Pix para a qual a chave de API pode sacar.',
  body: z.object({
    pixKey: withdrawRequest.shape.pixKey,
    pix_key_type: pixKeyType,
    label: z._default(z.string().check(z.trim(), z.maxLength(60)), ''),
    /**
     * The most that API keys send there in 24 hours without a person's approval, in BRL. Counts where the account has an
     * approval policy.
     */
    day_limit: z._default(brl.check(z.refine((value) => value >= 0, 'O limite não pode ser negativo.')), 0),
    ...passwordAndPin,
  }),
  aliases: { pix_key: 'pixKey', keyType: 'pix_key_type' },
  status: 201,
  response: apiWithdrawalSettings,
  refusals: [
    'ACCOUNT_NOT_APPROVED',
    'PIX_KEY_INVALID',
    'PIX_KEY_NOT_OWN',
    'PIX_KEY_OF_GATEWAY',
    'DESTINATION_LIMIT',
    'WITHDRAWALS_HELD',
    ...passwordAndPinRefusals,
    'STEP_UP_REQUIRED',
    ...approvalRefusals,
  ],
  stepUp: true,
  isExtension: true,
});

export const removeDestination = endpoint({
  name: 'removeDestination',
  method: 'POST',
  path: '/authed/api-withdrawals/destinations/remove',
  access: 'session',
  permission: 'manage-destinations',
  tag: 'Saques',
  summary: 'Remove um destino salvo.',
  body: z.object({ pixKey: z.string() }),
  aliases: { pix_key: 'pixKey' },
  response: apiWithdrawalSettings,
  refusals: [],
  isExtension: true,
});

// For the gateway's operator

/** The state of payouts, that is, of the Pix that the gateway sends for withdrawals. */
export const payoutState = z.object({
  /** Why all payouts and refunds are stopped; null if they are not. */
  stopped_because: z.nullable(z.string()),
  /** True if the bank has not reported its balance recently: payouts then wait until it does. */
  bank_in_doubt: z.boolean(),
  /** The number of payouts that wait to be sent. */
  waiting: z.int(),
  /** The number of payouts that were sent and whose outcome is unknown. */
  in_doubt: z.int(),
  /** The balance that the bank last reported, at `read_at`; null if it never reported one. */
  bank_balance: z.nullable(brlSum),
  /** The bank balance that is needed to cover what belongs to merchants. */
  needed: z.nullable(brlSum),
  read_at: z.nullable(z.iso.datetime()),
});

export const adminPayouts = endpoint({
  name: 'adminPayouts',
  method: 'GET',
  path: '/admin/payouts',
  access: 'staff',
  ability: 'read-operations',
  tag: 'Administração',
  summary: 'O estado dos pagamentos de saque do gateway.',
  response: payoutState,
  refusals: [],
  isExtension: true,
});

export const adminStopPayouts = endpoint({
  name: 'adminStopPayouts',
  method: 'POST',
  path: '/admin/payouts/stop',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Para na hora tudo o que sairia, também o que já está na fila.',
  body: z.object({
    reason: z.string().check(z.trim(), z.minLength(1, 'Informe o motivo.'), z.maxLength(300)),
  }),
  response: payoutState,
  refusals: [],
  isExtension: true,
});

export const adminResumePayouts = endpoint({
  name: 'adminResumePayouts',
  method: 'POST',
  path: '/admin/payouts/resume',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Volta a enviar saques.',
  body: z.object({
    reason: z.string().check(z.trim(), z.minLength(1, 'Informe o motivo.'), z.maxLength(300)),
  }),
  response: payoutState,
  refusals: ['BANK_BALANCE_LOW', 'PAYOUTS_IN_QUESTION', 'STEP_UP_REQUIRED', ...staffApprovalRefusals],
  stepUp: true,
  isExtension: true,
});

export const adminResolveWithdrawal = endpoint({
  name: 'adminResolveWithdrawal',
  method: 'POST',
  path: '/admin/users/{userId}/withdrawals/{id}/resolve',
  access: 'staff',
  ability: 'run-operations',
  tag: 'Administração',
  summary: 'Encerra, com prova do banco, um saque cujo desfecho o gateway não soube.',
  params: z.object({ userId: z.string(), id: z.uuid() }),
  body: z.object({
    outcome: z.enum(['paid', 'refused'], { error: 'O desfecho é paid ou refused.' }),
    evidence: z.string().check(z.trim(), z.minLength(10, 'Descreva a prova do banco.'), z.maxLength(1000)),
    end_to_end_id: z.optional(z.string().check(z.maxLength(64))),
  }),
  response: successResponse,
  refusals: ['WITHDRAWAL_NOT_FOUND', 'NOT_IN_DOUBT', 'OWN_ACCOUNT', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const withdrawalEndpoints = [
  checkWithdrawalPin,
  setWithdrawalPin,
  outFees,
  withdrawalSources,
  withdraw,
  apiWithdraw,
  apiListWithdrawals,
  apiGetWithdrawal,
  listWithdrawals,
  getWithdrawal,
  getApiWithdrawals,
  setApiWithdrawals,
  saveDestination,
  removeDestination,
  adminPayouts,
  adminStopPayouts,
  adminResumePayouts,
  adminResolveWithdrawal,
] as const;
