import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Client, givenBank, givenDirectory, givenReceiver, openAccount, WINDOW } from '../test/bank.ts';
import { Books } from './books.ts';

/** Puts money into the first account, and sends 25.00 of it to the key of the other one. */
async function send(bank: Client, other: Client, more: object = {}) {
  await bank.call('POST', '/sandbox/account/movements', { kind: 'deposit', amount: 100 });
  return bank.api('PUT', '/v3/gn/pix/envio1', {
    valor: '25.00',
    pagador: { chave: bank.sandbox.account.key, infoPagador: 'aluguel' },
    favorecido: { chave: other.sandbox.account.key, ...more },
  });
}

const balances = async (bank: Client) =>
  (await bank.call('GET', '/sandbox/accounts')).body.map(({ balance }: { balance: number }) => balance);

test('a payout to another account of the bank arrives there as a Pix without a txid', async () => {
  const bank = await givenBank({ durable: true });
  const other = await openAccount(bank);
  const hook = await givenReceiver();
  await bank.api('PUT', `/v2/webhook/${bank.sandbox.account.key}`, { webhookUrl: hook.url });
  await other.api('PUT', `/v2/webhook/${other.sandbox.account.key}`, { webhookUrl: hook.url });
  const { e2eId } = (await send(bank, other)).body;
  const find = () => bank.api('GET', '/v2/gn/pix/enviados/id-envio/envio1');
  await expect.poll(async () => (await find()).body.status).toBe('REALIZADO');
  expect((await find()).body.favorecido).toEqual({
    chave: other.sandbox.account.key,
    identificacao: { nome: 'Loja da Ana', cnpj: '11222333000181' },
  });
  expect(await balances(bank)).toEqual([75, 25]);
  const { pix } = (await other.api('GET', `/v2/pix?${WINDOW}`)).body;
  expect(pix).toMatchObject([
    {
      endToEndId: e2eId,
      valor: '25.00',
      chave: other.sandbox.account.key,
      infoPagador: 'aluguel',
      gnExtras: { pagador: { nome: 'Jangada Sandbox', cnpj: '12345678000195' } },
    },
  ]);
  expect(pix[0]).not.toHaveProperty('txid');
  expect((await bank.api('GET', `/v2/pix/${e2eId}`)).status).toBe(404);
  expect((await other.api('GET', `/v2/gn/pix/enviados/${e2eId}`)).status).toBe(404);

  // Notifications are sent in the order of their causes, so nothing else is still to come.
  const { key } = other.sandbox.account;
  await bank.call('POST', '/sandbox/payments', { key, amount: 1, txid: 'depois' });
  await hook.waitForCalls(2);
  const items = hook.calls.flatMap((call) => call.pix);
  expect(items).toMatchObject([{ endToEndId: e2eId, status: 'REALIZADO' }, { txid: 'depois' }]);
});

test('a payout to another account names that account’s holder, and is refused for another document', async () => {
  const bank = await givenBank();
  const other = await openAccount(bank);
  expect((await send(bank, other, { cnpj: '12345678000195' })).body.nome).toBe(
    'chave_nao_pertence_ao_documento',
  );
  expect((await send(bank, other, { cnpj: other.sandbox.account.document })).status).toBe(201);
});

test.each(['refused', 'wrong-notification', 'returned'])(
  'a payout that does not stay with the other account is not received there: %s',
  async (payouts) => {
    const bank = await givenBank();
    const other = await openAccount(bank);
    await bank.call('PUT', '/sandbox/behaviour', { payouts, payoutReturnSeconds: 0 });
    await send(bank, other);
    const settling = async () => (await bank.call('GET', '/sandbox/notifications')).body.settling;
    await expect.poll(settling).toBe(0);
    expect(await balances(bank)).toEqual([100, 0]);
    expect((await other.api('GET', `/v2/pix?${WINDOW}`)).body.pix).toEqual([]);
  },
);

test('a payout is received once by another account, also if the bank ends between the two journals', async () => {
  const dataDir = await givenDirectory();
  const before = await givenBank({ dataDir });
  const other = await openAccount(before);
  await before.call('PUT', '/sandbox/behaviour', { payouts: 'slow', slowSeconds: 3600 });
  const { e2eId: endToEndId } = (await send(before, other)).body;
  await before.sandbox.stop();
  const books = await Books.open(join(dataDir, 'accounts', '2'));
  const payer = { name: 'Jangada Sandbox', document: '12345678000195' };
  const { key } = other.sandbox.account;
  await books.record({ t: 'pix', pix: { endToEndId, amountCents: 2500, key, at: books.clock.now(), payer } });
  await books.close();

  const after = await givenBank({ dataDir });
  expect(await balances(after)).toEqual([75, 25]);
  await after.call('POST', '/sandbox/clock', { advanceSeconds: 3600 });
  const find = () => after.api('GET', '/v2/gn/pix/enviados/id-envio/envio1');
  await expect.poll(async () => (await find()).body.status).toBe('REALIZADO');
  expect(await balances(after)).toEqual([75, 25]);
});
