import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DebitAccount, MerchantAccounts } from '@jangada/contract';
import { needsPrimary } from './db/servers.ts';
import { type Settings, settings } from './settings.ts';
import { deriveVapidPublicKey } from './vapid-public-key.ts';

/** The gateway's settings, parsed once. Amounts in integer cents. */
export type Config = {
  readonly version: string;
  readonly host: string;
  readonly port: number;
  /** The gateway's public URL, without a trailing slash. */
  readonly publicUrl: string;
  /** The proxies, as networks, whose headers about the caller (X-Forwarded-For and others) are trusted. */
  readonly trustProxy: readonly string[];
  readonly dataDir: string;
  /** Undefined if the gateway starts its own PostgreSQL. */
  readonly databaseUrl: string | undefined;
  readonly migrationDatabaseUrl: string | undefined;
  /** A read replica, which is used while it lags by at most `maxLagMs`. */
  readonly readReplica: { readonly url: string; readonly maxLagMs: number } | undefined;
  readonly mode: 'sandbox' | 'live';
  readonly psp: PspConfig;
  /** The URL to which the bank sends its notices (callbacks about payments), without a trailing slash. */
  readonly noticesUrl: string;
  /** The Pix key on which the gateway receives all payments. */
  readonly pixKey: string;
  readonly merchantCity: string;
  readonly sandboxPort: number;
  /** The URL at which a browser reaches Banco Sandbox; undefined in live mode. */
  readonly bankUrl: string | undefined;
  /** Where Banco Sandbox demands client certificates, and who signed its own; undefined if nowhere. */
  readonly sandboxMtls: { readonly port: number; readonly ca: Buffer } | undefined;
  /** Whether other machines may reach the sandbox. */
  readonly sandboxPublic: boolean;
  /** The master key of 32 bytes; undefined if it is stored in the data directory. */
  readonly secretKey: Buffer | undefined;
  /** The log format; undefined means text in a terminal and JSON otherwise. */
  readonly log: 'json' | 'text' | undefined;
  /** What this process does: `web` serves requests, `worker` does the background work, `all` does both. */
  readonly role: 'all' | 'web' | 'worker';
  /** Where Prometheus scrapes the metrics; undefined if metrics are off. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** The e-mail address to which companies send their documents, and users their requests for help. */
  readonly adminEmail: string | undefined;
  readonly mail: MailConfig;
  /** Where files are stored: in the bucket if there is one, else in the directory. */
  readonly files: { readonly directory: string; readonly bucket: BucketConfig | undefined };
  /** How many days pictures of identity documents are kept after the decision on them. */
  readonly kycKeepDays: { readonly rejected: number; readonly approved: number };
  readonly corsOrigins: readonly string[];
  readonly webhookAllowCidrs: readonly string[];
  /**
   * Identifies this gateway to push services (VAPID, RFC 8292): P-256 keys in base64url, and the operator's contact,
   * `mailto:...` or `https://...`.
   */
  readonly vapid:
    | { readonly publicKey: string; readonly privateKey: string; readonly subject: string }
    | undefined;
  /** Calls per minute per caller; 0 for no limit. */
  readonly rateLimit: number;
  /** Failed sign-ins per IP address in 15 minutes. Successful sign-ins to one account have the same limit. */
  readonly signInsPerAddress: number;
  /** Registrations per IP address in one hour. */
  readonly registrationsPerAddress: number;
  /** Whether ADMIN and SUPPORT need a session with a second factor. */
  readonly staffSecondFactor: boolean;
  /** Whether withdrawals may go only to a Pix key that is the account's own CPF or CNPJ. */
  readonly ownKeysOnly: boolean;
  /** Which merchants there are: paid into the operator's account, into accounts of their own, or both. */
  readonly merchantAccounts: MerchantAccounts;
  /** New charges of a merchant are refused this many days after the due date of a fee statement that is not paid. */
  readonly feesOverdueDays: number;
  readonly limits: {
    readonly chargeMaxCents: number;
    readonly withdrawalMaxCents: number;
    readonly withdrawalsPerDayCents: number;
    readonly withdrawalsPerNightCents: number;
    readonly gatewayWithdrawalsPerDayCents: number;
    /** The sum that one administrator and those whom they promoted may together adjust in balances in one day. */
    readonly adjustmentsPerDayCents: number;
  };
};

