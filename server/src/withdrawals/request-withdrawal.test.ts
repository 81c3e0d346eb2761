import { randomUUID } from 'node:crypto';
import {
  adminUpdateUser,
  apiWithdraw,
  apiWithdrawalSettings,
  getWithdrawal,
  listWithdrawals,
  outFees,
  walletStats,
  withdraw,
} from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CallOptions, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  defaultPin,
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPin,
  givenWithdrawal,
  parseSuccess,
} from '../../test/given.ts';
import { randomCpf } from '../../test/random-cpf.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts';
import { inTransaction } from '../db/transaction.ts';
import { readBalances } from '../ledger/index.ts';
import { writePayoutsStop } from '../payouts-stop.ts';
import { holdWithdrawals } from './hold-withdrawals.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let merchant: GivenMerchant;
let receiver: WebhookReceiver;

// No withdrawal is sent here: these tests cover the rules of requests.
beforeAll(async () => {
  gateway = await startTestGateway({
    startsWork: false,
    env: { WITHDRAWAL_MAX: '900', WITHDRAWAL_DAY: '1200', WITHDRAWAL_NIGHT: '1000', GATEWAY_DAY: '100000' },
  });
  admin = await givenAdmin(gateway);
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway, { admin });
});

const withdrawInPanel = (body: Record<string, unknown> = {}, options: CallOptions = {}) =>
  gateway.api(
    'POST',
    '/authed/withdraw',
    {
      amount: 50,
      pixKey: 'maria@example.com',
      pix_key_type: 'email',
      withdrawal_pin: defaultPin,
      ...body,
    },
    { token: merchant.token, ...options },
  );
const withdrawByApi = (body: Record<string, unknown> = {}, options: CallOptions = {}) =>
  gateway.api(
    'POST',
    '/withdraw',
    { amount: 10_000, pixKey: 'maria@example.com', keyType: 'email', ...body },
    { apiKey: merchant.apiKey, ...options },
  );
const getAsMerchant = (path: string) => gateway.api('GET', path, undefined, { token: merchant.token });
const readOwnBalances = () => readBalances(gateway.deps.db, merchant.id);

function codeOf({ body }: { body: unknown }): string {
  return (body as { error?: { code?: string } }).error?.code ?? 'none';
}
function messageOf({ body }: { body: unknown }): string {
  return (body as { message?: string }).message ?? '';
}

/** Changes the merchant's account as an administrator. */
async function changeAccount(account: Record<string, unknown>): Promise<void> {
  const path = `/admin/users/${merchant.id}`;
  const currentAccount = await gateway.api('GET', path, undefined, { token: admin.token });
  const { version } = parseSuccess(adminUpdateUser.response, currentAccount).user;
  const response = await gateway.api('PUT', path, { version, ...account }, { token: admin.token });
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
}

const accountWithTaxes = (pix: Record<string, number>) => ({
  taxes: {
    pix: { in: 0, out: 0, fixIn: 0, fixOut: 1.5, ...pix },
    crypto: 0,
    reserve: { enabled: false, percentage: 0, liberationTime: 0 },
  },
});

