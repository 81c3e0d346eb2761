import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Settings, settings } from './settings.ts';
import { vapidPublicKey } from './vapid-public-key.ts';

/** The gateway's settings, parsed once. Amounts in integer cents. */
export type Config = {
  readonly version: string;
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly trustProxy: readonly string[];
  readonly dataDir: string;
  /** Undefined: the gateway starts its own PostgreSQL. */
  readonly databaseUrl: string | undefined;
  readonly migrationDatabaseUrl: string | undefined;
  readonly mode: 'sandbox' | 'live';
  readonly psp: PspConfig;
  /** Where the bank sends its notices, without a trailing slash. */
  readonly noticesUrl: string;
  readonly pixKey: string;
  readonly merchantCity: string;
  readonly sandboxPort: number;
  /** Banco Sandbox's address as a browser reaches it; undefined when live. */
  readonly bankUrl: string | undefined;
  readonly sandboxPublic: boolean;
  /** 32 bytes; undefined: kept in the data directory. */
  readonly secretKey: Buffer | undefined;
  /** Undefined: text in a terminal, JSON otherwise. */
  readonly log: 'json' | 'text' | undefined;
  readonly role: 'all' | 'web' | 'worker';
  /** Address on which Prometheus scrapes metrics; undefined: metrics are off. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** The address for companies' documents and for help requests. */
  readonly adminEmail: string | undefined;
  readonly mail: MailConfig;
  /** Where files are stored: in the bucket if there is one, else in the directory. */
  readonly files: { readonly directory: string; readonly bucket: BucketConfig | undefined };
  /** Days after the decision until pictures of documents are deleted. */
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
  /** Failed sign-ins per address in 15 minutes. */
  readonly signInsPerAddress: number;
  /** Registrations per address and hour. */
  readonly registrationsPerAddress: number;
  /** Whether ADMIN and SUPPORT need a session with a second factor. */
  readonly staffSecondFactor: boolean;
  /** Whether withdrawals may go only to a Pix key that is the account's own CPF or CNPJ. */
  readonly ownKeysOnly: boolean;
  readonly limits: {
    readonly chargeMax: number;
    readonly withdrawalMax: number;
    readonly withdrawalDay: number;
    readonly withdrawalNight: number;
    readonly gatewayDay: number;
    /** Daily total of one operator's balance adjustments. */
    readonly adjustmentDay: number;
  };
};

/** A bucket of Amazon S3, or of an S3-compatible service. */
export type BucketConfig = {
  readonly bucket: string;
  /** Prefix of every object name: empty, or ending in a slash. */
  readonly prefix: string;
  /** Undefined: Amazon's endpoint for the region. */
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
  /** `first`: from the first byte; `demanded`: required before login; `none`: only on this machine. */
  readonly tls: 'first' | 'demanded' | 'none';
  readonly login: { readonly user: string; readonly password: string } | undefined;
  readonly from: { readonly name: string; readonly address: string };
};

