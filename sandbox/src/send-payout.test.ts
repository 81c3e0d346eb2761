import { expect, test } from 'vitest';
import {
  type Client,
  connect,
  givenBank,
  givenDirectory,
  givenReceiver,
  type Receiver,
  readBalance,
  setBehaviour,
  WINDOW,
} from '../test/bank.ts';
import { SPECIAL_PAYEE_KEYS, startSandbox } from './index.ts';

const PAYEE = 'maria@example.com';

/** Starts a bank whose account holds this amount. */
async function givenRichBank(amount = 1000, options: Parameters<typeof givenBank>[0] = {}): Promise<Client> {
  const bank = await givenBank(options);
  await bank.call('POST', '/sandbox/payments', { key: bank.sandbox.account.key, amount });
  return bank;
}

const body = (bank: Client, valor: string, chave = PAYEE, more: object = {}) => ({
  valor,
  pagador: { chave: bank.sandbox.account.key },
  favorecido: { chave, ...more },
});

const send = (bank: Client, idEnvio: string, valor = '100.00', chave = PAYEE) =>
  bank.api('PUT', `/v3/gn/pix/${idEnvio}`, body(bank, valor, chave));

const payoutOf = async (bank: Client, idEnvio: string) =>
  (await bank.api('GET', `/v2/gn/pix/enviados/id-envio/${idEnvio}`)).body;

const waitForEnd = (bank: Client, idEnvio: string) =>
  expect.poll(async () => (await payoutOf(bank, idEnvio)).status).not.toBe('EM_PROCESSAMENTO');

const advance = (bank: Client, advanceSeconds: number) =>
  bank.call('POST', '/sandbox/clock', { advanceSeconds });

async function givenWebhookReceiver(bank: Client): Promise<Receiver> {
  const receiver = await givenReceiver();
  await bank.api('PUT', `/v2/webhook/${bank.sandbox.account.key}`, { webhookUrl: receiver.url });
  return receiver;
}

const notifiedItems = (receiver: Receiver) => receiver.calls.flatMap(({ pix }) => pix);

test('an accepted payout debits the account at once and completes a moment later', async () => {
  const bank = await givenRichBank();
  const request = body(bank, '100.00', PAYEE);
  const pagador = { ...request.pagador, infoPagador: 'Saque' };
  const response = await bank.api('PUT', '/v3/gn/pix/s1', { ...request, pagador });
  expect(response.status).toBe(201);
  expect(response.body).toEqual({
    idEnvio: 's1',
    e2eId: expect.stringMatching(/^E99999999\d{12}\w{11}$/),
    valor: '100.00',
    horario: { solicitacao: expect.any(String) },
    status: 'EM_PROCESSAMENTO',
  });
  expect(await readBalance(bank)).toBe(900);
  await waitForEnd(bank, 's1');
  const payout = await payoutOf(bank, 's1');
  expect(payout).toEqual({
    endToEndId: response.body.e2eId,
    idEnvio: 's1',
    valor: '100.00',
    chave: bank.sandbox.account.key,
    status: 'REALIZADO',
    infoPagador: 'Saque',
    horario: { solicitacao: response.body.horario.solicitacao, liquidacao: expect.any(String) },
    favorecido: { chave: PAYEE, identificacao: { nome: 'Maria Teste', cpf: '***.654.321-**' } },
  });
  expect((await bank.api('GET', `/v2/gn/pix/enviados/${response.body.e2eId}`)).body).toEqual(payout);
  expect(await readBalance(bank)).toBe(900);
});

test('the webhook of the payer’s key is notified of the outcome, by idEnvio and without txid', async () => {
  const bank = await givenRichBank();
  const receiver = await givenWebhookReceiver(bank);
  const { e2eId } = (await send(bank, 's1')).body;
  await receiver.waitForCalls(1);
  expect(notifiedItems(receiver)).toEqual([
    {
      tipo: 'SOLICITACAO',
      endToEndId: e2eId,
      chave: bank.sandbox.account.key,
      valor: '100.00',
      status: 'REALIZADO',
      horario: (await payoutOf(bank, 's1')).horario.liquidacao,
      gnExtras: { idEnvio: 's1' },
    },
  ]);
});

