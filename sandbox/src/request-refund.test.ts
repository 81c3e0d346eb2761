import { expect, test } from 'vitest';
import {
  type Client,
  connect,
  givenBank,
  givenCharge,
  givenDirectory,
  givenReceiver,
  payNew,
  readBalance,
  setBehaviour,
  WINDOW,
} from '../test/bank.ts';
import { startSandbox } from './index.ts';

const DAY = 86_400;

const refund = (bank: Client, endToEndId: string, id: string, valor: string, more: object = {}) =>
  bank.api('PUT', `/v2/pix/${endToEndId}/devolucao/${id}`, { valor, ...more });

const refundOf = async (bank: Client, endToEndId: string, id: string) =>
  (await bank.api('GET', `/v2/pix/${endToEndId}/devolucao/${id}`)).body;

const waitForEnd = (bank: Client, endToEndId: string, id: string) =>
  expect.poll(async () => (await refundOf(bank, endToEndId, id)).status).not.toBe('EM_PROCESSAMENTO');

const reasonOf = (response: { body: { violacoes: { razao: string }[] } }) =>
  response.body.violacoes[0]?.razao;

test('an accepted refund completes a moment later, and the money has left the account', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  const { status, body } = await refund(bank, pixId, 'r1', '30.00', { descricao: 'Troca' });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: 'r1',
    rtrId: expect.stringMatching(/^D99999999\d{12}\w{11}$/),
    valor: '30.00',
    natureza: 'ORIGINAL',
    descricao: 'Troca',
    horario: { solicitacao: expect.any(String) },
    status: 'EM_PROCESSAMENTO',
  });
  await waitForEnd(bank, pixId, 'r1');
  expect(await refundOf(bank, pixId, 'r1')).toEqual({
    ...body,
    status: 'DEVOLVIDO',
    horario: { ...body.horario, liquidacao: expect.any(String) },
  });
  expect(await readBalance(bank)).toBe(70);
});

test('refunds appear in every response that shows the Pix, and the list can filter by whether there are refunds', async () => {
  const bank = await givenBank();
  const { txid, brCode } = await givenCharge(bank, '100.00');
  const pixId = (await bank.call('POST', '/sandbox/payments', { brCode })).body.endToEndId;
  const other = await payNew(bank);
  await refund(bank, pixId, 'r1', '30.00');
  await waitForEnd(bank, pixId, 'r1');
  const expected = [{ id: 'r1', valor: '30.00', status: 'DEVOLVIDO' }];
  expect((await bank.api('GET', `/v2/pix/${pixId}`)).body.devolucoes).toMatchObject(expected);
  expect((await bank.api('GET', `/v2/cob/${txid}`)).body.pix[0].devolucoes).toMatchObject(expected);
  const listIds = async (more: string) =>
    (await bank.api('GET', `/v2/pix?${WINDOW}${more}`)).body.pix.map(
      (pix: { endToEndId: string }) => pix.endToEndId,
    );
  expect(await listIds('')).toEqual([pixId, other]);
  expect(await listIds('&devolucaoPresente=true')).toEqual([pixId]);
  expect(await listIds('&devolucaoPresente=false')).toEqual([other]);
});

test('the webhook is notified when a refund ends, completed or not, if its Pix has a txid', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver();
  const { key } = bank.sandbox.account;
  await bank.api('PUT', `/v2/webhook/${key}`, { webhookUrl: receiver.url });
  const withoutTxid = (await bank.call('POST', '/sandbox/payments', { key, amount: 50 })).body.endToEndId;
  const pixId = await payNew(bank);
  await receiver.waitForCalls(1);
  await refund(bank, withoutTxid, 'r0', '1.00');
  await waitForEnd(bank, withoutTxid, 'r0');
  await refund(bank, pixId, 'r1', '30.00');
  await receiver.waitForCalls(2);
  await setBehaviour(bank, { refunds: 'refused' });
  await refund(bank, pixId, 'r2', '20.00');
  await receiver.waitForCalls(3);
  const notified = receiver.calls.map(({ pix }) => pix[0]);
  expect(notified[1]).toMatchObject({ endToEndId: pixId, devolucoes: [{ id: 'r1', status: 'DEVOLVIDO' }] });
  expect(notified[2]).toMatchObject({ devolucoes: [{ id: 'r1' }, { id: 'r2', status: 'NAO_REALIZADO' }] });
  expect(notified[2]).toHaveProperty('txid');
});