describe('a requested withdrawal', () => {
  beforeEach(async () => {
    await givenPin(gateway, merchant);
    await givenBalance(gateway, merchant, 100);
  });

  test('debits its amount, fee included, and states what the payee will receive', async () => {
    const response = await withdrawInPanel({ amount: 80.5, pixKey: ' Maria@Example.com ' });
    expect(response.status).toBe(201);
    const { withdrawal } = parseSuccess(withdraw.response, response);
    expect(withdrawal).toMatchObject({
      status: 'pending',
      amount: 80.5,
      amount_cents: 8050,
      fee_cents: 150,
      net_cents: 7900,
      pix_key: 'maria@example.com',
      pix_key_type: 'email',
      error: null,
      in_doubt: false,
    });
    expect(await readOwnBalances()).toMatchObject({ available: 1950, in_transit: 8050 });
    expect(
      parseSuccess(getWithdrawal.response, await getAsMerchant(`/authed/withdrawals/${withdrawal.id}`)),
    ).toEqual(withdrawal);
  });

  test('is charged by the account’s current terms', async () => {
    await changeAccount(accountWithTaxes({ out: 1.25, fixOut: 0.8 }));
    expect(parseSuccess(outFees.response, await getAsMerchant('/authed/out-fees'))).toMatchObject({
      outFee: 0.8,
      outPercent: 1.25,
      minAmount: 5,
      maxAmount: 900,
      paused: false,
    });
    // 1.25 % of 33.34 is 0.41675, rounded half up to 0.42.
    expect((await givenWithdrawal(gateway, merchant, { amount: 33.34 })).fee_cents).toBe(42 + 80);
  });

  test('is refused while another withdrawal of the merchant is open', async () => {
    const first = await givenWithdrawal(gateway, merchant, { amount: 10 });
    const second = await withdrawInPanel({ amount: 10 });
    expect([second.status, codeOf(second)]).toEqual([409, 'WITHDRAWAL_PENDING']);
    expect(await readOwnBalances()).toMatchObject({ available: 9000, in_transit: 1000 });
    const listed = parseSuccess(listWithdrawals.response, await getAsMerchant('/authed/withdrawals'));
    expect(listed).toMatchObject({ total: 1, page: 1, limit: 10, withdrawals: [{ id: first.id }] });
  });

  test('is made once under one Idempotency-Key, whatever came before under another', async () => {
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const wrongPin = await withdrawInPanel(
      { amount: 10, withdrawal_pin: '0852' },
      { headers: { 'idempotency-key': randomUUID() } },
    );
    expect(codeOf(wrongPin)).toBe('PIN_WRONG');
    const [first, repeated] = [
      await withdrawInPanel({ amount: 10 }, options),
      await withdrawInPanel({ amount: 10 }, options),
    ];
    expect(repeated.body).toEqual(first.body);
    expect(repeated.headers['idempotency-replayed']).toBe('true');
    expect((await readOwnBalances()).in_transit).toBe(1000);
  });

  test('cannot exceed the balance', async () => {
    const response = await withdrawInPanel({ amount: 100.01 });
    expect([response.status, codeOf(response), messageOf(response)]).toEqual([
      400,
      'INSUFFICIENT_BALANCE',
      'Saldo insuficiente.',
    ]);
    expect(await readOwnBalances()).toMatchObject({ available: 10_000, in_transit: 0 });
    await givenWithdrawal(gateway, merchant, { amount: 100 });
    expect(await readOwnBalances()).toMatchObject({ available: 0, in_transit: 10_000 });
  });

  test('appears in the wallet as pending', async () => {
    await givenWithdrawal(gateway, merchant, { amount: 30 });
    expect(parseSuccess(walletStats, await getAsMerchant('/authed/wallet/stats'))).toMatchObject({
      pending_withdrawals: 30,
      pending_withdrawals_count: 1,
      total_withdrawn: 0,
      withdrawals_count: 0,
      total_transactions: 1,
      available_balance: 70,
      data: { stats: { pendingWithdrawals: 30 }, summary: { pendingWithdrawals: 1, withdrawals: 0 } },
    });
  });

  test('is visible only to its owner', async () => {
    const { id } = await givenWithdrawal(gateway, merchant);
    merchant = await givenMerchant(gateway, { admin });
    expect(codeOf(await getAsMerchant(`/authed/withdrawals/${id}`))).toBe('WITHDRAWAL_NOT_FOUND');
    expect(codeOf(await getAsMerchant('/authed/withdrawals/not-an-id'))).toBe('WITHDRAWAL_NOT_FOUND');
    expect(parseSuccess(listWithdrawals.response, await getAsMerchant('/authed/withdrawals')).total).toBe(0);
  });
});