test('payouts are listed once each across pages, and filtered by window, status and return', async () => {
  const bank = await givenRichBank();
  for (const n of [1, 2, 3]) await send(bank, `s${n}`, '1.00');
  await send(bank, 'refused', '14.01');
  await send(bank, 'returned', '14.06');
  await waitForEnd(bank, 'refused');
  await waitForEnd(bank, 'returned');
  await advance(bank, 61);
  const list = async (more: string) => (await bank.api('GET', `/v2/gn/pix/enviados?${WINDOW}${more}`)).body;
  const idsOf = (response: { pix: { idEnvio: string }[] }) => response.pix.map(({ idEnvio }) => idEnvio);
  const listedIds = [];
  for (const page of [0, 1, 2]) {
    const response = await list(`&paginacao.itensPorPagina=2&paginacao.paginaAtual=${page}`);
    expect(response.parametros.paginacao).toMatchObject({
      quantidadeDePaginas: 3,
      quantidadeTotalDeItens: 5,
    });
    listedIds.push(...idsOf(response));
  }
  expect(listedIds).toEqual(['s1', 's2', 's3', 'refused', 'returned']);
  expect(idsOf(await list('&status=NAO_REALIZADO'))).toEqual(['refused']);
  expect(idsOf(await list('&devolucaoPresente=true'))).toEqual(['returned']);
  const before = 'inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z';
  expect(idsOf((await bank.api('GET', `/v2/gn/pix/enviados?${before}`)).body)).toEqual([]);
  expect((await bank.api('GET', '/v2/gn/pix/enviados')).status).toBe(400);
  expect((await bank.call('GET', '/sandbox/payouts')).body).toHaveLength(5);
});

test('an idEnvio can be used for one payout, whatever its outcome', async () => {
  const bank = await givenRichBank();
  await setBehaviour(bank, { payouts: 'refused' });
  const responses = await Promise.all(Array.from({ length: 10 }, () => send(bank, 's1')));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  await waitForEnd(bank, 's1');
  await setBehaviour(bank, { payouts: 'normal' });
  expect(await send(bank, 's1')).toMatchObject({
    status: 409,
    body: { nome: 'id_envio_duplicado', mensagem: expect.any(String) },
  });
  expect(await readBalance(bank)).toBe(1000);
});

test('concurrent payouts never send more than the account holds', async () => {
  const bank = await givenRichBank(100);
  const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => send(bank, `s${n}`, '30.00')));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
  for (const { status, body } of responses.filter((response) => response.status !== 201)) {
    expect([status, body.nome]).toEqual([400, 'saldo_insuficiente']);
  }
  expect(await readBalance(bank)).toBe(10);
});

test.each([
  ['valor_invalido', { valor: undefined }],
  ['valor_invalido', { valor: '0.00' }],
  ['valor_invalido', { valor: '1,00' }],
  ['valor_invalido', { valor: 1 }],
  ['valor_invalido', { pagador: undefined }],
  ['valor_invalido', { favorecido: { chave: 'não é chave' } }],
  ['valor_invalido', { favorecido: { chave: '12345678900' } }],
  ['valor_invalido', { favorecido: { contaBanco: { nome: 'A' } } }],
  ['valor_invalido', { favorecido: { chave: PAYEE, cpf: '12345678900' } }],
  ['valor_invalido', { favorecido: { chave: PAYEE, cpf: '12345678909', cnpj: '12345678000195' } }],
  ['chave_invalida', { pagador: { chave: 'outra@example.com' } }],
  ['chave_nao_pertence_ao_documento', { favorecido: { chave: '12345678909', cpf: '98765432100' } }],
])('an invalid request is refused as %s: %o', async (nome, change) => {
  const bank = await givenRichBank();
  const response = await bank.api('PUT', '/v3/gn/pix/s1', { ...body(bank, '1.00'), ...change });
  expect(response).toMatchObject({ status: 400, body: { nome, mensagem: expect.any(String) } });
  expect(await readBalance(bank)).toBe(1000);
});

