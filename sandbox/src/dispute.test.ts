import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { findSchemaViolations } from '../test/bacen-schema.ts';
import {
  type Client,
  connect,
  givenBank,
  givenDirectory,
  givenReceiver,
  payNew,
  WINDOW,
} from '../test/bank.ts';
import { startSandbox } from './index.ts';

const DAY = 86_400;

const openDispute = (bank: Client, endToEndId: string, more: object = {}) =>
  bank.call('POST', '/sandbox/disputes', { endToEndId, reason: 'golpe', ...more });

const resolveDispute = (bank: Client, id: string, body: object) =>
  bank.call('POST', `/sandbox/disputes/${id}/resolution`, body);

const defendDispute = (bank: Client, id: string, analise = 'rejeitado', more: object = {}) =>
  bank.api('POST', `/v2/gn/infracoes/${id}/defesa`, { analise, justificativa: 'Foi entregue.', ...more });

const disputeOf = async (bank: Client, id: string) => (await bank.api('GET', `/v2/gn/infracoes/${id}`)).body;

const pixOf = async (bank: Client, endToEndId: string) =>
  (await bank.api('GET', `/v2/pix/${endToEndId}`)).body;

const refund = (bank: Client, endToEndId: string, id: string, valor: string) =>
  bank.api('PUT', `/v2/pix/${endToEndId}/devolucao/${id}`, { valor });

const readFunds = async (bank: Client) => (await bank.api('GET', '/v2/gn/saldo?bloqueios=true')).body;

const readAccount = async (bank: Client) => (await bank.call('GET', '/sandbox/account')).body;

test('a dispute blocks its amount, is listed with its deadline, and waits for a defence', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  const { status, body } = await openDispute(bank, pixId, { amount: 60, comment: 'Não recebi.' });
  expect(status).toBe(201);
  expect(body).toMatchObject({ endToEndId: pixId, amount: 60, reason: 'golpe', status: 'ABERTA' });
  expect(Date.parse(body.deadlineAt) - Date.parse(body.openedAt)).toBe(7 * DAY * 1000);
  expect(await readFunds(bank)).toEqual({
    saldo: '40.00',
    bloqueios: { judicial: '0.00', med: '60.00', total: '60.00' },
  });
  expect((await bank.api('GET', '/v2/gn/saldo')).body).toEqual({ saldo: '40.00' });
  expect(await readAccount(bank)).toMatchObject({ balance: 100, blocked: 60 });

  const expected = {
    idInfracao: body.id,
    endToEndId: pixId,
    protocolo: body.protocol,
    dataTransacao: (await pixOf(bank, pixId)).horario,
    valor: '60.00',
    chave: bank.sandbox.account.key,
    status: 'ABERTA',
    razao: 'golpe',
    tipoSituacao: 'golpe',
    comentario: 'Não recebi.',
    dadosAnalise: { abertura: body.openedAt, prazoFinalizacao: body.deadlineAt },
  };
  expect(await disputeOf(bank, body.id)).toMatchObject(expected);
  const { parametros, infracoes } = (await bank.api('GET', `/v2/gn/infracoes?${WINDOW}`)).body;
  expect(infracoes).toMatchObject([expected]);
  expect(parametros.paginacao).toMatchObject({ quantidadeTotalDeItens: 1 });
  expect((await bank.api('GET', `/v2/gn/infracoes?${WINDOW}&status=ACEITA`)).body.infracoes).toEqual([]);
  expect((await bank.api('GET', '/v2/gn/infracoes')).status).toBe(400);
});

test('blocked money cannot leave the account by refund, payout or any other movement', async () => {
  const bank = await givenBank();
  const [contested, other] = [await payNew(bank, '100.00'), await payNew(bank, '50.00')];
  await openDispute(bank, contested);
  expect((await refund(bank, contested, 'r1', '1.00')).body.violacoes[0].propriedade).toBe('e2eid');
  const payout = {
    valor: '50.01',
    pagador: { chave: bank.sandbox.account.key },
    favorecido: { chave: 'maria@example.com' },
  };
  expect((await bank.api('PUT', '/v3/gn/pix/s1', payout)).body.nome).toBe('saldo_insuficiente');
  const tariff = await bank.call('POST', '/sandbox/account/movements', { kind: 'tariff', amount: 50.01 });
  expect(tariff.body.error.code).toBe('INSUFFICIENT_FUNDS');
  expect((await refund(bank, other, 'r2', '50.00')).status).toBe(201);
  expect((await refund(bank, contested, 'r3', '1.00')).status).toBe(400);
  expect(await readFunds(bank)).toMatchObject({ saldo: '0.00', bloqueios: { med: '100.00' } });
});

