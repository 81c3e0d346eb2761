import { readFileSync } from 'node:fs';
import { centsFromBrl } from '@jangada/contract';
import { detectPixKeyType, isCanonicalPixKey, parsePixKey } from '@jangada/pix';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { serversOf, sessionAttributesOf } from './db/servers.ts';

// Parsers of the environment variables. Each error message continues a sentence that begins with the variable's name,
// for example `PORT deve ser um número inteiro de 1 a 65535`.

const text = z.string().trim();

function integer(min: number, max: number) {
  const message = `deve ser um número inteiro de ${min} a ${max}`;
  return text
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

const port = integer(1, 65_535);

const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'deve ser 1 ou 0' })
  .transform((value) => value === '1' || value === 'true');

/** Converts an amount in reais, such as `15000` or `15000.50`, to integer cents. */
const reais = text
  .regex(/^\d{1,10}(\.\d{1,2})?$/, 'deve ser um valor em reais, como 15000 ou 15000.50')
  .transform((value) => centsFromBrl(Number(value)) ?? 0)
  .refine((cents) => cents > 0, 'deve ser maior que zero');

const accountTypes: Readonly<Record<string, 'checking' | 'savings' | 'payment'>> = {
  corrente: 'checking',
  poupanca: 'savings',
  pagamento: 'payment',
};
const accountPattern = /^(corrente|poupanca|pagamento) (?:([\dA-Za-z]{1,4}) )?([\dA-Za-z]{1,20})$/;

/** The type, branch and number of an account, such as `pagamento 0001 1234567`. */
const bankAccount = text
  .regex(accountPattern, 'deve ser tipo, agência e conta, como "pagamento 0001 1234567"')
  .transform((value) => {
    const [, type = '', branch, number = ''] = accountPattern.exec(value) ?? [];
    return { type: accountTypes[type] ?? 'payment', branch, number };
  });

function urlWith(...schemes: string[]) {
  const examples = schemes.map((scheme) => (scheme === 'mailto' ? 'mailto:...' : `${scheme}://...`));
  const message = `deve ser um endereço completo (${examples.join(' ou ')})`;
  return text.refine((value) => schemes.includes(schemeOf(value)), message);
}

function schemeOf(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : '';
}

const httpUrl = urlWith('http', 'https').transform((value) => value.replace(/\/+$/, ''));
const databaseUrl = text
  .refine((value) => serversOf(value).every((server) => /^postgres(ql)?$/.test(schemeOf(server))), {
    message: 'deve ser um endereço completo (postgres://... ou postgresql://...)',
    abort: true,
  })
  .refine(
    (value) => ['read-write', 'primary', undefined].includes(sessionAttributesOf(value)),
    'só pode ter target_session_attrs=read-write ou primary, porque o gateway escreve no banco de dados',
  );

const origin = httpUrl
  .refine((value) => isOriginOnly(value), 'deve ter só esquema, nome e porta, sem caminho')
  .transform((value) => new URL(value).origin);

function isOriginOnly(value: string): boolean {
  const { pathname, search, hash, username } = new URL(value);
  return pathname === '/' && search + hash + username === '';
}

function listOf<T extends z.ZodType<string, string>>(item: T) {
  return text
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item));
}

function isNetwork(value: string): boolean {
  return ipaddr.isValid(value) || ipaddr.isValidCIDR(value);
}

const networks = listOf(
  z.string().refine(isNetwork, 'deve listar endereços ou redes, como 203.0.113.0/24'),
).transform((list) => list.map(toNetwork));

/** Converts a single address to a network that contains only this address. */
function toNetwork(value: string): string {
  if (value.includes('/')) return value;
  return `${value}/${ipaddr.parse(value).kind() === 'ipv4' ? 32 : 128}`;
}

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal'];
const proxies = listOf(
  z
    .string()
    .refine(
      (value) => namedNetworks.includes(value) || isNetwork(value),
      'deve listar endereços ou redes de proxies, como 10.0.0.0/8 ou loopback',
    ),
);

/** A file path, or the PEM text itself. */
const pem = text.transform((value, context) =>
  value.startsWith('-----BEGIN') ? Buffer.from(value) : readFileOrRefuse(value, context),
);
const file = text.transform(readFileOrRefuse);