test('invalid JSON, a malformed idEnvio and the account’s own key are refused in Efí’s format', async () => {
  const bank = await givenRichBank();
  for (const idEnvio of ['a-b', 'x'.repeat(36)]) {
    expect((await send(bank, idEnvio)).body.nome).toBe('valor_invalido');
  }
  expect((await send(bank, 's1', '1.00', bank.sandbox.account.key)).body.nome).toBe('valor_invalido');
  expect((await bank.api('PUT', '/v3/gn/pix/s1')).status).toBe(400);
  const missing = await bank.api('GET', '/v2/gn/pix/enviados/id-envio/s1');
  expect([missing.status, missing.body.type]).toEqual([
    404,
    'https://pix.bcb.gov.br/api/v2/error/PixEnviadoNaoEncontrado',
  ]);
  expect((await bank.api('GET', '/v2/gn/pix/enviados/E1')).status).toBe(404);
});

test('sending and reading each require their own scope', async () => {
  const bank = await givenRichBank();
  const reader = await connect(bank.sandbox, 'gn.pix.send.read pix.write');
  expect((await send(reader, 's1')).status).toBe(403);
  const sender = await connect(bank.sandbox, 'pix.send');
  expect((await send(sender, 's1')).status).toBe(201);
  expect((await sender.api('GET', '/v2/gn/pix/enviados/id-envio/s1')).status).toBe(403);
});

const keyOf = (effect: string) => SPECIAL_PAYEE_KEYS.find((special) => special.effect === effect)?.key;

/** The three ways to trigger a misbehaviour: the configured behaviour, a special amount, a special key. */
const triggersOf = (payouts: string, amount: string) =>
  [
    { payouts, amount: '100.00', key: PAYEE },
    { payouts: 'normal', amount, key: PAYEE },
    { payouts: 'normal', amount: '100.00', key: keyOf(payouts) ?? '' },
  ] as const;

test.each(triggersOf('refused', '14.01'))(
  'a payout can fail after it was accepted, and its money is returned: %o',
  async ({ payouts, amount, key }) => {
    const bank = await givenRichBank(1000, { processingMs: 60_000 });
    const receiver = await givenWebhookReceiver(bank);
    await setBehaviour(bank, { payouts });
    expect((await send(bank, 's1', amount, key)).status).toBe(201);
    expect(await readBalance(bank)).toBe(1000 - Number(amount));
    await advance(bank, 61);
    await receiver.waitForCalls(1);
    const erro = { codigo: 'AC03', origem: 'PSP do usuário recebedor', motivo: expect.any(String) };
    expect(notifiedItems(receiver)).toMatchObject([
      { tipo: 'SOLICITACAO', status: 'NAO_REALIZADO', horario: null, gnExtras: { idEnvio: 's1', erro } },
    ]);
    expect(await payoutOf(bank, 's1')).toMatchObject({ status: 'NAO_REALIZADO', gnExtras: { erro } });
    expect(await readBalance(bank)).toBe(1000);
  },
);

test.each(triggersOf('refused-in-call', '14.02'))(
  'a payout can be refused in the call, and nothing is debited: %o',
  async ({ payouts, amount, key }) => {
    const bank = await givenRichBank();
    await setBehaviour(bank, { payouts });
    expect(await send(bank, 's1', amount, key)).toMatchObject({
      status: 422,
      body: { nome: 'pagamento_negado' },
    });
    expect((await bank.api('GET', '/v2/gn/pix/enviados/id-envio/s1')).status).toBe(404);
    expect(await readBalance(bank)).toBe(1000);
  },
);

test.each(triggersOf('slow', '14.03'))(
  'a payout can take slowSeconds of bank time: %o',
  async ({ payouts, amount, key }) => {
    const bank = await givenRichBank();
    await setBehaviour(bank, { payouts, slowSeconds: 5000 });
    await send(bank, 's1', amount, key);
    await setBehaviour(bank, { payouts: 'normal' });
    await send(bank, 's2', '1.00');
    await waitForEnd(bank, 's2');
    expect((await payoutOf(bank, 's1')).status).toBe('EM_PROCESSAMENTO');
    await advance(bank, 5001);
    expect((await payoutOf(bank, 's1')).status).toBe('REALIZADO');
  },
);

