import { encodeStaticBrCode } from '@jangada/pix';
import { expect, test } from 'vitest';
import {
  cobBody,
  connect,
  givenBank,
  givenCharge,
  givenDirectory,
  givenReceiver,
  openAccount,
  payNew,
} from '../test/bank.ts';
import { startSandbox } from './index.ts';

const HOLDER = { name: 'Loja da Ana', document: '11222333000181', city: 'OLINDA' };
const TXID = '7f3a9c2e51d84b0aa6e27f3a9c2e51d8';

test('an opened account has a key and credentials of its own, and is listed without them', async () => {
  const bank = await givenBank();
  const { status, body } = await bank.call('POST', '/sandbox/accounts', HOLDER);
  expect(status).toBe(201);
  expect(body).toEqual({
    ...HOLDER,
    id: '2',
    key: expect.stringMatching(/^[\da-f-]{36}$/),
    ispb: '99999999',
    balance: 0,
    clientId: expect.any(String),
    clientSecret: expect.stringMatching(/^.{32}$/),
    baseUrl: `${bank.sandbox.publicUrl}/v2`,
    tokenUrl: `${bank.sandbox.publicUrl}/oauth/token`,
  });
  const { clientId, clientSecret, baseUrl, tokenUrl, ...listed } = body;
  const list = (await bank.call('GET', '/sandbox/accounts')).body;
  expect(list).toEqual([{ ...bank.sandbox.account, id: '1', balance: 0 }, listed]);

  const access = { clientId, clientSecret, baseUrl, tokenUrl };
  expect((await bank.call('GET', '/sandbox/accounts/2/credentials')).body).toEqual(access);
  expect((await bank.call('GET', `/sandbox/accounts/${body.key}/credentials`)).body).toEqual(access);
  for (const id of ['1', '3']) {
    expect((await bank.call('GET', `/sandbox/accounts/${id}/credentials`)).status).toBe(404);
  }
});

test('an account may bring its key, and no two accounts have the same', async () => {
  const bank = await givenBank();
  const key = 'ana@example.com';
  const open = async (more: object) => {
    const { status, body } = await bank.call('POST', '/sandbox/accounts', { ...HOLDER, ...more });
    return status === 201 ? body.key : body.error.code;
  };
  expect((await Promise.all([open({ key }), open({ key })])).sort()).toEqual(['KEY_TAKEN', key]);
  expect(await open({ key: bank.sandbox.account.key })).toBe('KEY_TAKEN');
  for (const wrong of [
    { key: 'ana' },
    { document: '11222333000180' },
    { name: ' ' },
    { city: '–' },
    { a: 1 },
  ])
    expect(await open(wrong)).toBe('INVALID_REQUEST');
  expect((await bank.call('GET', '/sandbox/accounts')).body).toHaveLength(2);
});

test('a code or key pays the account that has it, and only that account’s webhook is notified', async () => {
  const bank = await givenBank();
  const other = await openAccount(bank);
  const { key } = other.sandbox.account;
  const [hook, otherHook] = [await givenReceiver(), await givenReceiver()];
  await bank.api('PUT', `/v2/webhook/${bank.sandbox.account.key}`, { webhookUrl: hook.url });
  await other.api('PUT', `/v2/webhook/${key}`, { webhookUrl: otherHook.url });

  const { brCode, txid } = await givenCharge(other, '10.00');
  const merchant = { merchantName: 'Ana', merchantCity: 'OLINDA' };
  const staticCode = encodeStaticBrCode({ key, txid: 'balcao1', amountCents: 2000, ...merchant });
  for (const payment of [{ brCode }, { brCode: staticCode }, { key, amount: 30, txid: 'chave1' }])
    expect((await bank.call('POST', '/sandbox/payments', payment)).status).toBe(201);
  await payNew(bank, '1.00');
  await otherHook.waitForCalls(3);
  await hook.waitForCalls(1);

  const notified = otherHook.calls.flatMap(({ pix }) => pix.map((item) => item.txid));
  expect(notified.sort()).toEqual([txid, 'balcao1', 'chave1'].sort());
  expect(hook.calls.flatMap(({ pix }) => pix.map(({ valor }) => valor))).toEqual(['1.00']);
  const balances = (await bank.call('GET', '/sandbox/accounts')).body;
  expect(balances).toMatchObject([{ balance: 1 }, { balance: 60 }]);
  expect((await other.api('GET', `/v2/cob/${txid}`)).body.status).toBe('CONCLUIDA');
});

test('the payload and the page of a code are those of the account that made it', async () => {
  const bank = await givenBank();
  const other = await openAccount(bank);
  const { txid, brCode } = await givenCharge(other);
  const { location } = (await other.api('GET', `/v2/cob/${txid}`)).body;
  expect((await bank.call('GET', location.slice(location.indexOf('/')))).status).toBe(200);
  const page = (await bank.call('GET', `/?codigo=${encodeURIComponent(brCode)}`)).body;
  expect(page).toContain('Loja da Ana');
  expect(page).toContain('11.222.333/0001-81');
});

test('each account misbehaves by its own settings, and a call without an account means the first', async () => {
  const bank = await givenBank();
  const other = await openAccount(bank);
  const { key } = other.sandbox.account;
  const put = async (query: string, behaviour: object) =>
    (await bank.call('PUT', `/sandbox/behaviour${query}`, behaviour)).status;
  const create = (client: typeof bank) =>
    client.api('PUT', `/v2/cob/${TXID}`, cobBody('1.00', { chave: client.sandbox.account.key }));
  expect(await put(`?account=${key}`, { charges: 'down' })).toBe(200);
  expect([(await create(bank)).status, (await create(other)).status]).toEqual([201, 503]);
  expect(await put('', { charges: 'down' })).toBe(200);
  expect(await put(`?account=${other.id}`, { charges: 'normal' })).toBe(200);
  expect([(await create(bank)).status, (await create(other)).status]).toEqual([503, 201]);
  expect(await put('?account=3', { charges: 'down' })).toBe(404);
  expect(await put('?account=1&account=2', { charges: 'down' })).toBe(400);
});