test('an id can be used for one refund of a Pix, whatever its outcome', async () => {
  const bank = await givenBank();
  const [pixId, other] = [await payNew(bank), await payNew(bank)];
  await setBehaviour(bank, { refunds: 'refused' });
  await refund(bank, pixId, 'r1', '30.00');
  await waitForEnd(bank, pixId, 'r1');
  await setBehaviour(bank, { refunds: 'normal' });
  const secondRefund = await refund(bank, pixId, 'r1', '30.00');
  expect([secondRefund.status, secondRefund.body.type]).toEqual([
    400,
    'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida',
  ]);
  expect(secondRefund.body.violacoes[0].propriedade).toBe('id');
  expect((await refund(bank, other, 'r1', '30.00')).status).toBe(201);
});

test('concurrent refunds never return more than the Pix', async () => {
  const bank = await givenBank();
  const [pixId] = [await payNew(bank, '100.00'), await payNew(bank, '100.00')];
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => refund(bank, pixId, `r${n}`, '30.00')),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(17);
  expect(await readBalance(bank)).toBe(110);
});

test('a failed refund makes its amount refundable again', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  await setBehaviour(bank, { refunds: 'refused' });
  await refund(bank, pixId, 'r1', '100.00');
  await waitForEnd(bank, pixId, 'r1');
  expect(await refundOf(bank, pixId, 'r1')).toMatchObject({
    status: 'NAO_REALIZADO',
    motivo: expect.any(String),
    horario: expect.not.objectContaining({ liquidacao: expect.anything() }),
  });
  expect(await readBalance(bank)).toBe(100);
  await setBehaviour(bank, { refunds: 'normal' });
  expect((await refund(bank, pixId, 'r2', '100.00')).status).toBe(201);
});

test('a Pix can be refunded for 90 days and no longer', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 90 * DAY - 60 });
  expect((await refund(bank, pixId, 'r1', '1.00')).status).toBe(201);
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 61 });
  const late = await refund(bank, pixId, 'r2', '1.00');
  expect(late.status).toBe(400);
  expect(reasonOf(late)).toContain('90 dias');
});

test.each([
  [{}, 'devolucao.valor'],
  [{ valor: '0.00' }, 'devolucao.valor'],
  [{ valor: '1,00' }, 'devolucao.valor'],
  [{ valor: 1 }, 'devolucao.valor'],
  [{ valor: '1.00', natureza: 'MED_FRAUDE' }, 'devolucao.natureza'],
  [{ valor: '1.00', natureza: 'RETIRADA' }, 'devolucao.natureza'],
  [{ valor: '1.00', descricao: 'x'.repeat(141) }, 'devolucao.descricao'],
])('an invalid request is refused: %o', async (body, field) => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  const response = await bank.api('PUT', `/v2/pix/${pixId}/devolucao/r1`, body);
  expect([response.status, response.body.violacoes[0].propriedade]).toEqual([400, field]);
});

test('malformed ids, unknown Pix and refunds, and missing scopes are refused', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  for (const id of ['r-1', 'x'.repeat(36), '%20']) {
    expect((await refund(bank, pixId, id, '1.00')).status).toBe(400);
  }
  expect((await refund(bank, 'E999', 'r1', '1.00')).status).toBe(404);
  const missing = await bank.api('GET', `/v2/pix/${pixId}/devolucao/r1`);
  expect([missing.status, missing.body.type]).toEqual([
    404,
    'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoNaoEncontrada',
  ]);
  const reader = await connect(bank.sandbox, 'pix.read');
  expect((await refund(reader, pixId, 'r1', '1.00')).status).toBe(403);
});

test('refunds: slow stays pending for slowSeconds of bank time', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  await setBehaviour(bank, { refunds: 'slow', slowSeconds: 1000 });
  await refund(bank, pixId, 'r1', '30.00');
  await setBehaviour(bank, { refunds: 'normal' });
  await refund(bank, pixId, 'r2', '30.00');
  await waitForEnd(bank, pixId, 'r2');
  expect(await refundOf(bank, pixId, 'r1')).toMatchObject({ status: 'EM_PROCESSAMENTO' });
  expect(await readBalance(bank)).toBe(40);
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 1001 });
  expect(await refundOf(bank, pixId, 'r1')).toMatchObject({ status: 'DEVOLVIDO' });
});