function readFileOrRefuse(path: string, context: z.RefinementCtx): Buffer {
  try {
    return readFileSync(path);
  } catch {
    context.addIssue({ code: 'custom', message: 'deve ser o caminho de um arquivo que se possa ler' });
    return z.NEVER;
  }
}

const header = text.regex(/^[A-Za-z0-9-]+:\s*\S/, 'deve ter a forma nome: valor').transform((value) => ({
  name: value.slice(0, value.indexOf(':')).toLowerCase(),
  value: value.slice(value.indexOf(':') + 1).trim(),
}));

/** 32 bytes, as 64 hexadecimal digits or base64. */
const masterKey = text.transform((value, context) => {
  const key = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64');
  if (key.length === 32) return key;
  context.addIssue({ code: 'custom', message: 'deve ter 32 bytes, em base64 ou em 64 dígitos hexadecimais' });
  return z.NEVER;
});

/** A VAPID key (for push messages) in base64url: 65 bytes for the public key, 32 for the private one. */
function vapidKey(bytes: number) {
  const message = `deve ter ${bytes} bytes em base64url, como web-push generate-vapid-keys escreve`;
  return text
    .regex(/^[A-Za-z0-9_-]+$/, message)
    .refine((value) => Buffer.from(value, 'base64url').length === bytes, message);
}