test('calls of the sandbox show and move the account that they name', async () => {
  const bank = await givenBank();
  const other = await openAccount(bank);
  const query = `?account=${other.id}`;
  const deposit = { kind: 'deposit', amount: 50 };
  expect((await bank.call('POST', `/sandbox/account/movements${query}`, deposit)).status).toBe(201);
  const pagador = { chave: other.sandbox.account.key };
  const payout = { valor: '5.00', pagador, favorecido: { chave: 'maria@example.com' } };
  expect((await other.api('PUT', '/v3/gn/pix/envio1', payout)).status).toBe(201);
  const endToEndId = await payNew(other, '7.00');
  const dispute = await bank.call('POST', '/sandbox/disputes', { endToEndId, reason: 'golpe' });
  expect(dispute.status).toBe(201);

  const count = async (path: string) => (await bank.call('GET', path)).body.length;
  for (const path of ['/sandbox/payouts', '/sandbox/disputes'])
    expect([await count(path), await count(path + query)]).toEqual([0, 1]);
  expect((await bank.call('GET', '/sandbox/account')).body).toMatchObject({ balance: 0, blocked: 0 });
  expect((await bank.call('GET', `/sandbox/account${query}`)).body).toMatchObject({
    name: 'Loja da Ana',
    balance: 52,
    blocked: 7,
  });
  await bank.call('POST', `/sandbox/disputes/${dispute.body.id}/resolution`, { accepted: true });
  const settling = async () => (await bank.call('GET', `/sandbox/notifications${query}`)).body.settling;
  await expect.poll(settling).toBe(0);
  expect((await bank.call('GET', `/sandbox/account${query}`)).body).toMatchObject({
    balance: 45,
    blocked: 0,
  });
});

test('accounts keep their books, credentials and orders over a restart', async () => {
  const dataDir = await givenDirectory();
  const before = await givenBank({ dataDir });
  const other = await openAccount(before);
  const { key } = other.sandbox.account;
  await payNew(before, '1.00');
  await payNew(other, '40.00');
  await before.call('PUT', `/sandbox/behaviour?account=${key}`, { payouts: 'slow', slowSeconds: 2 });
  await before.call('POST', '/sandbox/clock', { advanceSeconds: 1800 });
  const payout = { valor: '5.00', pagador: { chave: key }, favorecido: { chave: 'maria@example.com' } };
  await other.api('PUT', '/v3/gn/pix/envio1', payout);
  await before.sandbox.stop();

  const sandbox = await startSandbox({ dataDir, durable: false });
  try {
    const after = await connect(sandbox);
    const { account, clientId, clientSecret } = other.sandbox;
    const otherAfter = await connect({ ...sandbox, account, clientId, clientSecret });
    expect((await after.call('GET', '/sandbox/accounts')).body).toMatchObject([
      { id: '1', balance: 1 },
      { id: '2', key, name: 'Loja da Ana', balance: 35 },
    ]);
    expect((await after.call('GET', '/sandbox/behaviour')).body.payouts).toBe('normal');
    expect((await after.call('GET', `/sandbox/behaviour?account=${key}`)).body.payouts).toBe('slow');
    const statusOf = async () =>
      (await otherAfter.api('GET', '/v2/gn/pix/enviados/id-envio/envio1')).body.status;
    await expect.poll(statusOf, { timeout: 10_000 }).toBe('REALIZADO');
    const { txid } = await givenCharge(otherAfter);
    const createdAt = Date.parse((await otherAfter.api('GET', `/v2/cob/${txid}`)).body.calendario.criacao);
    expect(createdAt).toBeGreaterThan(Date.now() + 1_700_000);
    expect((await openAccount(after)).id).toBe('3');
    expect((await after.call('POST', '/sandbox/accounts', { ...HOLDER, key })).status).toBe(409);
  } finally {
    await sandbox.stop();
  }
});

test('the bank has one clock, and starts in the past only while no account has a history', async () => {
  const bank = await givenBank();
  const other = await openAccount(bank);
  expect((await bank.call('POST', '/sandbox/clock', { beginSecondsAgo: 86_400 })).status).toBe(200);
  const { txid } = await givenCharge(other);
  const createdAt = Date.parse((await other.api('GET', `/v2/cob/${txid}`)).body.calendario.criacao);
  expect(createdAt).toBeLessThan(Date.now() - 80_000_000);
  expect((await bank.call('POST', '/sandbox/clock', { beginSecondsAgo: 86_400 })).status).toBe(400);
});

test('the app’s customer pays all accounts from one balance, and finds every payment', async () => {
  const bank = await givenBank();
  const other = await openAccount(bank);
  await payNew(bank, '100.00');
  const endToEndId = await payNew(other, '200.00');
  const page = async (path: string) => (await bank.call('GET', path)).body.replaceAll('\u00a0', ' ');
  const history = await page('/pagamentos');
  for (const text of ['R$ 9.700,00', 'Jangada Sandbox', 'Loja da Ana']) expect(history).toContain(text);
  expect(history.indexOf('Loja da Ana')).toBeLessThan(history.indexOf('Jangada Sandbox'));
  for (const path of [`/comprovante/${endToEndId}`, `/contestar/${endToEndId}`])
    expect(await page(path)).toContain('Loja da Ana');
});