test('a dispute whose money is already gone blocks incoming money', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  await bank.call('POST', '/sandbox/account/movements', { kind: 'withdrawal', amount: 80 });
  await openDispute(bank, pixId);
  expect(await readFunds(bank)).toMatchObject({ saldo: '0.00', bloqueios: { med: '20.00' } });
  await payNew(bank, '90.00');
  expect(await readFunds(bank)).toMatchObject({ saldo: '10.00', bloqueios: { med: '100.00' } });
});

test('a dispute is refused for an unknown Pix or more than can be returned', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  expect((await openDispute(bank, 'E1')).status).toBe(404);
  expect((await openDispute(bank, pixId, { amount: 100.01 })).body.error.code).toBe('AMOUNT_EXCEEDED');
  expect((await openDispute(bank, pixId, { amount: 0 })).body.error.code).toBe('INVALID_AMOUNT');
  expect((await openDispute(bank, pixId, { reason: '' })).body.error.code).toBe('INVALID_REQUEST');
  await refund(bank, pixId, 'r1', '70.00');
  expect((await openDispute(bank, pixId, { amount: 30.01 })).body.error.code).toBe('AMOUNT_EXCEEDED');
  const first = await openDispute(bank, pixId);
  expect(first.body.amount).toBe(30);
  expect((await openDispute(bank, pixId)).body.error.code).toBe('DISPUTE_OPEN');
  await resolveDispute(bank, first.body.id, { accepted: false });
  expect((await openDispute(bank, pixId, { amount: 1 })).status).toBe(201);
});

test('a rejected or cancelled dispute releases the money and can be closed only once', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  for (const [resolution, status] of [
    [{ accepted: false }, 'REJEITADA'],
    [{ cancelled: true }, 'CANCELADA_EFI'],
  ] as const) {
    const { id } = (await openDispute(bank, pixId)).body;
    expect((await resolveDispute(bank, id, resolution)).body.status).toBe(status);
    expect(await disputeOf(bank, id)).toMatchObject({
      status,
      dadosAnalise: { finalizacao: expect.any(String) },
    });
    expect(await readFunds(bank)).toMatchObject({ saldo: '100.00', bloqueios: { total: '0.00' } });
    expect((await resolveDispute(bank, id, { accepted: true })).body.error.code).toBe('DISPUTE_CLOSED');
  }
  expect(await pixOf(bank, pixId)).not.toHaveProperty('devolucoes');
});

test('when a dispute is accepted, the bank itself returns the money, and every response shows it', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  const { id } = (await openDispute(bank, pixId, { amount: 60 })).body;
  expect((await resolveDispute(bank, id, { accepted: true })).body.status).toBe('ACEITA');
  const devolucao = {
    id: `MED${id.replaceAll('-', '')}`,
    rtrId: expect.stringMatching(/^D99999999\d{12}\w{11}$/),
    valor: '60.00',
    natureza: 'MED_FRAUDE',
    status: 'DEVOLVIDO',
  };
  await expect.poll(async () => (await pixOf(bank, pixId)).devolucoes).toMatchObject([devolucao]);
  expect(findSchemaViolations('Pix', await pixOf(bank, pixId))).toEqual([]);
  expect((await bank.api('GET', `/v2/pix/${pixId}/devolucao/${devolucao.id}`)).body).toMatchObject(devolucao);
  expect(await readFunds(bank)).toMatchObject({ saldo: '40.00', bloqueios: { total: '0.00' } });
  expect(await readAccount(bank)).toMatchObject({ balance: 40, totals: { received: 100, refunded: 60 } });
  expect((await refund(bank, pixId, 'r1', '40.01')).status).toBe(400);
  expect((await refund(bank, pixId, 'r1', '40.00')).status).toBe(201);
});

