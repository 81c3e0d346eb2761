import * as z from 'zod/mini';
import { PAGE_SIZE } from './limits.ts';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import { reenteredPassword } from './security.ts';
import { moment } from './user.ts';

/**
 * Which merchants the operator admits. `pooled`: all are paid into the operator's own account. `direct`: all are paid
 * into accounts of their own. `both`: each merchant is of one of these kinds.
 */
export const merchantAccounts = z.enum(['pooled', 'direct', 'both']);
export type MerchantAccounts = z.infer<typeof merchantAccounts>;

/** `pooled`: paid into the operator's account. `direct`: paid into an account of the merchant's own. */
export const merchantKinds = ['pooled', 'direct'] as const;
export const merchantKind = z.enum(merchantKinds);
export type MerchantKind = z.infer<typeof merchantKind>;

/**
 * The states of a connection, which is an account of a merchant's own at a bank, for which the gateway may speak.
 * `draft`: entered, but not in use yet. `active`: charges are made there. `suspended`: no new charges. `retiring`: no
 * new charges, while what began there goes on. `retired`: the credentials are erased.
 */
export const connectionStates = ['draft', 'active', 'suspended', 'retiring', 'retired'] as const;
export const connectionState = z.enum(connectionStates);
export type ConnectionState = z.infer<typeof connectionState>;

/** A bank that the gateway knows. Its addresses are in the gateway, not in what merchants send. */
export const connectableBank = z.object({
  id: z.string(),
  name: z.string(),
  /** The client certificate: `optional` if this depends on the bank, which the gateway does not know. */
  certificate: z.enum(['required', 'optional', 'none']),
  /** Whether an administrator has to enter the bank's addresses before it can be used. */
  needsAddresses: z.boolean(),
  /** The page of the bank that explains where its customers create credentials; null if we know none. */
  help: z.nullable(z.string()),
  /** The services of the bank's API besides charges. */
  offers: z.object({
    refunds: z.boolean(),
    withdrawals: z.boolean(),
    disputes: z.boolean(),
    balance: z.boolean(),
    /** Debits by mandate (Pix Automático). */
    recurring: z.boolean(),
  }),
  /** Whether debits by mandate need to be told the account into which they are paid. */
  needsDebitAccount: z.boolean(),
});
export type ConnectableBank = z.infer<typeof connectableBank>;

/**
 * A step of the check. `warned`: the connection works without it, but less well. `skipped`: it does not apply to this
 * bank or account. `not-run`: a step before it failed, or the time was over.
 */
export const checkStepStates = [
  'waiting',
  'running',
  'passed',
  'warned',
  'failed',
  'skipped',
  'not-run',
] as const;
export const checkStep = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(checkStepStates),
  /** The question to the bank; empty before the step has run. */
  asked: z.string(),
  /** The bank's answer, without secrets. */
  answered: z.string(),
  /** The meaning of the answer, and, after a failure, where it is mended in the bank's own panel. */
  meaning: z.string(),
});
export type CheckStep = z.infer<typeof checkStep>;

export const connectionCheck = z.object({
  /** Whether the check is about new credentials, which replace the current ones if it passes. */
  ofNewCredentials: z.boolean(),
  result: z.enum(['running', 'passed', 'failed']),
  started_at: moment,
  ended_at: z.nullable(moment),
  steps: z.array(checkStep),
});
export type BankCheck = z.infer<typeof connectionCheck>;

/** The account at the bank into which debits by mandate are paid, which each of them has to name. */
export const debitAccount = z.object({
  type: z.enum(['checking', 'savings', 'payment'], { error: 'Escolha o tipo da conta.' }),
  /** Absent if the bank has no branches. */
  branch: z.optional(
    z
      .string()
      .check(z.trim(), z.regex(/^[\dA-Za-z]{1,4}$/, 'Informe a agência sem o dígito: até 4 caracteres.')),
  ),
  number: z
    .string({ error: 'Informe o número da conta.' })
    .check(
      z.trim(),
      z.regex(/^[\dA-Za-z]{1,20}$/, 'Informe a conta com o dígito, sem traço: até 20 caracteres.'),
    ),
});
export type DebitAccount = z.infer<typeof debitAccount>;

export const suspendedBy = z.enum(['merchant', 'operator', 'certificate']);

