// The endpoints of sessions, profile, main API key, figures and the gateway itself. Every other subject has a file of
// its own; `all-endpoints.ts` lists all endpoints.
// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { approvalRefusals } from './approval-errors.ts';
import { endpoint, successResponse } from './endpoint.ts';
import { DAILY_STATS_DAYS, PASSWORD_MAX_LENGTH } from './limits.ts';
import { maker } from './maker.ts';
import { brl } from './money.ts';
import { registration } from './registration.ts';
import { reenteredPassword } from './security.ts';
import { actingAccount, taxes, user } from './user.ts';
import { balance, chargeStats, dailyStats, walletStats } from './wallet.ts';

// Registration, sign-in and profile

export const login = endpoint({
  name: 'login',
  method: 'POST',
  path: '/login',
  access: 'public',
  tag: 'Sessão',
  summary: 'Entra com usuário e senha e recebe o token da sessão.',
  body: z.object({
    username: z
      .string({ error: 'Por favor, digite usuário e senha' })
      .check(
        z.trim(),
        z.minLength(1, 'Por favor, digite usuário e senha'),
        z.maxLength(254, 'Usuário ou senha inválidos'),
      ),
    password: z
      .string({ error: 'Por favor, digite usuário e senha' })
      .check(
        z.minLength(1, 'Por favor, digite usuário e senha'),
        z.maxLength(PASSWORD_MAX_LENGTH, 'Usuário ou senha inválidos'),
      ),
  }),
  response: z.object({ token: z.string() }),
  refusals: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'ACCOUNT_FROZEN'],
});

export const register = endpoint({
  name: 'register',
  method: 'POST',
  path: '/register',
  access: 'public',
  tag: 'Sessão',
  summary: 'Cria uma conta e já entra nela.',
  body: registration,
  status: 201,
  response: z.object({ token: z.string(), user }),
  refusals: ['USERNAME_TAKEN', 'EMAIL_TAKEN', 'DOCUMENT_TAKEN', 'PASSWORD_COMMON'],
});

export const logout = endpoint({
  name: 'logout',
  method: 'POST',
  path: '/logout',
  access: 'session',
  permission: 'own',
  tag: 'Sessão',
  summary: 'Encerra a sessão.',
  response: successResponse,
  refusals: [],
  isExtension: true,
});

export const confirmPassword = endpoint({
  name: 'confirmPassword',
  method: 'POST',
  path: '/authed/confirm-password',
  access: 'session',
  permission: 'own',
  tag: 'Sessão',
  summary: 'Confirma a senha. Por 5 minutos ela não é pedida de novo nesta sessão.',
  body: z.object({ password: reenteredPassword }),
  response: successResponse,
  refusals: ['PASSWORD_WRONG'],
  isExtension: true,
});

export const profile = endpoint({
  name: 'profile',
  method: 'GET',
  isBatchable: true,
  path: '/authed/profile',
  access: 'session',
  permission: 'own',
  tag: 'Conta',
  summary: 'A conta de quem está na sessão.',
  response: z.object({
    user,
    /**
     * The account for which the session acts. Absent for a person who is a member of no other than their own; null for
     * one who is a member of none any more.
     */
    account: z.optional(z.nullable(actingAccount)),
    /**
     * How many requests of the account wait for the person's approval. Absent for an account with one member and no
     * approval policy.
     */
    approvals: z.optional(z.object({ waiting: z.int() })),
  }),
  refusals: [],
});

export const accountTaxes = endpoint({
  name: 'accountTaxes',
  method: 'GET',
  isBatchable: true,
  path: '/authed/user/taxes',
  access: 'session',
  permission: 'see-account',
  tag: 'Conta',
  summary: 'As tarifas da conta.',
  response: z.object({ success: z.literal(true), data: taxes }),
  refusals: [],
});

// The account's main API key and webhook secret