describe('a request is validated before a PIN attempt is used', () => {
  const invalidRequests: [string, string, Record<string, unknown>][] = [
    ['AMOUNT_INVALID', 'Valor de saque inválido.', { amount: 0 }],
    ['AMOUNT_INVALID', 'Valor de saque inválido.', { amount: -10 }],
    ['AMOUNT_INVALID', 'Valor de saque inválido.', { amount: 10.001 }],
    ['INVALID_BODY', 'Valor de saque inválido.', { amount: '10' }],
    ['WITHDRAWAL_MINIMUM', 'O valor mínimo para saque é de R$ 5,00', { amount: 4.99 }],
    ['WITHDRAWAL_TOO_LARGE', 'O valor máximo por saque é R$ 900,00.', { amount: 900.01 }],
    ['INVALID_BODY', 'Por favor, insira a chave PIX.', { pixKey: '  ' }],
    ['PIX_KEY_INVALID', 'A chave PIX não é válida para o tipo escolhido.', { pixKey: 'maria' }],
    [
      'PIX_KEY_INVALID',
      'A chave PIX não é válida para o tipo escolhido.',
      { pix_key_type: 'cpf', pixKey: '12345678900' },
    ],
    ['INVALID_BODY', 'PIN inválido. Deve ter 4 dígitos.', { withdrawal_pin: '123' }],
    ['INVALID_BODY', 'PIN inválido. Deve ter 4 dígitos.', { withdrawal_pin: '12a4' }],
  ];
  test.each(invalidRequests)('%s: %s %j', async (code, message, body) => {
    const response = await withdrawInPanel(body);
    expect([response.status, codeOf(response), messageOf(response).replace(/\s/g, ' ')]).toEqual([
      400,
      code,
      message,
    ]);
  });

  test('an amount that the fee consumes is too small', async () => {
    await changeAccount(accountWithTaxes({ fixOut: 5 }));
    expect(codeOf(await withdrawInPanel({ amount: 5 }))).toBe('WITHDRAWAL_TOO_SMALL');
    expect(codeOf(await withdrawInPanel({ amount: 5.01 }))).toBe('PIN_NOT_SET');
  });

  test('the gateway’s own key is refused in any form', async () => {
    const { pixKey } = gateway.deps.config;
    const response = await withdrawInPanel({ pixKey: pixKey.toUpperCase(), pix_key_type: 'random' });
    expect(codeOf(response)).toBe('PIX_KEY_OF_GATEWAY');
  });

  test('every type of key is accepted in the forms that people type', async () => {
    const cpf = randomCpf();
    for (const [pix_key_type, pixKey] of [
      ['cpf', `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`],
      ['cnpj', '12.ABC.345/01DE-35'],
      ['phone', '(11) 99999-8888'],
      ['random', randomUUID().toUpperCase()],
    ])
      expect(codeOf(await withdrawInPanel({ pix_key_type, pixKey }))).toBe('PIN_NOT_SET');
  });
});

describe('a withdrawal is refused', () => {
  test('for an account that is not approved', async () => {
    await givenPin(gateway, merchant);
    await changeAccount({ approved: false });
    expect([(await withdrawInPanel()).status, codeOf(await withdrawInPanel())]).toEqual([
      403,
      'ACCOUNT_NOT_APPROVED',
    ]);
    expect(codeOf(await withdrawByApi())).toBe('ACCOUNT_NOT_APPROVED');
  });

  test('with a wrong PIN, before the balance is checked', async () => {
    await givenPin(gateway, merchant);
    const wrongPin = await withdrawInPanel({ amount: 500, withdrawal_pin: '0852' });
    expect([wrongPin.status, codeOf(wrongPin)]).toEqual([403, 'PIN_WRONG']);
    expect(codeOf(await withdrawInPanel({ amount: 500 }))).toBe('INSUFFICIENT_BALANCE');
  });

  test('while the operator has stopped payouts', async () => {
    await givenPin(gateway, merchant);
    await givenBalance(gateway, merchant, 60);
    await inTransaction(gateway.deps, (tx) => writePayoutsStop(tx, 'the bank is being moved'));
    const refused = await withdrawInPanel();
    await inTransaction(gateway.deps, (tx) => writePayoutsStop(tx, null));
    expect([refused.status, codeOf(refused)]).toEqual([503, 'WITHDRAWALS_PAUSED']);
    expect((await withdrawInPanel()).status).toBe(201);
  });

  test('for a day after a change of the PIN or of the account’s e-mail', async () => {
    await givenPin(gateway, merchant);
    await givenBalance(gateway, merchant, 60);
    await inTransaction(gateway.deps, (tx) => holdWithdrawals(tx, merchant.id, 'email-changed'));
    const held = await withdrawInPanel();
    expect([held.status, codeOf(held)]).toEqual([403, 'WITHDRAWALS_HELD']);
    expect(messageOf(held)).toMatch(
      /^Por segurança, os saques estão suspensos até \d\d\/\d\d\/\d{4} às \d\d:\d\d: o e-mail da conta foi alterado\.$/,
    );
    await gateway.advance(24 * 3600 + 1);
    const { token } = (
      await gateway.api('POST', '/login', {
        username: merchant.username,
        password: merchant.password,
      })
    ).body as { token: string };
    expect((await withdrawInPanel({}, { token })).status).toBe(201);
    admin = await givenAdmin(gateway);
  });

  test('for a day after an administrator changed the account’s e-mail', async () => {
    await givenPin(gateway, merchant);
    await changeAccount({ email: `novo-${merchant.username}@example.com` });
    expect(codeOf(await withdrawInPanel())).toBe('WITHDRAWALS_HELD');
  });
});