test('an accepted dispute returns all, part or nothing, depending on the available money', async () => {
  const bank = await givenBank();
  const [first, second, third] = [await payNew(bank), await payNew(bank), await payNew(bank)];
  const valuesOf = async (endToEndId: string) =>
    ((await pixOf(bank, endToEndId)).devolucoes ?? []).map(({ valor }: { valor: string }) => valor);
  const part = (await openDispute(bank, first)).body;
  expect((await resolveDispute(bank, part.id, { accepted: true, amount: 100.01 })).status).toBe(422);
  await resolveDispute(bank, part.id, { accepted: true, amount: 25 });
  expect(await valuesOf(first)).toEqual(['25.00']);
  await bank.call('POST', '/sandbox/account/movements', { kind: 'withdrawal', amount: 245 });
  await resolveDispute(bank, (await openDispute(bank, second)).body.id, { accepted: true });
  expect(await valuesOf(second)).toEqual(['30.00']);
  expect(
    (await resolveDispute(bank, (await openDispute(bank, third)).body.id, { accepted: true })).body.status,
  ).toBe('ACEITA');
  expect(await valuesOf(third)).toEqual([]);
  expect((await readAccount(bank)).balance).toBe(0);
});

test('the refund of an accepted dispute can be delayed', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  const { id } = (await openDispute(bank, pixId)).body;
  await resolveDispute(bank, id, { accepted: true, returnSeconds: 3600 });
  expect(await disputeOf(bank, id)).toMatchObject({ status: 'ACEITA' });
  expect((await pixOf(bank, pixId)).devolucoes).toMatchObject([{ status: 'EM_PROCESSAMENTO' }]);
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 3601 });
  expect((await pixOf(bank, pixId)).devolucoes).toMatchObject([{ status: 'DEVOLVIDO' }]);
});

test('a defence with files is accepted once, and the dispute stays open', async () => {
  const bank = await givenBank();
  const { id } = (await openDispute(bank, await payNew(bank))).body;
  const content = Buffer.from('nota fiscal');
  const arquivos = [{ nome: 'nota.pdf', tipo: 'application/pdf', conteudo: content.toString('base64') }];
  expect((await defendDispute(bank, id, 'rejeitado', { arquivos })).status).toBe(201);
  expect(await disputeOf(bank, id)).toMatchObject({
    status: 'EM_DEFESA',
    defesa: 'Foi entregue.',
    dadosAnalise: { recebimentoDefesa: expect.any(String) },
  });
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect((await bank.call('GET', '/sandbox/disputes')).body).toMatchObject([
    { id, defence: { files: [{ name: 'nota.pdf', type: 'application/pdf', bytes: 11, sha256 }] } },
  ]);
  expect(await readFunds(bank)).toMatchObject({ saldo: '0.00' });
  const secondDefence = await defendDispute(bank, id);
  expect([secondDefence.status, secondDefence.body.type]).toEqual([
    409,
    'https://pix.bcb.gov.br/api/v2/error/InfracaoOperacaoInvalida',
  ]);
  await resolveDispute(bank, id, { accepted: false });
  expect((await defendDispute(bank, id)).status).toBe(409);
});

test('a merchant who accepts the claim closes the dispute', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  const { id } = (await openDispute(bank, pixId)).body;
  expect((await defendDispute(bank, id, 'aceito')).status).toBe(201);
  expect(await disputeOf(bank, id)).toMatchObject({ status: 'ACEITA', defesa: 'Foi entregue.' });
  await expect
    .poll(async () => (await pixOf(bank, pixId)).devolucoes)
    .toMatchObject([{ status: 'DEVOLVIDO' }]);
});

test('a defence is refused after 7 days, and the dispute stays open until the bank decides', async () => {
  const bank = await givenBank();
  const pixId = await payNew(bank);
  const { id } = (await openDispute(bank, pixId)).body;
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 7 * DAY });
  expect((await defendDispute(bank, id)).status).toBe(422);
  expect((await disputeOf(bank, id)).status).toBe('ABERTA');
  expect((await resolveDispute(bank, id, { accepted: true })).body.status).toBe('ACEITA');
});

test('an invalid defence, an unknown dispute and a missing scope are refused', async () => {
  const bank = await givenBank();
  const { id } = (await openDispute(bank, await payNew(bank))).body;
  for (const wrong of [
    { analise: 'talvez' },
    { justificativa: '' },
    { arquivos: [{ nome: 'a', tipo: 'b', conteudo: '#' }] },
  ]) {
    const response = await defendDispute(bank, id, 'rejeitado', wrong);
    expect([response.status, response.body.type]).toEqual([
      400,
      'https://pix.bcb.gov.br/api/v2/error/InfracoesConsultaInvalida',
    ]);
  }
  expect((await defendDispute(bank, 'nada')).status).toBe(404);
  expect((await bank.api('GET', '/v2/gn/infracoes/nada')).status).toBe(404);
  expect((await resolveDispute(bank, 'nada', { accepted: true })).status).toBe(404);
  expect((await resolveDispute(bank, id, { accepted: 'sim' })).status).toBe(400);
  const reader = await connect(bank.sandbox, 'gn.infractions.read');
  expect((await defendDispute(reader, id)).status).toBe(403);
  expect((await reader.api('GET', '/v2/gn/saldo')).status).toBe(403);
  expect((await reader.api('GET', `/v2/gn/infracoes/${id}`)).status).toBe(200);
});