/** How to reach the bank. */
export type PspConfig = {
  readonly name: 'sandbox' | 'efi' | 'bacen';
  /** Base URL of API Pix, including its version: `http://127.0.0.1:3001/v2`. */
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The scope to request for the access token, for banks that require one: space-separated names (RFC 6749, 3.3). */
  readonly scope?: string;
  /** Whether received Pix can be refunded: not every bank with API Pix allows it. */
  readonly refunds: boolean;
  /** Client certificate for mTLS: PEM certificate and key, or PKCS#12. */
  readonly tls?: {
    readonly cert?: Buffer;
    readonly key?: Buffer;
    readonly pfx?: Buffer;
    readonly passphrase?: string;
    readonly ca?: Buffer;
  };
  /** Source addresses from which notices are accepted; empty: any. */
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

/** A setting with which the gateway cannot start. The message is one line that names it. */
export class WrongSetting extends Error {
  override name = 'WrongSetting';
}

const packageFile = new URL('../package.json', import.meta.url);
const version = String(JSON.parse(readFileSync(packageFile, 'utf8')).version);

/**
 * Reads the settings from environment variables; an empty variable counts as unset.
 * @throws {WrongSetting} on the first invalid one
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new WrongSetting(`${String(issue?.path[0] ?? '')} ${issue?.message ?? ''}`);
  }
  return arrange(parsed.data);
}

/** The operator's address in a sandbox. Mail to it reaches no one: example.com is reserved. */
export const SANDBOX_EMAIL = 'sandbox@example.com';

function arrange(read: Settings): Config {
  const mode = read.PSP === 'sandbox' ? 'sandbox' : 'live';
  const publicUrl = read.PUBLIC_URL ?? `http://localhost:${read.PORT}`;
  const sandboxPort = read.SANDBOX_PORT ?? read.PORT + 1;
  if (mode === 'sandbox' && sandboxPort === read.PORT)
    throw new WrongSetting('SANDBOX_PORT deve ser diferente de PORT');
  if (mode === 'sandbox' && !read.SANDBOX_PUBLIC) refusePublicSandbox(read.HOST, publicUrl);
  if (mode === 'live') refuseOpenRoads(read);
  const mail = mailOf(read);
  return {
    version,
    host: read.HOST,
    port: read.PORT,
    publicUrl,
    trustProxy: read.TRUST_PROXY,
    dataDir: resolve(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    migrationDatabaseUrl: read.MIGRATION_DATABASE_URL,
    mode,
    psp: read.PSP === 'sandbox' ? sandboxPsp(read, sandboxPort) : bankPsp(read),
    noticesUrl: read.PSP_WEBHOOK_URL ?? noticesUrl(publicUrl, read.PSP_WEBHOOK_MTLS_PORT),
    pixKey: read.PIX_KEY ?? required(read.PSP === 'sandbox' ? sandboxKey : undefined, 'PIX_KEY', read),
    merchantCity: read.MERCHANT_CITY,
    sandboxPort,
    bankUrl: mode === 'sandbox' ? bankUrl(publicUrl, sandboxPort) : undefined,
    sandboxPublic: read.SANDBOX_PUBLIC,
    secretKey: read.SECRET_KEY,
    log: read.LOG,
    role: read.ROLE,
    metrics:
      read.METRICS_PORT === undefined ? undefined : { host: read.METRICS_HOST, port: read.METRICS_PORT },
    adminEmail: read.ADMIN_EMAIL ?? (mail.goes === 'to the mailbox' ? SANDBOX_EMAIL : undefined),
    mail,
    files: { directory: resolve(read.DATA_DIR, 'files'), bucket: bucketOf(read) },
    kycKeepDays: { rejected: read.KYC_KEEP_REJECTED_DAYS, approved: read.KYC_KEEP_APPROVED_DAYS },
    corsOrigins: read.CORS_ORIGINS,
    webhookAllowCidrs: read.WEBHOOK_ALLOW_CIDRS,
    vapid: vapidKeys(read),
    rateLimit: read.RATE_LIMIT,
    signInsPerAddress: read.SIGN_INS_PER_ADDRESS,
    registrationsPerAddress: read.REGISTRATIONS_PER_ADDRESS,
    staffSecondFactor: read.STAFF_SECOND_FACTOR ?? mode === 'live',
    ownKeysOnly: read.WITHDRAWAL_OWN_KEYS_ONLY,
    limits: {
      chargeMax: read.CHARGE_MAX,
      withdrawalMax: read.WITHDRAWAL_MAX,
      withdrawalDay: read.WITHDRAWAL_DAY,
      withdrawalNight: read.WITHDRAWAL_NIGHT,
      gatewayDay: read.GATEWAY_DAY,
      adjustmentDay: read.ADJUSTMENT_DAY,
    },
  };
}

// Banco Sandbox's default credentials, which are public.
const sandboxKey = '8f5c1a2e-3b7d-4e61-9a0f-6d2c4b8e1f35';
const sandboxClient = { id: 'jangada-sandbox', secret: 'jangada-sandbox-secret' };

function sandboxPsp(read: Settings, port: number): PspConfig {
  return {
    ...reach(read),
    baseUrl: read.PSP_BASE_URL ?? `http://127.0.0.1:${port}/v2`,
    tokenUrl: read.PSP_TOKEN_URL ?? `http://127.0.0.1:${port}/oauth/token`,
    clientId: read.PSP_CLIENT_ID ?? sandboxClient.id,
    clientSecret: read.PSP_CLIENT_SECRET ?? sandboxClient.secret,
  };
}

/** A bank with real money: no setting has a default. */
function bankPsp(read: Settings): PspConfig {
  if (read.PSP_PFX === undefined && (read.PSP_CERT === undefined) !== (read.PSP_KEY === undefined))
    required(undefined, read.PSP_CERT === undefined ? 'PSP_CERT' : 'PSP_KEY', read);
  return {
    ...reach(read),
    baseUrl: required(read.PSP_BASE_URL, 'PSP_BASE_URL', read),
    tokenUrl: required(read.PSP_TOKEN_URL, 'PSP_TOKEN_URL', read),
    clientId: required(read.PSP_CLIENT_ID, 'PSP_CLIENT_ID', read),
    clientSecret: required(read.PSP_CLIENT_SECRET, 'PSP_CLIENT_SECRET', read),
  };
}

function reach(read: Settings) {
  const tls = {
    ...(read.PSP_CERT && { cert: read.PSP_CERT }),
    ...(read.PSP_KEY && { key: read.PSP_KEY }),
    ...(read.PSP_PFX && { pfx: read.PSP_PFX }),
    ...(read.PSP_PASSPHRASE && { passphrase: read.PSP_PASSPHRASE }),
    ...(read.PSP_CA && { ca: read.PSP_CA }),
  };
  return {
    name: read.PSP,
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(read.PSP_SCOPE && { scope: read.PSP_SCOPE }),
    refunds: read.PSP_REFUNDS,
    webhookCidrs: read.PSP_WEBHOOK_CIDRS,
    ...(read.PSP_WEBHOOK_PROOF && { webhookProofHeader: read.PSP_WEBHOOK_PROOF }),
    ...(read.PSP_WEBHOOK_MTLS_PORT && {
      webhookMtls: { port: read.PSP_WEBHOOK_MTLS_PORT, ...mtlsFiles(read) },
    }),
  };
}

/**
 * Requires https for a remote endpoint: the files are sealed, but requests to the bucket are signed with its
 * credentials.
 */
function bucketOf(read: Settings): BucketConfig | undefined {
  const { S3_BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_PREFIX } = read;
  if (S3_BUCKET === undefined) return undefined;
  if (S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
    const missing = S3_ACCESS_KEY_ID === undefined ? 'S3_ACCESS_KEY_ID' : 'S3_SECRET_ACCESS_KEY';
    throw new WrongSetting(`${missing} é obrigatória com S3_BUCKET`);
  }
  if (S3_ENDPOINT !== undefined) {
    const { protocol, hostname } = new URL(S3_ENDPOINT);
    if (protocol !== 'https:' && !isLoopback(hostname))
      throw new WrongSetting('S3_ENDPOINT deve começar com https://');
  }
  return {
    bucket: S3_BUCKET,
    prefix: S3_PREFIX === undefined ? '' : `${S3_PREFIX.replace(/\/+$/, '')}/`,
    endpoint: S3_ENDPOINT,
    region: read.S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}

/** Without SMTP_URL, sandbox mail goes to the mailbox page, but only if the sandbox is not public. */
function mailOf(read: Settings): MailConfig {
  const { SMTP_URL: server, MAIL_FROM: from } = read;
  if (server === undefined)
    return { goes: read.PSP === 'sandbox' && !read.SANDBOX_PUBLIC ? 'to the mailbox' : 'nowhere' };
  if (from === undefined) throw new WrongSetting('MAIL_FROM é obrigatória com SMTP_URL');
  const tlsFirst = server.protocol === 'smtps:';
  const user = decodeURIComponent(server.username);
  return {
    goes: 'by smtp',
    host: server.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: server.port === '' ? (tlsFirst ? 465 : 587) : Number(server.port),
    tls: tlsFirst ? 'first' : isLoopback(server.hostname) ? 'none' : 'demanded',
    login: user === '' ? undefined : { user, password: decodeURIComponent(server.password) },
    from,
  };
}

function vapidKeys({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, ...read }: Settings): Config['vapid'] {
  if (VAPID_PRIVATE_KEY === undefined || VAPID_PUBLIC_KEY === undefined) {
    if (VAPID_PRIVATE_KEY === VAPID_PUBLIC_KEY) return undefined;
    const missing = VAPID_PUBLIC_KEY === undefined ? 'VAPID_PUBLIC_KEY' : 'VAPID_PRIVATE_KEY';
    throw new WrongSetting(`${missing} é obrigatória com a outra chave VAPID`);
  }
  const publicKey = vapidPublicKey(VAPID_PRIVATE_KEY);
  if (publicKey === undefined) throw new WrongSetting('VAPID_PRIVATE_KEY não é uma chave da curva P-256');
  if (publicKey !== VAPID_PUBLIC_KEY)
    throw new WrongSetting('VAPID_PUBLIC_KEY não é a chave pública de VAPID_PRIVATE_KEY');
  const subject = read.VAPID_SUBJECT ?? (read.ADMIN_EMAIL && `mailto:${read.ADMIN_EMAIL}`);
  if (subject === undefined) throw new WrongSetting('VAPID_SUBJECT é obrigatória com as chaves VAPID');
  return { publicKey, privateKey: VAPID_PRIVATE_KEY, subject };
}

function noticesUrl(publicUrl: string, mtlsPort: number | undefined): string {
  return mtlsPort === undefined ? publicUrl : `https://${new URL(publicUrl).hostname}:${mtlsPort}`;
}

function mtlsFiles(read: Settings) {
  const withPort = (name: 'PSP_WEBHOOK_MTLS_CERT' | 'PSP_WEBHOOK_MTLS_KEY' | 'PSP_WEBHOOK_MTLS_CA') => {
    const file = read[name];
    if (file === undefined) throw new WrongSetting(`${name} é obrigatória com PSP_WEBHOOK_MTLS_PORT`);
    return file;
  };
  return {
    cert: withPort('PSP_WEBHOOK_MTLS_CERT'),
    key: withPort('PSP_WEBHOOK_MTLS_KEY'),
    ca: withPort('PSP_WEBHOOK_MTLS_CA'),
  };
}

function required<T>(value: T | undefined, name: keyof Settings, { PSP }: Settings): T {
  if (value === undefined) throw new WrongSetting(`${name} é obrigatória com PSP=${PSP}`);
  return value;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

export function isLoopback(hostname: string): boolean {
  return loopbackNames.has(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Demo accounts have known passwords: only this machine may reach them. */
function refusePublicSandbox(host: string, publicUrl: string): void {
  const wrong = !isLoopback(host) ? 'HOST' : !isLoopback(new URL(publicUrl).hostname) ? 'PUBLIC_URL' : null;
  if (wrong === null) return;
  throw new WrongSetting(
    `${wrong} aponta para fora desta máquina, e o modo sandbox tem contas de demonstração: ` +
      'use um endereço local ou SANDBOX_PUBLIC=1',
  );
}

/** Refuses unencrypted connections for secrets and money. */
function refuseOpenRoads(read: Settings): void {
  required(read.PUBLIC_URL, 'PUBLIC_URL', read);
  for (const name of ['PUBLIC_URL', 'PSP_BASE_URL', 'PSP_TOKEN_URL'] as const) {
    const { protocol, hostname } = new URL(required(read[name], name, read));
    if (protocol !== 'https:' && !isLoopback(hostname))
      throw new WrongSetting(`${name} deve começar com https:// com PSP=${read.PSP}`);
  }
}

function bankUrl(publicUrl: string, sandboxPort: number): string {
  return `http://${new URL(publicUrl).hostname}:${sandboxPort}`;
}