test.each([{ refunds: 'refused-in-call' }, { refunds: 'normal', amount: '15.02' }])(
  'a refund can be refused in the call, and its id can still be used: %o',
  async ({ refunds, amount = '30.00' }) => {
    const bank = await givenBank();
    const pixId = await payNew(bank);
    await setBehaviour(bank, { refunds });
    expect((await refund(bank, pixId, 'r1', amount)).status).toBe(400);
    expect((await bank.api('GET', `/v2/pix/${pixId}/devolucao/r1`)).status).toBe(404);
    await setBehaviour(bank, { refunds: 'normal' });
    expect((await refund(bank, pixId, 'r1', '30.00')).status).toBe(201);
  },
);

test.each([{ refunds: 'accepted-then-timeout' }, { refunds: 'normal', amount: '15.04' }])(
  'a refund can be executed although no response arrives: %o',
  async ({ refunds, amount = '30.00' }) => {
    const bank = await givenBank();
    const pixId = await payNew(bank);
    await setBehaviour(bank, { refunds });
    const unanswered = refund(bank, pixId, 'r1', amount).then(
      () => 'answered',
      () => 'cut off',
    );
    await expect.poll(async () => (await refundOf(bank, pixId, 'r1')).status).toBe('DEVOLVIDO');
    await bank.sandbox.stop();
    expect(await unanswered).toBe('cut off');
  },
);

test('refunds: down responds 503 and does nothing', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  await setBehaviour(bank, { refunds: 'down' });
  expect((await refund(bank, pixId, 'r1', '30.00')).status).toBe(503);
  expect((await refund(bank, pixId, 'r1', '30.00')).status).toBe(503);
  expect((await bank.api('GET', `/v2/pix/${pixId}/devolucao/r1`)).status).toBe(404);
  expect(await readBalance(bank)).toBe(100);
});

test('special refund amounts fail, are slow, or find the bank down once', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  await setBehaviour(bank, { slowSeconds: 1000 });
  await refund(bank, pixId, 'refused', '15.01');
  await waitForEnd(bank, pixId, 'refused');
  expect((await refundOf(bank, pixId, 'refused')).status).toBe('NAO_REALIZADO');
  await refund(bank, pixId, 'slow', '15.03');
  expect((await refund(bank, pixId, 'down', '15.05')).status).toBe(503);
  expect((await refund(bank, pixId, 'down', '15.05')).status).toBe(201);
  await waitForEnd(bank, pixId, 'down');
  expect((await refundOf(bank, pixId, 'slow')).status).toBe('EM_PROCESSAMENTO');
});

test('a look-up of a refund can be not found at first, or unavailable', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  await refund(bank, pixId, 'r1', '30.00');
  await setBehaviour(bank, { confirmations: 'not-found-first' });
  const path = `/v2/pix/${pixId}/devolucao/r1`;
  expect((await bank.api('GET', path)).status).toBe(404);
  expect((await bank.api('GET', path)).status).toBe(200);
  await setBehaviour(bank, { confirmations: 'down' });
  expect((await bank.api('GET', path)).status).toBe(503);
});

test('a refund pending when the bank stops completes after the next start', async () => {
  const dataDir = await givenDirectory();
  const first = await startSandbox({ dataDir });
  const bank = await connect(first);
  const pixId = await payNew(bank);
  await setBehaviour(bank, { refunds: 'slow', slowSeconds: 1000 });
  await refund(bank, pixId, 'r1', '30.00');
  await first.stop();
  const restarted = await givenBank({ dataDir });
  expect((await refundOf(restarted, pixId, 'r1')).status).toBe('EM_PROCESSAMENTO');
  expect(await readBalance(restarted)).toBe(70);
  await restarted.call('POST', '/sandbox/clock', { advanceSeconds: 1001 });
  expect((await refundOf(restarted, pixId, 'r1')).status).toBe('DEVOLVIDO');
  expect(await readBalance(restarted)).toBe(70);
});

test('a refund to the app’s customer is credited to their account', async () => {
  const bank = await givenBank();
  const home = async () => (await bank.call('GET', '/')).body.replaceAll('\u00a0', ' ');
  const pixId = await payNew(bank, '1250.00');
  expect(await home()).toContain('R$ 8.750,00');
  await refund(bank, pixId, 'r1', '250.00');
  await waitForEnd(bank, pixId, 'r1');
  expect(await home()).toContain('R$ 9.000,00');
});