test('the webhook is notified of every change of a dispute and of its refund', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver();
  await bank.api('PUT', `/v2/webhook/${bank.sandbox.account.key}`, { webhookUrl: receiver.url });
  const pixId = await payNew(bank);
  await receiver.waitForCalls(1);
  const { id } = (await openDispute(bank, pixId)).body;
  await receiver.waitForCalls(2);
  await defendDispute(bank, id);
  await receiver.waitForCalls(3);
  await resolveDispute(bank, id, { accepted: true });
  await receiver.waitForCalls(5);
  const [, ...notified] = receiver.calls.flatMap(({ pix }) => pix);
  const statusItem = (status: string) => ({ tipo: 'INFRACAO', endToEndId: pixId, idInfracao: id, status });
  expect(notified.filter((item) => !('valor' in item))).toEqual([
    statusItem('ABERTA'),
    statusItem('EM_DEFESA'),
    statusItem('ACEITA'),
  ]);
  expect(notified.filter((item) => 'valor' in item)).toMatchObject([
    { endToEndId: pixId, devolucoes: [{ natureza: 'MED_FRAUDE', status: 'DEVOLVIDO' }] },
  ]);
});

test('disputes and blocked amounts survive a restart, and pending refunds complete', async () => {
  const dataDir = await givenDirectory();
  const first = await startSandbox({ dataDir });
  const bank = await connect(first);
  const [pending, lost] = [await payNew(bank, '60.00'), await payNew(bank, '40.00')];
  const { id } = (await openDispute(bank, pending)).body;
  await defendDispute(bank, id);
  await resolveDispute(bank, (await openDispute(bank, lost)).body.id, { accepted: true, returnSeconds: 60 });
  await first.stop();
  const restarted = await givenBank({ dataDir });
  expect(await disputeOf(restarted, id)).toMatchObject({ status: 'EM_DEFESA', defesa: 'Foi entregue.' });
  expect(await readFunds(restarted)).toMatchObject({ saldo: '0.00', bloqueios: { med: '60.00' } });
  await restarted.call('POST', '/sandbox/clock', { advanceSeconds: 61 });
  expect((await pixOf(restarted, lost)).devolucoes).toMatchObject([{ status: 'DEVOLVIDO' }]);
  expect((await openDispute(restarted, pending)).body.error.code).toBe('DISPUTE_OPEN');
});

test('look-ups of the balance and disputes can be unavailable', async () => {
  const bank = await givenBank();
  await bank.call('PUT', '/sandbox/behaviour', { confirmations: 'down' });
  for (const path of ['/v2/gn/saldo', `/v2/gn/infracoes?${WINDOW}`, '/v2/gn/infracoes/nada']) {
    expect((await bank.api('GET', path)).status).toBe(503);
  }
});

test('tariffs, withdrawals and deposits change the balance, are listed, and never overdraw the account', async () => {
  const bank = await givenBank();
  const move = (body: object) => bank.call('POST', '/sandbox/account/movements', body);
  expect((await move({ kind: 'deposit', amount: 100, description: 'Reforço' })).status).toBe(201);
  expect((await move({ kind: 'tariff', amount: 0.75 })).body).toMatchObject({ kind: 'tariff', amount: 0.75 });
  expect((await move({ kind: 'withdrawal', amount: 99.26 })).status).toBe(422);
  expect((await move({ kind: 'withdrawal', amount: 99.25 })).status).toBe(201);
  expect((await move({ kind: 'gift', amount: 1 })).status).toBe(400);
  expect((await move({ kind: 'deposit', amount: -1 })).body.error.code).toBe('INVALID_AMOUNT');
  const { balance, totals, movements } = await readAccount(bank);
  expect([balance, totals.moved]).toEqual([0, 0]);
  expect(movements).toMatchObject([
    { kind: 'deposit', amount: 100, description: 'Reforço', at: expect.any(String) },
    { kind: 'tariff', amount: 0.75 },
    { kind: 'withdrawal', amount: 99.25 },
  ]);
});