/** Converts a Pix key as people write it to the form stored by DICT, the central bank's directory of Pix keys. */
const pixKey = text.transform((value, context) => {
  const key = canonicalPixKey(value);
  if (key !== undefined) return key;
  const message = 'deve ser uma chave Pix: CPF, CNPJ, e-mail, telefone com +55 ou chave aleatória';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

function canonicalPixKey(value: string): string | undefined {
  if (isCanonicalPixKey(value)) return value;
  const type = detectPixKeyType(value);
  try {
    return type && parsePixKey(type, value);
  } catch {
    return undefined;
  }
}

/**
 * `smtp://user:password@host:587`, or smtps:// for TLS from the first byte; special characters are percent-encoded, for
 * example %40.
 */
const mailServer = urlWith('smtp', 'smtps')
  .refine((value) => {
    const { hostname, pathname, search, hash } = new URL(value);
    return hostname !== '' && ['', '/'].includes(pathname) && search + hash === '';
  }, 'deve ter só usuário, senha, servidor e porta, como smtp://usuario:senha@mail.exemplo.com.br:587')
  .transform((value) => new URL(value));

/** An e-mail address, or a name followed by the address in angle brackets. */
const sender = text
  .regex(
    /^(?:[^<>"@\p{Cc}]*<[^\s@<>,;"]+@[^\s@<>,;"]+>|[^\s@<>,;"]+@[^\s@<>,;"]+)$/u,
    'deve ser um endereço de e-mail, como Jangada <nao-responda@exemplo.com.br>',
  )
  .transform((value) => {
    const [, name, address] = /^(?:(.*?)<)?([^<>]+)>?$/.exec(value) ?? [];
    return { name: name?.trim() ?? '', address: address ?? value };
  });

const host = text.regex(/^[A-Za-z0-9.:_-]+$/, 'deve ser um nome ou endereço IP');

/** The environment variables by name, with the parser of each. Defaults are in the parsed form: amounts in cents. */
export const settings = z.object({
  HOST: host.default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: origin.optional(),
  TRUST_PROXY: proxies.default([]),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  MIGRATION_DATABASE_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATABASE_READ_MAX_LAG: integer(2, 300).default(10),
  PSP: z.enum(['sandbox', 'efi', 'bacen'], { error: 'deve ser sandbox, efi ou bacen' }).default('sandbox'),
  PSP_BASE_URL: httpUrl.optional(),
  PSP_TOKEN_URL: httpUrl.optional(),
  PSP_CLIENT_ID: text.optional(),
  PSP_CLIENT_SECRET: text.optional(),
  PSP_INSTITUTION: text.max(60, 'deve ter no máximo 60 caracteres').optional(),
  PSP_SCOPE: text.optional(),
  PSP_ACCOUNT: bankAccount.optional(),
  PSP_REFUNDS: flag.default(true),
  PSP_CERT: pem.optional(),
  PSP_KEY: pem.optional(),
  PSP_PFX: file.optional(),
  PSP_PASSPHRASE: z.string().optional(),
  PSP_CA: pem.optional(),
  PSP_WEBHOOK_CIDRS: networks.default([]),
  PSP_WEBHOOK_PROOF: header.optional(),
  PSP_WEBHOOK_URL: origin.optional(),
  PSP_WEBHOOK_MTLS_PORT: port.optional(),
  PSP_WEBHOOK_MTLS_CERT: pem.optional(),
  PSP_WEBHOOK_MTLS_KEY: pem.optional(),
  PSP_WEBHOOK_MTLS_CA: pem.optional(),
  PIX_KEY: pixKey.optional(),
  MERCHANT_CITY: text.max(15, 'deve ter no máximo 15 caracteres').default('RECIFE'),
  SANDBOX_PORT: port.optional(),
  SANDBOX_MTLS_PORT: port.optional(),
  SANDBOX_MTLS_CA: pem.optional(),
  SANDBOX_PUBLIC: flag.default(false),
  SECRET_KEY: masterKey.optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: host.default('127.0.0.1'),
  LOG: z.enum(['json', 'text'], { error: 'deve ser json ou text' }).optional(),
  ROLE: z.enum(['all', 'web', 'worker'], { error: 'deve ser all, web ou worker' }).default('all'),
  ADMIN_EMAIL: text.regex(/^[^\s@]+@[^\s@]+$/, 'deve ser um endereço de e-mail').optional(),
  SMTP_URL: mailServer.optional(),
  MAIL_FROM: sender.optional(),
  S3_BUCKET: text.optional(),
  S3_ENDPOINT: origin.optional(),
  S3_REGION: text.default('us-east-1'),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  S3_PREFIX: text.regex(/^[\w-]+(\/[\w-]+)*\/?$/, 'deve ser um caminho, como jangada/arquivos').optional(),
  KYC_KEEP_REJECTED_DAYS: integer(1, 36_500).default(90),
  KYC_KEEP_APPROVED_DAYS: integer(1, 36_500).default(1825),
  VAPID_PUBLIC_KEY: vapidKey(65).optional(),
  VAPID_PRIVATE_KEY: vapidKey(32).optional(),
  VAPID_SUBJECT: urlWith('mailto', 'https').optional(),
  WEBHOOK_ALLOW_CIDRS: networks.default([]),
  CORS_ORIGINS: listOf(origin).default([]),
  // Calls per caller and minute; 0 for no limit.
  RATE_LIMIT: integer(0, 1_000_000).default(6000),
  // Failed sign-ins from one IP address in 15 minutes, and successful sign-ins to one account.
  SIGN_INS_PER_ADDRESS: integer(1, 1_000_000).default(100),
  // Whether administrators and support need a second factor; by default only with real money.
  STAFF_SECOND_FACTOR: flag.optional(),
  // Registrations from one IP address in an hour.
  REGISTRATIONS_PER_ADDRESS: integer(1, 1_000_000).default(30),
  // The largest charge, and the largest withdrawal.
  CHARGE_MAX: reais.default(1_500_000),
  WITHDRAWAL_MAX: reais.default(1_500_000),
  // The most that one merchant may withdraw in a day, and in a night (also counted for the day).
  WITHDRAWAL_DAY: reais.default(5_000_000),
  WITHDRAWAL_NIGHT: reais.default(100_000),
  // The most that all merchants together may withdraw in a day.
  GATEWAY_DAY: reais.default(20_000_000),
  // Whether withdrawals may go only to a Pix key that is the account's own CPF or CNPJ.
  WITHDRAWAL_OWN_KEYS_ONLY: flag.default(false),
  // Whether merchants are paid into the operator's account, into accounts of their own, or each as an administrator
  // says. Without it: both in the sandbox, pooled with real money.
  MERCHANT_ACCOUNTS: z
    .enum(['pooled', 'direct', 'both'], { error: 'deve ser pooled, direct ou both' })
    .optional(),
  // How many days after the due date of a fee statement that is not paid new charges of its merchant are refused.
  FEES_OVERDUE_DAYS: integer(1, 365).default(15),
  // The most that one administrator, together with those whom they promoted, may adjust in balances in a day.
  ADJUSTMENT_DAY: reais.default(1_000_000),
});

export type Settings = z.output<typeof settings>;
