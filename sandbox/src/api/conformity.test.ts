import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { findSchemaViolations } from '../../test/bacen-schema.ts';
import { cobBody, cobvBody, givenBank, givenCharge, givenCobv, givenReceiver } from '../../test/bank.ts';

const WINDOW = 'inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z';

test('every kind of response that BACEN specifies matches its schema', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver();
  const { key } = bank.sandbox.account;
  await bank.api('PUT', `/v2/webhook/${key}`, { webhookUrl: receiver.url });
  const debtor = {
    devedor: { cnpj: '12345678000195', nome: 'Empresa' },
    solicitacaoPagador: 'Pagamento a Loja',
  };
  const { txid, brCode } = await givenCharge(bank, '7.00', debtor);
  const created = await bank.api('POST', '/v2/cob', cobBody('3.00'));
  const { body: loc } = await bank.api('POST', '/v2/loc', { tipoCob: 'cob' });
  const payer = { name: 'Ana', document: '12345678909' };
  const paid = await bank.call('POST', '/sandbox/payments', { brCode, payer, message: 'obrigada' });
  await bank.call('POST', '/sandbox/payments', { key, amount: 2, txid: 'balcao1' });
  const payload = await bank.call('GET', `/qr/v2/${created.body.location.split('/').at(-1)}`);
  await receiver.waitForCalls(1);
  const refundPath = `/v2/pix/${paid.body.endToEndId}/devolucao`;
  const refund = { valor: '2.00', natureza: 'ORIGINAL', descricao: 'Troca' };
  const refunding = await bank.api('PUT', `${refundPath}/r1`, refund);
  await receiver.waitForCalls(2);
  await bank.call('PUT', '/sandbox/behaviour', { refunds: 'refused' });
  await bank.api('PUT', `${refundPath}/r2`, { valor: '1.00' });
  await receiver.waitForCalls(3);

  const responses: [string, unknown][] = [
    ['CobGerada', created.body],
    ['CobCompleta', (await bank.api('GET', `/v2/cob/${txid}`)).body],
    ['CobsConsultadas', (await bank.api('GET', `/v2/cob?${WINDOW}`)).body],
    ['Pix', (await bank.api('GET', `/v2/pix/${paid.body.endToEndId}`)).body],
    ['PixConsultados', (await bank.api('GET', `/v2/pix?${WINDOW}`)).body],
    [
      'PixConsultados',
      { parametros: (await bank.api('GET', `/v2/pix?${WINDOW}`)).body.parametros, ...receiver.calls[0] },
    ],
    ...receiver.calls.flatMap(({ pix }) => pix).map((pix): [string, unknown] => ['Pix', pix]),
    ['Devolucao', refunding.body],
    ['Devolucao', (await bank.api('GET', `${refundPath}/r1`)).body],
    ['Devolucao', (await bank.api('GET', `${refundPath}/r2`)).body],
    ['PayloadLocationCompleta', loc],
    ['PayloadLocationConsultadas', (await bank.api('GET', `/v2/loc?${WINDOW}`)).body],
    ['WebhookCompleto', (await bank.api('GET', `/v2/webhook/${key}`)).body],
    ['WebhooksConsultados', (await bank.api('GET', '/v2/webhook')).body],
    ['CobPayload', decodeJwt(payload.body)],
    ['Problema', (await bank.api('GET', `/v2/cob/${'x'.repeat(30)}`)).body],
    ['Problema', (await bank.api('PUT', `/v2/cob/${'x'.repeat(30)}`, {})).body],
    ['Problema', (await bank.api('PUT', `${refundPath}/r1`, { valor: '2.00' })).body],
    ['Problema', (await bank.api('GET', `${refundPath}/r3`)).body],
  ];
  expect(responses.flatMap(([name, response]) => findSchemaViolations(name, response))).toEqual([]);
});

