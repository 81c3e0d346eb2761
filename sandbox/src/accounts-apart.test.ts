import { expect, test } from 'vitest';
import {
  type AccountClient,
  type Client,
  cobBody,
  givenBank,
  givenCharge,
  givenReceiver,
  openAccount,
  payNew,
  setBehaviour,
  WINDOW,
} from '../test/bank.ts';

const TXID = '7f3a9c2e51d84b0aa6e27f3a9c2e51d8';

/** The records of one account, each with the id by which the API finds it. */
async function fill(bank: Client, account: Client) {
  const { key } = account.sandbox.account;
  const hook = await givenReceiver();
  await account.api('PUT', `/v2/webhook/${key}`, { webhookUrl: hook.url });
  const { txid } = await givenCharge(account);
  const endToEndId = await payNew(account, '100.00');
  const refund = `/v2/pix/${endToEndId}/devolucao/d1`;
  expect((await account.api('PUT', refund, { valor: '1.00' })).status).toBe(201);
  const order = { valor: '2.00', pagador: { chave: key }, favorecido: { chave: 'maria@example.com' } };
  const { e2eId } = (await account.api('PUT', '/v3/gn/pix/envio1', order)).body;
  const contested = await payNew(account, '50.00');
  const { id } = (await bank.call('POST', '/sandbox/disputes', { endToEndId: contested, reason: 'golpe' }))
    .body;
  const { id: location } = (await account.api('POST', '/v2/loc', { tipoCob: 'cob' })).body;
  return { key, txid, endToEndId, refund, e2eId, disputeId: id, location };
}

/** A bank with two accounts, of which only the returned one has a history. */
async function givenTwo(filled: 'first' | 'other') {
  const bank = await givenBank();
  const other = await openAccount(bank);
  const [owner, stranger]: [Client, Client] = filled === 'first' ? [bank, other] : [other, bank];
  return { owner, stranger, has: await fill(bank, owner) };
}

test.each(['first', 'other'] as const)(
  'what the %s account has does not exist for a token of another account',
  async (filled) => {
    const { owner, stranger, has } = await givenTwo(filled);
    const { key, txid, endToEndId, refund, e2eId, disputeId, location } = has;
    for (const path of [
      `/v2/cob/${txid}`,
      `/v2/pix/${endToEndId}`,
      refund,
      `/v2/gn/pix/enviados/${e2eId}`,
      '/v2/gn/pix/enviados/id-envio/envio1',
      `/v2/gn/infracoes/${disputeId}`,
      `/v2/webhook/${key}`,
      `/v2/loc/${location}`,
    ]) {
      expect([path, (await owner.api('GET', path)).status]).toEqual([path, 200]);
      const unknown = await stranger.api('GET', path.replace(/[^/]+$/, '9999999'));
      const { status, body } = await stranger.api('GET', path);
      expect({ path, status, type: body.type }).toEqual({ path, status: 404, type: unknown.body.type });
    }
    for (const [path, list] of [
      [`/v2/cob?${WINDOW}`, 'cobs'],
      [`/v2/pix?${WINDOW}`, 'pix'],
      [`/v2/gn/pix/enviados?${WINDOW}`, 'pix'],
      [`/v2/gn/infracoes?${WINDOW}`, 'infracoes'],
      [`/v2/webhook?${WINDOW}`, 'webhooks'],
      [`/v2/loc?${WINDOW}`, 'loc'],
    ] as const) {
      expect([path, (await owner.api('GET', path)).body[list]]).not.toEqual([path, []]);
      expect([path, (await stranger.api('GET', path)).body[list]]).toEqual([path, []]);
    }
    expect((await owner.api('GET', '/v2/gn/saldo')).body.saldo).toBe('97.00');
    expect((await stranger.api('GET', '/v2/gn/saldo')).body.saldo).toBe('0.00');
  },
);