export const apiKeyStatus = endpoint({
  name: 'apiKeyStatus',
  method: 'GET',
  isBatchable: true,
  path: '/authed/apikey',
  access: 'session',
  permission: 'manage-main-key',
  tag: 'Chaves de API',
  summary: 'Diz se há chave, se está ativa e, com a senha dada há menos de 5 minutos, a chave.',
  response: z.object({
    hasKey: z.boolean(),
    active: z.boolean(),
    /** The full key; null if there is no key, or until the password is confirmed again. */
    key: z.nullable(z.string()),
    /** The first and last characters of the key; null if there is no key. */
    masked: z.nullable(z.string()),
    /** Who made the key; null if there is none, or if it is from before accounts had members. */
    made_by: z.optional(z.nullable(maker)),
  }),
  refusals: [],
  stepUp: true,
});

export const generateApiKey = endpoint({
  name: 'generateApiKey',
  method: 'POST',
  path: '/authed/apikey',
  access: 'session',
  permission: 'manage-main-key',
  tag: 'Chaves de API',
  summary: 'Gera uma chave nova. A anterior deixa de valer. Pede a senha se ela não foi dada há pouco.',
  body: z._default(z.object({ password: z.optional(reenteredPassword) }), {}),
  /** `key` and `apiKey` are equal: all calls that return a key name it `key`, but the specification has `apiKey`. */
  response: z.object({ key: z.string(), apiKey: z.string(), active: z.boolean() }),
  refusals: [
    'ACCOUNT_NOT_APPROVED',
    'WITHDRAWALS_HELD',
    'PASSWORD_REQUIRED',
    'PASSWORD_WRONG',
    'STEP_UP_REQUIRED',
    ...approvalRefusals,
  ],
  stepUp: true,
});

