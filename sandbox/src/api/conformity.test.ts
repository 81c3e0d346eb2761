import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { findSchemaViolations } from '../../test/bacen-schema.ts';
import { cobBody, givenBank, givenCharge, givenReceiver } from '../../test/bank.ts';

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