test.each(['first', 'other'] as const)(
  'a token of another account changes nothing of the %s account',
  async (filled) => {
    const { owner, stranger, has } = await givenTwo(filled);
    const { key, txid, endToEndId, disputeId, location } = has;
    const hook = { webhookUrl: 'http://127.0.0.1:9/hook' };
    const order = { valor: '1.00', pagador: { chave: key }, favorecido: { chave: 'maria@example.com' } };
    for (const [method, path, body, status] of [
      ['PATCH', `/v2/cob/${txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }, 404],
      ['PUT', `/v2/cob/${'b'.repeat(30)}`, cobBody('1.00', { chave: key }), 400],
      ['PUT', `/v2/pix/${endToEndId}/devolucao/d2`, { valor: '1.00' }, 404],
      ['PUT', '/v3/gn/pix/envio2', order, 400],
      ['POST', `/v2/gn/infracoes/${disputeId}/defesa`, { analise: 'aceito', justificativa: 'x' }, 404],
      ['PUT', `/v2/webhook/${key}`, hook, 400],
      ['DELETE', `/v2/webhook/${key}`, undefined, 404],
      ['DELETE', `/v2/loc/${location}/txid`, undefined, 404],
    ] as const) {
      expect([path, (await stranger.api(method, path, body)).status]).toEqual([path, status]);
    }
    expect((await owner.api('GET', `/v2/cob/${txid}`)).body.status).toBe('ATIVA');
    expect((await owner.api('GET', `/v2/webhook/${key}`)).body.webhookUrl).not.toBe(hook.webhookUrl);
    expect((await owner.api('GET', `/v2/gn/infracoes/${disputeId}`)).body.status).toBe('ABERTA');
    expect((await owner.api('GET', '/v2/gn/saldo')).body.saldo).toBe('97.00');
  },
);

test('the same txid, idEnvio and ids of refunds and locations may exist at two accounts', async () => {
  const bank = await givenBank();
  const other = await openAccount(bank);
  const use = async (account: Client, amount: string) => {
    const { key: chave } = account.sandbox.account;
    const charge = await account.api('PUT', `/v2/cob/${TXID}`, cobBody(amount, { chave }));
    const { endToEndId } = (
      await bank.call('POST', '/sandbox/payments', { brCode: charge.body.pixCopiaECola })
    ).body;
    const refund = await account.api('PUT', `/v2/pix/${endToEndId}/devolucao/d1`, { valor: '1.00' });
    const order = { valor: '2.00', pagador: { chave }, favorecido: { chave: 'maria@example.com' } };
    const payout = await account.api('PUT', '/v3/gn/pix/envio1', order);
    return { statuses: [charge.status, refund.status, payout.status], location: charge.body.loc.id };
  };
  const [atFirst, atOther] = [await use(bank, '10.00'), await use(other, '20.00')];
  expect(atFirst.statuses).toEqual([201, 201, 201]);
  expect(atOther).toEqual(atFirst);
  const valueAt = async (account: Client) =>
    (await account.api('GET', `/v2/cob/${TXID}`)).body.valor.original;
  expect([await valueAt(bank), await valueAt(other)]).toEqual(['10.00', '20.00']);
  const accounts = (await bank.call('GET', '/sandbox/accounts')).body;
  expect(accounts).toMatchObject([{ balance: 7 }, { balance: 17 }]);
});

test('a first look-up or attempt is counted for each account', async () => {
  const bank = await givenBank();
  const other = await openAccount(bank);
  for (const account of [bank, other]) await payNew(account, '100.00');
  const send = async (account: Client | AccountClient) => {
    const { key: chave } = account.sandbox.account;
    const order = { valor: '14.07', pagador: { chave }, favorecido: { chave: 'maria@example.com' } };
    return (await account.api('PUT', '/v3/gn/pix/envio1', order)).status;
  };
  for (const account of [bank, other]) expect([await send(account), await send(account)]).toEqual([503, 201]);
  await setBehaviour(bank, { confirmations: 'not-found-first' });
  await bank.call('PUT', `/sandbox/behaviour?account=${other.id}`, { confirmations: 'not-found-first' });
  const find = async (account: Client) =>
    (await account.api('GET', '/v2/gn/pix/enviados/id-envio/envio1')).status;
  for (const account of [bank, other]) expect([await find(account), await find(account)]).toEqual([404, 200]);
});