export const revealApiKey = endpoint({
  name: 'revealApiKey',
  method: 'POST',
  path: '/authed/apikey/reveal',
  access: 'session',
  permission: 'manage-main-key',
  tag: 'Chaves de API',
  summary: 'Mostra a chave a quem confirma a senha.',
  body: z.object({ password: reenteredPassword }),
  response: z.object({ key: z.string() }),
  refusals: ['PASSWORD_WRONG', 'API_KEY_REQUIRED', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

export const revokeApiKey = endpoint({
  name: 'revokeApiKey',
  method: 'DELETE',
  path: '/authed/apikey',
  access: 'session',
  permission: 'manage-main-key',
  tag: 'Chaves de API',
  summary: 'Revoga a chave na hora.',
  response: successResponse,
  refusals: [],
});

export const webhookSecret = endpoint({
  name: 'webhookSecret',
  method: 'GET',
  path: '/authed/webhook-secret',
  access: 'session',
  permission: 'manage-webhooks',
  tag: 'Webhooks',
  summary: 'O segredo que assina os webhooks, se a senha foi dada há menos de 5 minutos.',
  /** Null until the password is confirmed again. */
  response: z.object({ secret: z.nullable(z.string()) }),
  refusals: [],
  stepUp: true,
  isExtension: true,
});

export const rotateWebhookSecret = endpoint({
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: '/authed/webhook-secret/rotate',
  access: 'session',
  permission: 'manage-webhooks',
  tag: 'Webhooks',
  summary: 'Troca o segredo. O antigo assina junto por 24 horas. Pede que a senha tenha sido dada há pouco.',
  response: z.object({ secret: z.string() }),
  refusals: ['PASSWORD_REQUIRED', 'STEP_UP_REQUIRED'],
  stepUp: true,
  isExtension: true,
});

// Figures

export const getWalletStats = endpoint({
  name: 'getWalletStats',
  method: 'GET',
  isBatchable: true,
  path: '/authed/wallet/stats',
  access: 'session',
  permission: 'read-money',
  tag: 'Conta',
  summary: 'Saldos e totais da carteira.',
  response: walletStats,
  refusals: [],
});

export const getBalance = endpoint({
  name: 'getBalance',
  method: 'GET',
  path: '/balance',
  access: 'merchant',
  permission: 'read-money',
  scope: 'read',
  tag: 'Saldo',
  summary: 'O saldo da conta agora. Valores em reais.',
  response: balance,
  refusals: [],
  isExtension: true,
});

const statsSpan = z.object({
  days: z._default(
    z.coerce
      .number()
      .check(
        z.refine(
          (days) => DAILY_STATS_DAYS.some((span) => span === days),
          'O período é de 7, 30 ou 90 dias.',
        ),
      ),
    30,
  ),
});

export const getDailyStats = endpoint({
  name: 'getDailyStats',
  method: 'GET',
  isBatchable: true,
  path: '/authed/stats/daily',
  access: 'session',
  permission: 'read-money',
  tag: 'Conta',
  summary: 'Recebido e saldo por dia.',
  query: statsSpan,
  response: dailyStats,
  refusals: [],
  isExtension: true,
});

export const getChargeStats = endpoint({
  name: 'getChargeStats',
  method: 'GET',
  isBatchable: true,
  path: '/authed/stats/charges',
  access: 'session',
  permission: 'read-charges',
  tag: 'Conta',
  summary: 'Cobranças criadas no período, pelo que aconteceu com elas.',
  query: statsSpan,
  response: chargeStats,
  refusals: [],
  isExtension: true,
});

// The gateway itself

/** How many calls one `batch` may make. */
const MAX_BATCH = 16;

export const batch = endpoint({
  name: 'batch',
  method: 'GET',
  path: '/authed/batch',
  access: 'session',
  permission: 'own',
  tag: 'Sessão',
  summary: 'Responde de uma vez as chamadas com que uma tela começa, cada uma como se viesse sozinha.',
  query: z.object({
    /** Paths below /api, each with its query string, separated by commas. A comma inside a path is written %2C. */
    paths: z.string({ error: 'Informe paths.' }).check(
      z.minLength(1, 'Informe paths.'),
      z.refine((text) => text.split(',').length <= MAX_BATCH, `No máximo ${MAX_BATCH} chamadas de uma vez.`),
    ),
  }),
  response: z.object({
    /** In the order of `paths`. */
    answers: z.array(z.object({ path: z.string(), status: z.int(), body: z.unknown() })),
  }),
  refusals: ['ACCOUNT_SWITCHED'],
  isExtension: true,
});

export const publicSettings = endpoint({
  name: 'publicSettings',
  method: 'GET',
  isBatchable: true,
  path: '/settings',
  access: 'public',
  tag: 'Gateway',
  summary: 'O que uma tela precisa saber do gateway antes de alguém entrar.',
  response: z.object({
    sandbox: z.boolean(),
    /** The URL of Banco Sandbox; null when money is real. */
    bankUrl: z.nullable(z.string()),
    /** The e-mail address to which companies send documents; null if the operator has configured none. */
    adminEmail: z.nullable(z.string()),
    /** The largest amount of a charge, in BRL. */
    maxCharge: brl,
    /** Whether the bank makes refunds. */
    refunds: z.boolean(),
    /** Whether the bank sends payouts, without which merchants cannot withdraw. */
    withdrawals: z.boolean(),
    /** Whether the gateway sends e-mails. Without e-mails, passwords cannot be recovered. */
    mail: z.boolean(),
    /** Whether e-mails are shown at /mailbox instead of being sent. */
    mailbox: z.boolean(),
    /** The public key for Web Push (VAPID, base64url); null if the gateway sends no push messages. */
    pushKey: z.nullable(z.string()),
  }),
  refusals: [],
  isExtension: true,
});

export const healthLive = endpoint({
  name: 'healthLive',
  method: 'GET',
  path: '/health/live',
  access: 'public',
  tag: 'Gateway',
  summary: 'O processo está vivo.',
  response: z.object({ status: z.literal('ok') }),
  refusals: [],
  isExtension: true,
});

export const health = endpoint({
  name: 'health',
  method: 'GET',
  path: '/health',
  access: 'public',
  tag: 'Gateway',
  summary: 'Banco de dados e trabalho em segundo plano prontos. O estado do PSP só informa.',
  response: z.object({
    status: z.enum(['ok', 'unavailable']),
    database: z.enum(['ok', 'unavailable']),
    /** Background work, such as sending payouts and webhooks. */
    work: z.enum(['ok', 'unavailable']),
    /** The bank. Its state does not affect `status`. */
    psp: z.enum(['ok', 'unavailable', 'unknown']),
    version: z.string(),
    /** The names of problems that the operator should fix. The log has the details. */
    warnings: z.array(z.string()),
  }),
  refusals: ['UNAVAILABLE'],
  isExtension: true,
});