test.each(triggersOf('accepted-then-timeout', '14.04'))(
  'a payout can be executed although no response arrives: %o',
  async ({ payouts, amount, key }) => {
    const bank = await givenRichBank();
    await setBehaviour(bank, { payouts });
    expect(await bank.isAnswered('PUT', '/v3/gn/pix/s1', body(bank, amount, key))).toBe(false);
    await expect.poll(async () => (await payoutOf(bank, 's1')).status).toBe('REALIZADO');
    expect((await send(bank, 's1', amount, key)).status).toBe(409);
  },
);

test.each(triggersOf('lost-then-timeout', '14.05'))(
  'a payout can be lost without a response, and be sent again: %o',
  async ({ payouts, amount, key }) => {
    const bank = await givenRichBank();
    await setBehaviour(bank, { payouts });
    expect(await bank.isAnswered('PUT', '/v3/gn/pix/s1', body(bank, amount, key))).toBe(false);
    expect((await bank.api('GET', '/v2/gn/pix/enviados/id-envio/s1')).status).toBe(404);
    expect(await readBalance(bank)).toBe(1000);
    await setBehaviour(bank, { payouts: 'normal' });
    expect((await send(bank, 's1', amount, key)).status).toBe(201);
  },
);

test('payouts: lost-then-timeout loses every attempt', async () => {
  const bank = await givenRichBank();
  await setBehaviour(bank, { payouts: 'lost-then-timeout' });
  for (const _ of [1, 2]) {
    expect(await bank.isAnswered('PUT', '/v3/gn/pix/s1', body(bank, '100.00'))).toBe(false);
  }
  expect((await bank.api('GET', '/v2/gn/pix/enviados/id-envio/s1')).status).toBe(404);
});

test.each(triggersOf('returned', '14.06'))(
  'a completed payout can be returned in full: %o',
  async ({ payouts, amount, key }) => {
    const bank = await givenRichBank();
    const receiver = await givenWebhookReceiver(bank);
    await setBehaviour(bank, { payouts, payoutReturnSeconds: 3600 });
    const { e2eId } = (await send(bank, 's1', amount, key)).body;
    await receiver.waitForCalls(1);
    expect(await readBalance(bank)).toBe(1000 - Number(amount));
    await advance(bank, 3601);
    await receiver.waitForCalls(2);
    const devolucoes = [
      {
        rtrId: expect.stringMatching(/^D88888888\d{12}\w{11}$/),
        valor: amount,
        horario: { solicitacao: expect.any(String), liquidacao: expect.any(String) },
        status: 'DEVOLVIDO',
        motivo: expect.any(String),
      },
    ];
    expect(notifiedItems(receiver)[0]).not.toHaveProperty('devolucoes');
    expect(notifiedItems(receiver)[1]).toMatchObject({
      tipo: 'SOLICITACAO',
      endToEndId: e2eId,
      status: 'REALIZADO',
      gnExtras: { idEnvio: 's1' },
      devolucoes,
    });
    expect(await payoutOf(bank, 's1')).toMatchObject({ status: 'REALIZADO', devolucoes });
    expect(await readBalance(bank)).toBe(1000);
  },
);

test.each(triggersOf('wrong-notification', '14.08'))(
  'a failed payout can be notified as completed, and so can one nobody sent: %o',
  async ({ payouts, amount, key }) => {
    const bank = await givenRichBank();
    const receiver = await givenWebhookReceiver(bank);
    await setBehaviour(bank, { payouts });
    await send(bank, 's1', amount, key);
    await receiver.waitForCalls(2);
    expect(notifiedItems(receiver).map(({ status }) => status)).toEqual(['REALIZADO', 'REALIZADO']);
    const ids = notifiedItems(receiver).map(({ gnExtras }) => gnExtras?.idEnvio);
    expect(ids).toContain('s1');
    const foreign = ids.find((id) => id !== 's1');
    expect((await bank.api('GET', `/v2/gn/pix/enviados/id-envio/${foreign}`)).status).toBe(404);
    expect((await payoutOf(bank, 's1')).status).toBe('NAO_REALIZADO');
    expect(await readBalance(bank)).toBe(1000);
  },
);