describe('a withdrawal by API key', () => {
  const proof = () => ({ password: merchant.password, withdrawal_pin: defaultPin });
  const setApiWithdrawals = (body: Record<string, unknown>) =>
    gateway.api('PUT', '/authed/api-withdrawals', body, { token: merchant.token });
  const saveDestination = (body: Record<string, unknown> = {}) =>
    gateway.api(
      'POST',
      '/authed/api-withdrawals/destinations',
      { pixKey: 'maria@example.com', pix_key_type: 'email', label: 'Maria', ...proof(), ...body },
      { token: merchant.token },
    );
  const removeDestination = (pixKey: string) =>
    gateway.api('POST', '/authed/api-withdrawals/destinations/remove', { pixKey }, { token: merchant.token });

  beforeEach(async () => {
    await givenPin(gateway, merchant);
    await givenBalance(gateway, merchant, 200);
  });

  test('is disabled until enabled with password and PIN', async () => {
    expect([(await withdrawByApi()).status, codeOf(await withdrawByApi())]).toEqual([
      403,
      'API_WITHDRAWALS_OFF',
    ]);
    expect(codeOf(await setApiWithdrawals({ enabled: true }))).toBe('PASSWORD_REQUIRED');
    expect(codeOf(await setApiWithdrawals({ enabled: true, ...proof(), password: 'outra' }))).toBe(
      'PASSWORD_WRONG',
    );
    expect(codeOf(await setApiWithdrawals({ enabled: true, ...proof(), withdrawal_pin: '0852' }))).toBe(
      'PIN_WRONG',
    );
    expect(parseSuccess(apiWithdrawalSettings, await getAsMerchant('/authed/api-withdrawals'))).toEqual({
      enabled: false,
      destinations: [],
    });
    expect(
      parseSuccess(apiWithdrawalSettings, await setApiWithdrawals({ enabled: true, ...proof() })).enabled,
    ).toBe(true);
    expect(codeOf(await withdrawByApi())).toBe('DESTINATION_NOT_SAVED');
    expect(parseSuccess(apiWithdrawalSettings, await setApiWithdrawals({ enabled: false })).enabled).toBe(
      false,
    );
    expect(codeOf(await withdrawByApi())).toBe('API_WITHDRAWALS_OFF');
  });

  test('is mailed to the owner when enabled, disabled or given a destination, whose key is masked', async () => {
    await setApiWithdrawals({ enabled: true, ...proof() });
    await saveDestination();
    await saveDestination({ label: 'Maria da Silva' });
    await setApiWithdrawals({ enabled: false });
    const mails = await gateway.deps.db
      .selectFrom('mails')
      .select(['subject', 'body'])
      .where('user_id', '=', merchant.id)
      .where('kind', '=', 'api-withdrawals')
      .orderBy('subject')
      .execute();
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Novo destino de saque',
      'Saque por API',
      'Saque por API',
    ]);
    expect(mails[0]?.body).toContain('m•••@example.com');
    expect(JSON.stringify(mails)).not.toContain('maria@example.com');
  });

  test('goes only to saved destinations, in integer cents', async () => {
    await setApiWithdrawals({ enabled: true, ...proof() });
    expect(codeOf(await saveDestination({ withdrawal_pin: '0852' }))).toBe('PIN_WRONG');
    expect(codeOf(await saveDestination({ pixKey: 'maria' }))).toBe('PIX_KEY_INVALID');
    const saved = parseSuccess(apiWithdrawalSettings, await saveDestination());
    expect(saved.destinations).toMatchObject([
      { pix_key: 'maria@example.com', pix_key_type: 'email', label: 'Maria' },
    ]);
    expect(codeOf(await withdrawByApi({ pixKey: 'joao@example.com' }))).toBe('DESTINATION_NOT_SAVED');
    const response = await withdrawByApi({ pixKey: 'MARIA@example.com' });
    expect(response.status).toBe(200);
    const withdrawal = parseSuccess(apiWithdraw.response, response);
    expect(withdrawal).toMatchObject({ amount: 10_000, fee: 150, status: 'PENDING' });
    expect(
      parseSuccess(
        getWithdrawal.response,
        await getAsMerchant(`/authed/withdrawals/${withdrawal.withdrawal_id}`),
      ).amount_cents,
    ).toBe(10_000);
  });

  test('accepts the field names of the specification', async () => {
    await setApiWithdrawals({ enabled: true, ...proof() });
    await saveDestination();
    const body = {
      amount: 600,
      pix_key: 'maria@example.com',
      pix_key_type: 'email',
      callback_url: `${receiver.url}/a`,
    };
    const response = await gateway.api('POST', '/withdraw', body, { apiKey: merchant.apiKey });
    expect(parseSuccess(apiWithdraw.response, response).status).toBe('PENDING');
  });

  test('is refused with the documented codes', async () => {
    await setApiWithdrawals({ enabled: true, ...proof() });
    await saveDestination();
    const responses = [
      await withdrawByApi({ amount: 'x' }),
      await withdrawByApi({ amount: 100.5 }),
      await withdrawByApi({ callbackUrl: 'http://10.0.0.1/x' }),
      await withdrawByApi({ amount: 499 }),
      await withdrawByApi({ amount: 20_001 }),
    ];
    expect(responses.map((response) => [response.status, codeOf(response)])).toEqual([
      [400, 'INVALID_BODY'],
      [400, 'INVALID_BODY'],
      [400, 'INVALID_CALLBACK_URL'],
      [400, 'WITHDRAWAL_MINIMUM'],
      [400, 'INSUFFICIENT_BALANCE'],
    ]);
    await withdrawByApi();
    expect([(await withdrawByApi()).status, codeOf(await withdrawByApi())]).toEqual([
      409,
      'WITHDRAWAL_PENDING',
    ]);
  });

  test('is also refused while wrong PINs lock withdrawals', async () => {
    await setApiWithdrawals({ enabled: true, ...proof() });
    await saveDestination();
    for (let guess = 0; guess < 5; guess += 1) await withdrawInPanel({ withdrawal_pin: '0852' });
    expect([(await withdrawByApi()).status, codeOf(await withdrawByApi())]).toEqual([403, 'PIN_LOCKED']);
  });

  test('is refused to a removed destination; to remove it again is no error', async () => {
    await setApiWithdrawals({ enabled: true, ...proof() });
    await saveDestination();
    expect(
      parseSuccess(apiWithdrawalSettings, await removeDestination('maria@example.com')).destinations,
    ).toEqual([]);
    expect((await removeDestination('maria@example.com')).status).toBe(200);
    expect(codeOf(await withdrawByApi())).toBe('DESTINATION_NOT_SAVED');
  });

  test('has at most twenty destinations, each with one label', async () => {
    await setApiWithdrawals({ enabled: true, ...proof() });
    for (let index = 0; index < 20; index += 1)
      await saveDestination({ pixKey: `maria${index}@example.com` });
    expect(codeOf(await saveDestination())).toBe('DESTINATION_LIMIT');
    const repeated = parseSuccess(
      apiWithdrawalSettings,
      await saveDestination({ pixKey: 'maria3@example.com', label: 'Outra' }),
    );
    expect(repeated.destinations).toHaveLength(20);
    expect(repeated.destinations.find(({ pix_key }) => pix_key === 'maria3@example.com')?.label).toBe(
      'Outra',
    );
  });

  test('is made once under one Idempotency-Key', async () => {
    await setApiWithdrawals({ enabled: true, ...proof() });
    await saveDestination();
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const [first, repeated] = [await withdrawByApi({}, options), await withdrawByApi({}, options)];
    expect(repeated.body).toEqual(first.body);
    expect((await readOwnBalances()).in_transit).toBe(10_000);
  });
});

describe('limits', () => {
  test('a setting restricts withdrawals to the account’s own document', async () => {
    const ownKeysGateway = await startTestGateway({
      startsWork: false,
      sharedGateway: gateway,
      env: { WITHDRAWAL_OWN_KEYS_ONLY: '1' },
    });
    const { document } = await gateway.deps.db
      .selectFrom('users')
      .select('document')
      .where('id', '=', merchant.id)
      .executeTakeFirstOrThrow();
    const requestTo = async (pix_key_type: string, pixKey: string) =>
      codeOf(
        await ownKeysGateway.api(
          'POST',
          '/authed/withdraw',
          { amount: 50, pixKey, pix_key_type, withdrawal_pin: defaultPin },
          { token: merchant.token },
        ),
      );
    const codes = [
      await requestTo('email', 'maria@example.com'),
      await requestTo('cpf', randomCpf()),
      await requestTo('cpf', document),
    ];
    await ownKeysGateway.stop();
    expect(codes).toEqual(['PIX_KEY_NOT_OWN', 'PIX_KEY_NOT_OWN', 'PIN_NOT_SET']);
  });
});
