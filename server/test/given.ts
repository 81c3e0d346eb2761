import { randomBytes } from 'node:crypto';
import {
  createdPayment,
  errorEnvelope,
  generateApiKey,
  getPaymentStatus,
  login,
  withdraw,
} from '@jangada/contract';
import { hash } from '@node-rs/argon2';
import { inTransaction } from '../src/db/transaction.ts';
import { createAccount } from '../src/identity/index.ts';
import { settleReceived } from '../src/payments/index.ts';
import type { ApiAnswer, TestGateway } from './gateway.ts';
import { randomCpf } from './random-cpf.ts';

export type GivenMerchant = {
  readonly id: number;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly apiKey: string;
};

export type GivenAdmin = { readonly id: number; readonly token: string; readonly password: string };

export const givenPassword = 'uma senha de teste';
const password = givenPassword;
/**
 * A hash of the password that is cheap to verify, to save time in tests. A hash states its own cost, so the gateway
 * accepts this one, while the hashes that it makes itself stay expensive.
 */
let cheapHash: Promise<string> | undefined;

/** Parses a successful response by its schema; throws with the response otherwise. */
export function parseSuccess<T>(schema: { parse(data: unknown): T }, response: ApiAnswer): T {
  if (response.status >= 300)
    throw new Error(`The gateway responded with ${response.status}: ${JSON.stringify(response.body)}`);
  return schema.parse(response.body);
}

/** The status of a response, with its code if it is a refusal. */
export function codeOf({ status, body }: ApiAnswer): string {
  return status < 300 ? String(status) : `${status} ${errorEnvelope.parse(body).error.code}`;
}

export function cheapPasswordHash(): Promise<string> {
  cheapHash ??= hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  return cheapHash;
}

/** An administrator who is signed in; in production the command line creates administrators. */
export async function givenAdmin(gateway: TestGateway): Promise<GivenAdmin> {
  const mark = randomBytes(6).toString('hex');
  const account = {
    username: `admin-${mark}`,
    name: 'Ana Administradora',
    email: `admin-${mark}@example.com`,
    document: randomCpf(),
    docType: 'CPF',
    passwordHash: await cheapPasswordHash(),
    role: 'ADMIN',
    approved: true,
  } as const;
  const id = await inTransaction(gateway.deps, (tx) => createAccount(tx, account));
  const { token } = parseSuccess(
    login.response,
    await gateway.api('POST', '/login', { username: account.username, password }),
  );
  return { id, token, password };
}

export type GivenMerchantOptions = {
  /** Fields that the administrator sets besides the approval, such as `{taxes: ...}`. */
  readonly account?: Readonly<Record<string, unknown>>;
  readonly admin?: GivenAdmin;
};

/** An approved, signed-in merchant with an API key, and without notifications and mails so far. */
export async function givenMerchant(
  gateway: TestGateway,
  options: GivenMerchantOptions = {},
): Promise<GivenMerchant> {
  const mark = randomBytes(6).toString('hex');
  const username = `loja-${mark}`;
  const account = {
    username,
    name: 'Maria da Feira',
    email: `${mark}@example.com`,
    document: randomCpf(),
    docType: 'CPF',
    passwordHash: await cheapPasswordHash(),
  } as const;
  const id = await inTransaction(gateway.deps, (tx) => createAccount(tx, account));
  const { token } = parseSuccess(login.response, await gateway.api('POST', '/login', { username, password }));
  const admin = options.admin ?? (await givenAdmin(gateway));
  const change = { version: 1, approved: true, ...options.account };
  const changed = await gateway.api('PUT', `/admin/users/${id}`, change, { token: admin.token });
  if (changed.status !== 200)
    throw new Error(`The merchant was not approved: ${JSON.stringify(changed.body)}`);
  const key = await gateway.api('POST', '/authed/apikey', undefined, { token });
  const { apiKey } = parseSuccess(generateApiKey.response, key);
  await gateway.deps.db.deleteFrom('notifications').where('merchant_id', '=', id).execute();
  await gateway.deps.db.deleteFrom('mails').where('user_id', '=', id).execute();
  return { id, username, password, token, apiKey };
}

/** A merchant's charge, open at the bank. */
export async function givenCharge(
  gateway: TestGateway,
  { apiKey }: Pick<GivenMerchant, 'apiKey'>,
  charge: Readonly<Record<string, unknown>> = {},
) {
  const response = await gateway.api('POST', '/pix/new', { amount: 100, ...charge }, { apiKey });
  return parseSuccess(createdPayment, response);
}

/** A charge that its payer paid at the bank. Waits until the gateway's background work has settled it. */
export async function givenPaidPayment(
  gateway: TestGateway,
  merchant: GivenMerchant,
  charge: Readonly<Record<string, unknown>> = {},
) {
  const created = await givenCharge(gateway, merchant, charge);
  const endToEndId = await gateway.bank.pay({ brCode: created.content });
  for (;;) {
    const response = await gateway.api('GET', `/pix/status/${created.id}`, undefined, {
      apiKey: merchant.apiKey,
    });
    const payment = parseSuccess(getPaymentStatus.response, response);
    if (payment.status === 'paid') return { ...payment, endToEndId };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Gives a merchant a payment of this amount in BRL, and settles it, whether or not background work runs. */
export async function givenBalance(
  gateway: TestGateway,
  merchant: GivenMerchant,
  amount: number,
): Promise<{ readonly chargeId: string; readonly endToEndId: string }> {
  const { deps, bank } = gateway;
  const created = await givenCharge(gateway, merchant, { amount });
  const endToEndId = await bank.pay({ brCode: created.content });
  const pix = await deps.psp.findReceivedPix(endToEndId);
  if (pix === undefined) throw new Error(`The bank does not know ${endToEndId}.`);
  await inTransaction(deps, (tx) => settleReceived(tx, [pix], deps.connection));
  return { chargeId: created.id, endToEndId };
}

export const defaultPin = '2580';

/** A withdrawal PIN, set with the password. */
export async function givenPin(
  gateway: TestGateway,
  { token, password }: Pick<GivenMerchant, 'token' | 'password'>,
  pin = defaultPin,
): Promise<void> {
  const body = { current_password: password, new_pin: pin, confirm_pin: pin };
  const response = await gateway.api('POST', '/authed/set-withdrawal-pin', body, { token });
  if (response.status !== 200) throw new Error(`The PIN was not set: ${JSON.stringify(response.body)}`);
}

/** A withdrawal requested in the dashboard, of R$ 50,00 by default. */
export async function givenWithdrawal(
  gateway: TestGateway,
  { token }: Pick<GivenMerchant, 'token'>,
  fields: Readonly<Record<string, unknown>> = {},
) {
  const response = await gateway.api(
    'POST',
    '/authed/withdraw',
    {
      amount: 50,
      pixKey: 'maria@example.com',
      pix_key_type: 'email',
      withdrawal_pin: defaultPin,
      ...fields,
    },
    { token },
  );
  return parseSuccess(withdraw.response, response).withdrawal;
}