/** An account of a merchant's own at a bank. Credentials go in and never come out. */
export const connection = z.object({
  id: z.string(),
  /** The merchant's own name for the account. */
  name: z.string(),
  bank: z.string(),
  bank_name: z.string(),
  pix_key: z.string(),
  state: connectionState,
  /** The order in which the accounts are tried for a new charge: the first is 1. */
  position: z.int(),
  /** The first characters of the client id, to recognise it by. Null once the credentials are erased. */
  client_id: z.nullable(z.string()),
  certificate: z.nullable(
    z.object({ holder: z.string(), fingerprint: z.string(), expires_at: z.nullable(moment) }),
  ),
  suspended: z.nullable(z.object({ by: suspendedBy, reason: z.string() })),
  /** Since when nothing works at the bank, and what failed. */
  broken: z.nullable(z.object({ since: moment, reason: z.string() })),
  /** When the bank last answered. */
  last_answer_at: z.nullable(moment),
  /** Whether an administrator has still to enter the bank's addresses. */
  awaits_addresses: z.boolean(),
  /**
   * Whether the account takes debits by mandate (Pix Automático): `available`, `needs-account` if `debit_account` is to be
   * entered first, `refused` while the bank does not permit them, or `not-offered` by the bank.
   */
  recurring: z.enum(['available', 'needs-account', 'refused', 'not-offered']),
  /** The account into which debits are paid, if it was entered. */
  debit_account: z.nullable(debitAccount),
  check: z.nullable(connectionCheck),
  created_at: moment,
  updated_at: moment,
});
export type BankConnection = z.infer<typeof connection>;

export const CONNECTION_LIMITS = {
  /** Accounts of one merchant that are not retired. */
  perMerchant: 5,
  maxNameLength: 60,
  maxCertificateBytes: 32 * 1024,
} as const;

const maxCertificateCharacters = Math.ceil((CONNECTION_LIMITS.maxCertificateBytes * 4) / 3) + 4;
/** The client certificate: a PKCS#12 file, or a PEM file with the certificate, and its key in it or beside it. */
const certificateFile = z
  .string({ error: 'Envie o arquivo do certificado.' })
  .check(
    z.base64('Envie o arquivo em base64.'),
    z.maxLength(maxCertificateCharacters, 'O arquivo tem no máximo 32 KB.'),
  );

export const newCredentials = z.object({
  client_id: z
    .string({ error: 'Informe o Client ID.' })
    .check(z.trim(), z.minLength(1, 'Informe o Client ID.'), z.maxLength(500, 'O Client ID é longo demais.')),
  client_secret: z
    .string({ error: 'Informe o Client Secret.' })
    .check(
      z.trim(),
      z.minLength(1, 'Informe o Client Secret.'),
      z.maxLength(500, 'O Client Secret é longo demais.'),
    ),
  /** In base64. */
  certificate: z.optional(certificateFile),
  /** The key of a PEM certificate, in base64, if it is a file of its own. */
  certificate_key: z.optional(certificateFile),
  certificate_password: z.optional(
    z.string().check(z.maxLength(200, 'A senha do certificado é longa demais.')),
  ),
});
export type NewCredentials = z.infer<typeof newCredentials>;

const connectionName = z
  .string({ error: 'Dê um nome a esta conta.' })
  .check(
    z.trim(),
    z.maxLength(CONNECTION_LIMITS.maxNameLength, 'O nome tem no máximo 60 caracteres.'),
    withoutMisleadingCharacters(),
  );

const accountKey = z
  .string({ error: 'Informe a chave Pix da conta.' })
  .check(
    z.trim(),
    z.minLength(1, 'Informe a chave Pix da conta.'),
    z.maxLength(77, 'A chave Pix é longa demais.'),
  );

export const newConnection = z.extend(newCredentials, {
  bank: z.string({ error: 'Escolha o banco.' }).check(z.minLength(1, 'Escolha o banco.'), z.maxLength(40)),
  name: z._default(connectionName, ''),
  pix_key: accountKey,
  debit_account: z.optional(debitAccount),
});

/** Credentials that replace others. Before the account is first used, its key may be corrected with them. */
export const replacingCredentials = z.extend(newCredentials, { pix_key: z.optional(accountKey) });
export type ReplacingCredentials = z.infer<typeof replacingCredentials>;

/** Proof of the owner, before a connection opens or closes a way for money. `pin`: demanded if the account has one. */
export const ownerProof = z.object({
  password: reenteredPassword,
  pin: z.optional(z.string().check(z.regex(/^\d{4}$/, 'PIN inválido. Deve ter 4 dígitos.'))),
});

export const connectionsQuery = z.object({
  page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 1),
  pageSize: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)), 20),
  state: z.optional(connectionState),
  /** `1`: only those that are broken now. */
  broken: z.optional(z.literal('1')),
  search: z.optional(z.string().check(z.maxLength(100))),
});

/** A connection as administrators see it. */
export const adminConnection = z.extend(connection, {
  merchant: z.object({ id: z.string(), name: z.string(), username: z.string() }),
  /** The bank's addresses, if an administrator entered them. */
  api_url: z.nullable(z.string()),
  token_url: z.nullable(z.string()),
});
export type AdminConnection = z.infer<typeof adminConnection>;

export const adminConnectionsPage = z.object({
  connections: z.array(adminConnection),
  total: z.int(),
  page: z.int(),
  limit: z.int(),
  /** How many are broken, whatever the query selects. */
  broken: z.int(),
});