/** What the official file has for a charge with a due date, with modalities as its example writes them. */
const EVERYTHING = {
  devedor: {
    ...{ cnpj: '12345678000195', nome: 'Empresa', email: 'financeiro@example.com' },
    ...{ logradouro: 'Rua do Sol, 10', cidade: 'Olinda', uf: 'PE', cep: '53020000' },
  },
  valor: {
    original: '123.45',
    multa: { modalidade: '2', valorPerc: '15.00' },
    juros: { modalidade: '2', valorPerc: '2.00' },
    abatimento: { modalidade: 1, valorPerc: '3.00' },
    desconto: { modalidade: '1', descontoDataFixa: [{ data: '2099-02-28', valorPerc: '30.00' }] },
  },
  solicitacaoPagador: 'Mensalidade',
  infoAdicionais: [{ nome: 'turma', valor: 'B' }],
};

test('every kind of response about a charge with a due date matches its schema', async () => {
  const bank = await givenBank();
  const { txid } = await givenCobv(bank, EVERYTHING);
  const byDays = { original: '9.00', desconto: { modalidade: 6, valorPerc: '0.10' } };
  const path = `/v2/cobv/${'v'.repeat(30)}`;
  const created = await bank.api('PUT', path, cobvBody({ valor: byDays }));
  const revised = await bank.api('PATCH', path, { valor: { original: '8.00' } });
  const { body: loc } = await bank.api('POST', '/v2/loc', { tipoCob: 'cobv' });
  const responses: [string, unknown][] = [
    ['CobVGerada', created.body],
    ['CobVGerada', revised.body],
    ['CobVCompleta', (await bank.api('GET', `/v2/cobv/${txid}`)).body],
    ['CobVCompleta', (await bank.api('GET', `${path}?revisao=0`)).body],
    ['CobsVConsultadas', (await bank.api('GET', `/v2/cobv?${WINDOW}`)).body],
    ['PayloadLocationCompleta', loc],
    ['PayloadLocationConsultadas', (await bank.api('GET', `/v2/loc?${WINDOW}`)).body],
    ['Problema', (await bank.api('GET', `/v2/cobv/${'x'.repeat(30)}`)).body],
    ['Problema', (await bank.api('PUT', `/v2/cobv/${'x'.repeat(30)}`, {})).body],
    ['Problema', (await bank.api('GET', `/v2/cobv?${WINDOW}&cpf=1`)).body],
    ['Problema', (await bank.api('GET', `${path}?revisao=7`)).body],
  ];
  expect(responses.flatMap(([name, response]) => findSchemaViolations(name, response))).toEqual([]);
  for (const broken of [
    { ...created.body, recebedor: undefined },
    { ...created.body, location: undefined },
    { ...created.body, calendario: { criacao: created.body.calendario.criacao } },
    { ...created.body, valor: { original: '9.00', multa: { modalidade: '2', valorPerc: '1.00' } } },
    { ...created.body, valor: { original: '9.00', desconto: { modalidade: 1 } } },
  ]) {
    expect(findSchemaViolations('CobVGerada', JSON.parse(JSON.stringify(broken)))).not.toEqual([]);
  }
});

test('the schemas reject a response that violates them', async () => {
  const bank = await givenBank();
  const { txid, brCode } = await givenCharge(bank);
  const { body } = await bank.api('GET', `/v2/cob/${txid}`);
  for (const broken of [
    { ...body, revisao: undefined },
    { ...body, status: 'PAGA' },
    { ...body, valor: { original: '1,00' } },
    { ...body, calendario: { criacao: 'x' } },
    { ...body, devedor: { nome: 'sem documento' } },
  ]) {
    expect(findSchemaViolations('CobCompleta', JSON.parse(JSON.stringify(broken)))).not.toEqual([]);
  }
  const { endToEndId } = (await bank.call('POST', '/sandbox/payments', { brCode })).body;
  const refund = (await bank.api('PUT', `/v2/pix/${endToEndId}/devolucao/r1`, { valor: '1.00' })).body;
  expect(findSchemaViolations('Devolucao', refund)).toEqual([]);
  for (const broken of [
    { ...refund, rtrId: 'D1' },
    { ...refund, status: 'PAGO' },
    { ...refund, valor: 1 },
    { ...refund, natureza: 'OUTRA' },
  ]) {
    expect(findSchemaViolations('Devolucao', broken)).not.toEqual([]);
  }
});