/** A bucket of Amazon S3, or of an S3-compatible service. */
export type BucketConfig = {
  readonly bucket: string;
  /** Prefix of every object name: empty, or ending in a slash. */
  readonly prefix: string;
  /** Undefined means Amazon's own endpoint for the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** Where mail is sent: to its recipients, to the sandbox's mailbox page, or nowhere. */
export type MailConfig =
  | ({ readonly goes: 'by smtp' } & SmtpConfig)
  | { readonly goes: 'to the mailbox' }
  | { readonly goes: 'nowhere' };

export type SmtpConfig = {
  readonly host: string;
  readonly port: number;
  /** `first`: TLS from the first byte; `demanded`: STARTTLS before login; `none`: no TLS, only for a local server. */
  readonly tls: 'first' | 'demanded' | 'none';
  readonly login: { readonly user: string; readonly password: string } | undefined;
  readonly from: { readonly name: string; readonly address: string };
};

/** How to reach the bank. */
export type PspConfig = {
  readonly name: 'sandbox' | 'efi' | 'bacen';
  /** The institution that holds the account, as payers read it. */
  readonly institution?: string;
  /** Base URL of API Pix, including its version: `http://127.0.0.1:3001/v2`. */
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the request for a token carries the credentials (RFC 6749, 2.3.1); undefined means `header`. */
  readonly credentialsIn?: 'header' | 'body';
  /** The scope to request for the access token, for banks that require one: space-separated names (RFC 6749, 3.3). */
  readonly scope?: string;
  /** Whether received Pix can be refunded: not every bank with API Pix allows it. */
  readonly refunds: boolean;
  /** Undefined: the bank is asked for no debits by mandate (Pix Automático). */
  readonly debitAccount?: DebitAccount;
  /** Client certificate for mTLS: PEM certificate and key, or PKCS#12. */
  readonly tls?: {
    readonly cert?: Buffer;
    readonly key?: Buffer;
    readonly pfx?: Buffer;
    readonly passphrase?: string;
    readonly ca?: Buffer;
  };
  /** Source networks from which notices (the bank's callbacks) are accepted; an empty list means any. */
  readonly webhookCidrs: readonly string[];
  /** Header by which a trusted proxy confirms that it verified the bank's client certificate: `name: value`. */
  readonly webhookProofHeader?: { readonly name: string; readonly value: string };
  /** A separate listener for notices, which requires the bank's client certificate. */
  readonly webhookMtls?: {
    readonly port: number;
    /** The listener's own certificate. */
    readonly cert: Buffer;
    readonly key: Buffer;
    /** A client certificate issued by this authority proves that the caller is the bank. */
    readonly ca: Buffer;
  };
};

/** Thrown for a setting with which the gateway cannot start. The message is one line that names the setting. */
export class InvalidSetting extends Error {
  override name = 'InvalidSetting';
}

const packageFile = new URL('../package.json', import.meta.url);
const version = String(JSON.parse(readFileSync(packageFile, 'utf8')).version);

/**
 * Reads the settings from environment variables; an empty variable counts as unset.
 * @throws {InvalidSetting} on the first invalid setting
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const setVariables = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = settings.safeParse(setVariables);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InvalidSetting(`${String(issue?.path[0] ?? '')} ${issue?.message ?? ''}`);
  }
  return toConfig(parsed.data);
}

/** The operator's e-mail address in a sandbox. Mail to it reaches no one: example.com is reserved. */
export const SANDBOX_EMAIL = 'sandbox@example.com';

function toConfig(values: Settings): Config {
  const mode = values.PSP === 'sandbox' ? 'sandbox' : 'live';
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const sandboxPort = values.SANDBOX_PORT ?? values.PORT + 1;
  if (mode === 'sandbox' && sandboxPort === values.PORT)
    throw new InvalidSetting('SANDBOX_PORT deve ser diferente de PORT');
  if (mode === 'sandbox' && !values.SANDBOX_PUBLIC) refusePublicSandbox(values.HOST, publicUrl);
  if (mode === 'live') refuseUnencrypted(values);
  const mail = mailOf(values);
  return {
    version,
    host: values.HOST,
    port: values.PORT,
    publicUrl,
    trustProxy: values.TRUST_PROXY,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    migrationDatabaseUrl: values.MIGRATION_DATABASE_URL,
    readReplica: readReplicaOf(values),
    mode,
    psp: values.PSP === 'sandbox' ? sandboxPsp(values, sandboxPort) : bankPsp(values),
    noticesUrl: values.PSP_WEBHOOK_URL ?? defaultNoticesUrl(publicUrl, values.PSP_WEBHOOK_MTLS_PORT),
    pixKey: pixKeyOf(values),
    merchantCity: values.MERCHANT_CITY,
    sandboxPort,
    bankUrl: mode === 'sandbox' ? sandboxUrl(publicUrl, sandboxPort) : undefined,
    sandboxMtls: mode === 'sandbox' ? sandboxMtlsOf(values) : undefined,
    sandboxPublic: values.SANDBOX_PUBLIC,
    secretKey: values.SECRET_KEY,
    log: values.LOG,
    role: values.ROLE,
    metrics:
      values.METRICS_PORT === undefined
        ? undefined
        : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    adminEmail: values.ADMIN_EMAIL ?? (mail.goes === 'to the mailbox' ? SANDBOX_EMAIL : undefined),
    mail,
    files: { directory: resolve(values.DATA_DIR, 'files'), bucket: bucketOf(values) },
    kycKeepDays: { rejected: values.KYC_KEEP_REJECTED_DAYS, approved: values.KYC_KEEP_APPROVED_DAYS },
    corsOrigins: values.CORS_ORIGINS,
    webhookAllowCidrs: values.WEBHOOK_ALLOW_CIDRS,
    vapid: vapidOf(values),
    rateLimit: values.RATE_LIMIT,
    signInsPerAddress: values.SIGN_INS_PER_ADDRESS,
    registrationsPerAddress: values.REGISTRATIONS_PER_ADDRESS,
    staffSecondFactor: values.STAFF_SECOND_FACTOR ?? mode === 'live',
    ownKeysOnly: values.WITHDRAWAL_OWN_KEYS_ONLY,
    merchantAccounts: values.MERCHANT_ACCOUNTS ?? (mode === 'sandbox' ? 'both' : 'pooled'),
    feesOverdueDays: values.FEES_OVERDUE_DAYS,
    limits: {
      chargeMaxCents: values.CHARGE_MAX,
      withdrawalMaxCents: values.WITHDRAWAL_MAX,
      withdrawalsPerDayCents: values.WITHDRAWAL_DAY,
      withdrawalsPerNightCents: values.WITHDRAWAL_NIGHT,
      gatewayWithdrawalsPerDayCents: values.GATEWAY_DAY,
      adjustmentsPerDayCents: values.ADJUSTMENT_DAY,
    },
  };
}

function readReplicaOf({
  DATABASE_URL,
  DATABASE_READ_URL: url,
  DATABASE_READ_MAX_LAG,
}: Settings): Config['readReplica'] {
  if (url === undefined) return undefined;
  if (DATABASE_URL === undefined) throw new InvalidSetting('DATABASE_READ_URL deve acompanhar DATABASE_URL');
  if (needsPrimary(url))
    throw new InvalidSetting('DATABASE_READ_URL deve ter um só servidor, sem target_session_attrs');
  return { url, maxLagMs: DATABASE_READ_MAX_LAG * 1000 };
}

// Banco Sandbox's default credentials, which are public.
const sandboxPixKey = '8f5c1a2e-3b7d-4e61-9a0f-6d2c4b8e1f35';
const sandboxClient = { id: 'jangada-sandbox', secret: 'jangada-sandbox-secret' };

/** The account that every client of Banco Sandbox has. */
export const SANDBOX_ACCOUNT: DebitAccount = { branch: '0001', number: '1234567', type: 'payment' };

function sandboxPsp(values: Settings, port: number): PspConfig {
  return {
    debitAccount: SANDBOX_ACCOUNT,
    ...connectionSettings(values),
    baseUrl: values.PSP_BASE_URL ?? `http://127.0.0.1:${port}/v2`,
    tokenUrl: values.PSP_TOKEN_URL ?? `http://127.0.0.1:${port}/oauth/token`,
    clientId: values.PSP_CLIENT_ID ?? sandboxClient.id,
    clientSecret: values.PSP_CLIENT_SECRET ?? sandboxClient.secret,
  };
}

/** `npm start` asks the sandbox for its authority, and hands it to the gateway. */
function sandboxMtlsOf({ SANDBOX_MTLS_PORT: port, SANDBOX_MTLS_CA: ca }: Settings): Config['sandboxMtls'] {
  return port === undefined || ca === undefined ? undefined : { port, ca };
}

function pixKeyOf(values: Settings): string {
  const defaultKey = values.PSP === 'sandbox' ? sandboxPixKey : undefined;
  return requireSetting(values.PIX_KEY ?? defaultKey, 'PIX_KEY', values);
}

/** The connection to a bank with real money, whose addresses and credentials have no defaults. */
function bankPsp(values: Settings): PspConfig {
  // A client certificate is one PKCS#12 file, or a PEM certificate with its key.
  const isPemIncomplete = (values.PSP_CERT === undefined) !== (values.PSP_KEY === undefined);
  if (values.PSP_PFX === undefined && isPemIncomplete)
    requireSetting(undefined, values.PSP_CERT === undefined ? 'PSP_CERT' : 'PSP_KEY', values);
  return {
    ...connectionSettings(values),
    baseUrl: requireSetting(values.PSP_BASE_URL, 'PSP_BASE_URL', values),
    tokenUrl: requireSetting(values.PSP_TOKEN_URL, 'PSP_TOKEN_URL', values),
    clientId: requireSetting(values.PSP_CLIENT_ID, 'PSP_CLIENT_ID', values),
    clientSecret: requireSetting(values.PSP_CLIENT_SECRET, 'PSP_CLIENT_SECRET', values),
  };
}

/** The institutions behind the adapters that reach only one. */
export const institutions = {
  sandbox: 'Banco Sandbox',
  efi: 'Efí S.A. – Instituição de Pagamento',
  bacen: undefined,
} as const satisfies Record<PspConfig['name'], string | undefined>;

function connectionSettings(values: Settings) {
  const institution = values.PSP_INSTITUTION ?? institutions[values.PSP];
  const tls = {
    ...(values.PSP_CERT && { cert: values.PSP_CERT }),
    ...(values.PSP_KEY && { key: values.PSP_KEY }),
    ...(values.PSP_PFX && { pfx: values.PSP_PFX }),
    ...(values.PSP_PASSPHRASE && { passphrase: values.PSP_PASSPHRASE }),
    ...(values.PSP_CA && { ca: values.PSP_CA }),
  };
  return {
    name: values.PSP,
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(institution !== undefined && { institution }),
    ...(values.PSP_SCOPE && { scope: values.PSP_SCOPE }),
    ...(values.PSP_ACCOUNT && { debitAccount: values.PSP_ACCOUNT }),
    refunds: values.PSP_REFUNDS,
    webhookCidrs: values.PSP_WEBHOOK_CIDRS,
    ...(values.PSP_WEBHOOK_PROOF && { webhookProofHeader: values.PSP_WEBHOOK_PROOF }),
    ...(values.PSP_WEBHOOK_MTLS_PORT && {
      webhookMtls: { port: values.PSP_WEBHOOK_MTLS_PORT, ...webhookMtlsFilesOf(values) },
    }),
  };
}

/**
 * The bucket for files, if one is set. A remote endpoint must use https: the files themselves are encrypted, but every
 * request carries a signature made with the bucket's credentials.
 */
function bucketOf(values: Settings): BucketConfig | undefined {
  const { S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_PREFIX } = values;
  if (S3_BUCKET === undefined) return undefined;
  if (S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
    const missing = S3_ACCESS_KEY_ID === undefined ? 'S3_ACCESS_KEY_ID' : 'S3_SECRET_ACCESS_KEY';
    throw new InvalidSetting(`${missing} é obrigatória com S3_BUCKET`);
  }
  if (S3_ENDPOINT !== undefined) {
    const { protocol, hostname } = new URL(S3_ENDPOINT);
    if (protocol !== 'https:' && !isLoopback(hostname))
      throw new InvalidSetting('S3_ENDPOINT deve começar com https://');
  }
  return {
    bucket: S3_BUCKET,
    prefix: S3_PREFIX === undefined ? '' : `${S3_PREFIX.replace(/\/+$/, '')}/`,
    endpoint: S3_ENDPOINT,
    region: values.S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}

/**
 * Without SMTP_URL, a sandbox shows its mail on the mailbox page. A public sandbox does not, because the page shows
 * everybody's mail.
 */
function mailOf(values: Settings): MailConfig {
  const { SMTP_URL: server, MAIL_FROM: from } = values;
  if (server === undefined)
    return { goes: values.PSP === 'sandbox' && !values.SANDBOX_PUBLIC ? 'to the mailbox' : 'nowhere' };
  if (from === undefined) throw new InvalidSetting('MAIL_FROM é obrigatória com SMTP_URL');
  const hasTlsFromStart = server.protocol === 'smtps:';
  const defaultPort = hasTlsFromStart ? 465 : 587;
  const tlsAfterConnecting = isLoopback(server.hostname) ? 'none' : 'demanded';
  const user = decodeURIComponent(server.username);
  return {
    goes: 'by smtp',
    host: server.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: server.port === '' ? defaultPort : Number(server.port),
    tls: hasTlsFromStart ? 'first' : tlsAfterConnecting,
    login: user === '' ? undefined : { user, password: decodeURIComponent(server.password) },
    from,
  };
}

function vapidOf({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, ...values }: Settings): Config['vapid'] {
  if (VAPID_PRIVATE_KEY === undefined || VAPID_PUBLIC_KEY === undefined) {
    if (VAPID_PRIVATE_KEY === VAPID_PUBLIC_KEY) return undefined;
    const missing = VAPID_PUBLIC_KEY === undefined ? 'VAPID_PUBLIC_KEY' : 'VAPID_PRIVATE_KEY';
    throw new InvalidSetting(`${missing} é obrigatória com a outra chave VAPID`);
  }
  const publicKey = deriveVapidPublicKey(VAPID_PRIVATE_KEY);
  if (publicKey === undefined) throw new InvalidSetting('VAPID_PRIVATE_KEY não é uma chave da curva P-256');
  if (publicKey !== VAPID_PUBLIC_KEY)
    throw new InvalidSetting('VAPID_PUBLIC_KEY não é a chave pública de VAPID_PRIVATE_KEY');
  const subject = values.VAPID_SUBJECT ?? (values.ADMIN_EMAIL && `mailto:${values.ADMIN_EMAIL}`);
  if (subject === undefined) throw new InvalidSetting('VAPID_SUBJECT é obrigatória com as chaves VAPID');
  return { publicKey, privateKey: VAPID_PRIVATE_KEY, subject };
}

function defaultNoticesUrl(publicUrl: string, mtlsPort: number | undefined): string {
  return mtlsPort === undefined ? publicUrl : `https://${new URL(publicUrl).hostname}:${mtlsPort}`;
}

function webhookMtlsFilesOf(values: Settings) {
  const requireFile = (name: 'PSP_WEBHOOK_MTLS_CERT' | 'PSP_WEBHOOK_MTLS_KEY' | 'PSP_WEBHOOK_MTLS_CA') => {
    const file = values[name];
    if (file === undefined) throw new InvalidSetting(`${name} é obrigatória com PSP_WEBHOOK_MTLS_PORT`);
    return file;
  };
  return {
    cert: requireFile('PSP_WEBHOOK_MTLS_CERT'),
    key: requireFile('PSP_WEBHOOK_MTLS_KEY'),
    ca: requireFile('PSP_WEBHOOK_MTLS_CA'),
  };
}

function requireSetting<T>(value: T | undefined, name: keyof Settings, { PSP }: Settings): T {
  if (value === undefined) throw new InvalidSetting(`${name} é obrigatória com PSP=${PSP}`);
  return value;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

export function isLoopback(hostname: string): boolean {
  return loopbackNames.has(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Refuses a sandbox that other machines can reach, because its demo accounts have known passwords. */
function refusePublicSandbox(host: string, publicUrl: string): void {
  const isHostLocal = isLoopback(host);
  if (isHostLocal && isLoopback(new URL(publicUrl).hostname)) return;
  const setting = isHostLocal ? 'PUBLIC_URL' : 'HOST';
  throw new InvalidSetting(
    `${setting} aponta para fora desta máquina, e o modo sandbox tem contas de demonstração: ` +
      'use um endereço local ou SANDBOX_PUBLIC=1',
  );
}

/** Refuses plain HTTP to other machines, because secrets and orders to move money pass over these connections. */
function refuseUnencrypted(values: Settings): void {
  requireSetting(values.PUBLIC_URL, 'PUBLIC_URL', values);
  for (const name of ['PUBLIC_URL', 'PSP_BASE_URL', 'PSP_TOKEN_URL'] as const) {
    const { protocol, hostname } = new URL(requireSetting(values[name], name, values));
    if (protocol !== 'https:' && !isLoopback(hostname))
      throw new InvalidSetting(`${name} deve começar com https:// com PSP=${values.PSP}`);
  }
}

function sandboxUrl(publicUrl: string, sandboxPort: number): string {
  return `http://${new URL(publicUrl).hostname}:${sandboxPort}`;
}
