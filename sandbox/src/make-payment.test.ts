import { encodeStaticBrCode } from '@jangada/pix';
import { expect, test } from 'vitest';
import { type Client, givenBank, givenCharge } from '../test/bank.ts';

const pay = (bank: Client, body: unknown) => bank.call('POST', '/sandbox/payments', body);

test('a payment returns its id and adds its amount to the balance', async () => {
  const bank = await givenBank();
  const { txid, brCode } = await givenCharge(bank, '12.34');
  const { status, body } = await pay(bank, { brCode });
  expect(status).toBe(201);
  expect(body).toEqual({
    endToEndId: expect.stringMatching(/^E99999999\d{12}\w{11}$/),
    txid,
    amount: 12.34,
    status: 'completed',
  });
  expect((await bank.call('GET', '/sandbox/account')).body).toMatchObject({ balance: 12.34, payments: 1 });
});

test.each([
  ['INVALID_CODE', 400, 'x'],
  ['INVALID_CODE', 400, ''],
])('a text that is not a code is refused as %s', async (code, status, brCode) => {
  const bank = await givenBank();
  expect(await pay(bank, { brCode })).toMatchObject({ status, body: { success: false, error: { code } } });
});

test('a code with one character changed is refused', async () => {
  const bank = await givenBank();
  const { brCode } = await givenCharge(bank, '12.34');
  const refused = await pay(bank, { brCode: brCode.replace('12.34', '92.34') });
  expect(refused.body.error.code).toBe('INVALID_CODE');
});

test('paid, expired and removed charges each refuse a payment with their own code', async () => {
  const bank = await givenBank();
  const [paid, removed, expired] = [
    await givenCharge(bank),
    await givenCharge(bank),
    await givenCharge(bank),
  ];
  await pay(bank, { brCode: paid.brCode });
  await bank.api('PATCH', `/v2/cob/${removed.txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 3600 });
  for (const [charge, code] of [
    [paid, 'CHARGE_PAID'],
    [removed, 'CHARGE_REMOVED'],
    [expired, 'CHARGE_EXPIRED'],
  ] as const) {
    expect(await pay(bank, { brCode: charge.brCode })).toMatchObject({
      status: 409,
      body: { error: { code } },
    });
  }
  expect((await bank.api('GET', `/v2/cob/${expired.txid}`)).body.status).toBe('ATIVA');
});

test('force pays a charge twice, after its expiry, after its removal and with another amount', async () => {
  const bank = await givenBank();
  const { txid, brCode } = await givenCharge(bank, '10.00');
  expect((await pay(bank, { brCode, amount: 9 })).body.error.code).toBe('AMOUNT_MISMATCH');
  expect((await pay(bank, { brCode, amount: 9, force: true })).status).toBe(201);
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 100_000 });
  expect((await pay(bank, { brCode, force: true })).status).toBe(201);
  const { body } = await bank.api('GET', `/v2/cob/${txid}`);
  expect(body.pix.map((pix: { valor: string }) => pix.valor)).toEqual(['9.00', '10.00']);
  const removed = await givenCharge(bank);
  await bank.api('PATCH', `/v2/cob/${removed.txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  expect((await pay(bank, { brCode: removed.brCode, force: true })).status).toBe(201);
  expect((await bank.api('GET', `/v2/cob/${removed.txid}`)).body.status).toBe(
    'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  );
});

test('a static code is paid with the amount the payer enters, and keeps its txid', async () => {
  const bank = await givenBank();
  const { key } = bank.sandbox.account;
  const brCode = encodeStaticBrCode({ key, merchantName: 'Loja', merchantCity: 'RECIFE', txid: 'balcao1' });
  expect((await pay(bank, { brCode })).body.error.code).toBe('AMOUNT_REQUIRED');
  expect((await pay(bank, { brCode, amount: 3.5 })).body).toMatchObject({ txid: 'balcao1', amount: 3.5 });
});

test('a key can be paid without a txid or with an unknown one', async () => {
  const bank = await givenBank();
  const { key } = bank.sandbox.account;
  const without = await pay(bank, { key, amount: 1 });
  expect(without).toMatchObject({ status: 201, body: { txid: null } });
  expect((await bank.api('GET', `/v2/pix/${without.body.endToEndId}`)).body).not.toHaveProperty('txid');
  expect((await pay(bank, { key, amount: 1, txid: 'estranho' })).body.txid).toBe('estranho');
  expect((await pay(bank, { key: 'outra@chave.com', amount: 1 })).body.error.code).toBe('KEY_NOT_FOUND');
});

test.each([0, -1, 0.001, 1.005, 1e12])('the amount %d is refused', async (amount) => {
  const bank = await givenBank();
  expect((await pay(bank, { key: bank.sandbox.account.key, amount })).body.error.code).toBe('INVALID_AMOUNT');
});

test('codes of other banks and keys of other accounts are refused', async () => {
  const bank = await givenBank();
  const other = await givenBank();
  const { brCode } = await givenCharge(other);
  expect((await pay(bank, { brCode })).body.error.code).toBe('FOREIGN_CODE');
  const foreign = encodeStaticBrCode({
    key: 'a@b.com',
    merchantName: 'A',
    merchantCity: 'B',
    amountCents: 1,
  });
  expect((await pay(bank, { brCode: foreign })).body.error.code).toBe('KEY_NOT_FOUND');
});

test('exactly one of many concurrent payments of a charge succeeds', async () => {
  const bank = await givenBank();
  const { txid, brCode } = await givenCharge(bank, '10.00');
  const responses = await Promise.all(Array.from({ length: 20 }, () => pay(bank, { brCode })));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await bank.api('GET', `/v2/cob/${txid}`)).body.pix).toHaveLength(1);
});

test('a batch returns one result per payment, in order', async () => {
  const bank = await givenBank();
  const [first, second] = [await givenCharge(bank), await givenCharge(bank)];
  const batch = [{ brCode: first.brCode }, { brCode: 'x' }, { brCode: second.brCode }];
  const { status, body } = await pay(bank, batch);
  expect(status).toBe(200);
  expect(body).toMatchObject([{ txid: first.txid }, { success: false }, { txid: second.txid }]);
});

test('received Pix are listed once each across pages, and filtered by txid', async () => {
  const bank = await givenBank();
  const { key } = bank.sandbox.account;
  const paid = [];
  for (let n = 0; n < 5; n += 1)
    paid.push((await pay(bank, { key, amount: 1, txid: `t${n}` })).body.endToEndId);
  const window = 'inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z&paginacao.itensPorPagina=2';
  const listedIds = [];
  for (const page of [0, 1, 2, 3]) {
    const { body } = await bank.api('GET', `/v2/pix?${window}&paginacao.paginaAtual=${page}`);
    expect(body.parametros.paginacao.quantidadeDePaginas).toBe(3);
    listedIds.push(...body.pix.map((pix: { endToEndId: string }) => pix.endToEndId));
  }
  expect(listedIds).toEqual(paid);
  const filtered = await bank.api('GET', `/v2/pix?${window}&txid=t3`);
  expect(filtered.body.pix).toMatchObject([{ endToEndId: paid[3] }]);
});