test('payouts: down responds 503 and does nothing', async () => {
  const bank = await givenRichBank();
  await setBehaviour(bank, { payouts: 'down' });
  expect((await send(bank, 's1')).status).toBe(503);
  expect((await send(bank, 's1')).status).toBe(503);
  expect((await bank.api('GET', '/v2/gn/pix/enviados/id-envio/s1')).status).toBe(404);
  expect(await readBalance(bank)).toBe(1000);
});

test.each(triggersOf('down', '14.07').slice(1))(
  'a special payout finds the bank down once: %o',
  async ({ payouts, amount, key }) => {
    const bank = await givenRichBank();
    await setBehaviour(bank, { payouts });
    expect((await send(bank, 's1', amount, key)).status).toBe(503);
    expect((await send(bank, 's1', amount, key)).status).toBe(201);
  },
);

test('one special key does not exist, and another belongs to a different document than expected', async () => {
  const bank = await givenRichBank();
  expect(await send(bank, 's1', '1.00', keyOf('key-not-found'))).toMatchObject({
    status: 404,
    body: { nome: 'chave_favorecido_nao_encontrada' },
  });
  const chave = keyOf('key-of-another');
  const mistaken = await bank.api('PUT', '/v3/gn/pix/s2', body(bank, '1.00', chave, { cpf: '12345678909' }));
  expect(mistaken.body.nome).toBe('chave_nao_pertence_ao_documento');
  expect((await send(bank, 's2', '1.00', chave)).status).toBe(201);
});

test('a look-up of a payout can be not found at first, or unavailable', async () => {
  const bank = await givenRichBank();
  await send(bank, 's1');
  await setBehaviour(bank, { confirmations: 'not-found-first' });
  const path = '/v2/gn/pix/enviados/id-envio/s1';
  expect((await bank.api('GET', path)).status).toBe(404);
  expect((await bank.api('GET', path)).status).toBe(200);
  await setBehaviour(bank, { confirmations: 'down' });
  expect((await bank.api('GET', path)).status).toBe(503);
  expect((await bank.api('GET', `/v2/gn/pix/enviados?${WINDOW}`)).status).toBe(503);
});

test('notifications: never sends nothing; the payout is found by its look-up', async () => {
  const bank = await givenRichBank();
  const receiver = await givenWebhookReceiver(bank);
  await setBehaviour(bank, { notifications: 'never' });
  await send(bank, 's1');
  await waitForEnd(bank, 's1');
  await setBehaviour(bank, { notifications: 'normal' });
  await send(bank, 's2');
  await receiver.waitForCalls(1);
  expect(notifiedItems(receiver).map(({ gnExtras }) => gnExtras?.idEnvio)).toEqual(['s2']);
});

test('payouts pending or awaiting return when the bank stops continue after the next start', async () => {
  const dataDir = await givenDirectory();
  const first = await startSandbox({ dataDir });
  const bank = await connect(first);
  await bank.call('POST', '/sandbox/payments', { key: first.account.key, amount: 1000 });
  await setBehaviour(bank, { slowSeconds: 600, payoutReturnSeconds: 3600 });
  await send(bank, 'slow', '14.03');
  await send(bank, 'returned', '14.06');
  await waitForEnd(bank, 'returned');
  await first.stop();
  const restarted = await givenBank({ dataDir });
  expect((await payoutOf(restarted, 'slow')).status).toBe('EM_PROCESSAMENTO');
  expect(await readBalance(restarted)).toBe(971.91);
  await advance(restarted, 601);
  expect((await payoutOf(restarted, 'slow')).status).toBe('REALIZADO');
  await advance(restarted, 3600);
  expect(await payoutOf(restarted, 'returned')).toMatchObject({ devolucoes: [{ valor: '14.06' }] });
  expect(await readBalance(restarted)).toBe(985.97);
  expect((await send(restarted, 'slow', '1.00')).status).toBe(409);
});
