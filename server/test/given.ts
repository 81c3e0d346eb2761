import { randomBytes } from 'node:crypto';
import { createdPayment, generateApiKey, getPaymentStatus, login, withdraw } from '@jangada/contract';
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

const password = 'uma senha de teste';
/**
 * A cheap password hash, which states its own cost: the tests save time, and the gateway's own hashes stay as expensive
 * as ever.
 */
let cheapHash: Promise<string> | undefined;

/** Parses a successful response by its schema; throws with the response otherwise. */
export function read<T>(schema: { parse(data: unknown): T }, answer: ApiAnswer): T {
  if (answer.status >= 300)
    throw new Error(`The gateway answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return schema.parse(answer.body);
}

function cheaplyHashed(): Promise<string> {
  cheapHash ??= hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  return cheapHash;
}

/** An administrator; in production the command line creates one. */
export async function givenAdmin(gateway: TestGateway): Promise<GivenAdmin> {
  const mark = randomBytes(6).toString('hex');
  const account = {
    username: `admin-${mark}`,
    name: 'Ana Administradora',
    email: `admin-${mark}@example.com`,
    document: randomCpf(),
    docType: 'CPF',
    passwordHash: await cheaplyHashed(),
    role: 'ADMIN',
    approved: true,
  } as const;
  const id = await inTransaction(gateway.deps, (tx) => createAccount(tx, account));
  const { token } = read(
    login.response,
    await gateway.api('POST', '/login', { username: account.username, password }),
  );
  return { id, token, password };
}

export type GivenMerchantOptions = {
  /** Settings of the administration, such as `{taxes: ...}`; approved by default. */
  readonly account?: Readonly<Record<string, unknown>>;
  readonly admin?: GivenAdmin;
};

/** An approved merchant with an API key, and with no notifications yet. */
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
    passwordHash: await cheaplyHashed(),
  } as const;
  const id = await inTransaction(gateway.deps, (tx) => createAccount(tx, account));
  const { token } = read(login.response, await gateway.api('POST', '/login', { username, password }));
  const admin = options.admin ?? (await givenAdmin(gateway));
  const change = { version: 1, approved: true, ...options.account };
  const changed = await gateway.api('PUT', `/admin/users/${id}`, change, { token: admin.token });
  if (changed.status !== 200)
    throw new Error(`The merchant was not approved: ${JSON.stringify(changed.body)}`);
  const key = await gateway.api('POST', '/authed/apikey', undefined, { token });
  const { apiKey } = read(generateApiKey.response, key);
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
  const answer = await gateway.api('POST', '/pix/new', { amount: 100, ...charge }, { apiKey });
  return read(createdPayment, answer);
}

/** A charge that its payer paid at the bank, and the gateway settled. */
export async function givenPaidPayment(
  gateway: TestGateway,
  merchant: GivenMerchant,
  charge: Readonly<Record<string, unknown>> = {},
) {
  const created = await givenCharge(gateway, merchant, charge);
  const endToEndId = await gateway.bank.pay({ brCode: created.content });
  for (;;) {
    const answer = await gateway.api('GET', `/pix/status/${created.id}`, undefined, {
      apiKey: merchant.apiKey,
    });
    const payment = read(getPaymentStatus.response, answer);
    if (payment.status === 'paid') return { ...payment, endToEndId };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Available money of a merchant: a payment of this amount in BRL, settled whether or not background work runs. */
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
  await inTransaction(deps, (tx) => settleReceived(tx, [pix], deps.config.pixKey));
  return { chargeId: created.id, endToEndId };
}

export const givenPinDigits = '2580';

/** A withdrawal PIN, set with the password. */
export async function givenPin(
  gateway: TestGateway,
  { token, password }: Pick<GivenMerchant, 'token' | 'password'>,
  pin = givenPinDigits,
): Promise<void> {
  const wanted = { current_password: password, new_pin: pin, confirm_pin: pin };
  const answer = await gateway.api('POST', '/authed/set-withdrawal-pin', wanted, { token });
  if (answer.status !== 200) throw new Error(`The PIN was not set: ${JSON.stringify(answer.body)}`);
}

/** A withdrawal requested in the dashboard, of R$ 50,00 by default. */
export async function givenWithdrawal(
  gateway: TestGateway,
  { token }: Pick<GivenMerchant, 'token'>,
  wanted: Readonly<Record<string, unknown>> = {},
) {
  const answer = await gateway.api(
    'POST',
    '/authed/withdraw',
    {
      amount: 50,
      pixKey: 'maria@example.com',
      pix_key_type: 'email',
      withdrawal_pin: givenPinDigits,
      ...wanted,
    },
    { token },
  );
  return read(withdraw.response, answer).withdrawal;
}
