import { decodeBrCode } from '@jangada/pix';
import { expect, test } from 'vitest';
import { cobBody, givenBank, givenCharge } from '../../test/bank.ts';

const TXID = '7f3a9c2e51d84b0aa6e27f3a9c2e51d8';

test('a charge is created under its txid with a code that this bank can pay', async () => {
  const bank = await givenBank();
  const more = { solicitacaoPagador: 'Pagamento a Loja', devedor: { cpf: '12345678909', nome: 'Ana' } };
  const { status, body } = await bank.api('PUT', `/v2/cob/${TXID}`, cobBody('1250.00', more));
  expect(status).toBe(201);
  expect(body).toMatchObject({
    txid: TXID,
    revisao: 0,
    status: 'ATIVA',
    valor: { original: '1250.00' },
    ...more,
  });
  const code = decodeBrCode(body.pixCopiaECola);
  expect(code).toMatchObject({ kind: 'dynamic', url: body.location, amountCents: 125_000, issues: [] });
  expect((await bank.api('GET', `/v2/cob/${TXID}`)).body).toEqual(body);
});

test('repeating a PUT creates neither a second charge nor a revision', async () => {
  const bank = await givenBank();
  const first = await bank.api('PUT', `/v2/cob/${TXID}`, cobBody());
  const second = await bank.api('PUT', `/v2/cob/${TXID}`, cobBody());
  expect(second).toMatchObject({ status: 201, body: first.body });
});

test('a PUT with different terms changes an active charge and keeps the earlier revision', async () => {
  const bank = await givenBank();
  await bank.api('PUT', `/v2/cob/${TXID}`, cobBody('10.00'));
  const altered = await bank.api('PUT', `/v2/cob/${TXID}`, cobBody('11.00'));
  expect(altered.body).toMatchObject({ revisao: 1, valor: { original: '11.00' } });
  const earlier = await bank.api('GET', `/v2/cob/${TXID}?revisao=0`);
  expect(earlier.body).toMatchObject({ revisao: 0, valor: { original: '10.00' } });
  expect((await bank.api('GET', `/v2/cob/${TXID}?revisao=2`)).status).toBe(400);
});

test('a paid charge is CONCLUIDA, includes its Pix and cannot be changed or removed', async () => {
  const bank = await givenBank();
  const { txid, brCode } = await givenCharge(bank);
  const paid = await bank.call('POST', '/sandbox/payments', { brCode });
  const { body } = await bank.api('GET', `/v2/cob/${txid}`);
  expect(body).toMatchObject({
    status: 'CONCLUIDA',
    pix: [{ endToEndId: paid.body.endToEndId, valor: '10.00' }],
  });
  for (const [method, change] of [
    ['PUT', cobBody('11.00')],
    ['PATCH', { valor: { original: '11.00' } }],
    ['PATCH', { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }],
  ] as const) {
    const refused = await bank.api(method, `/v2/cob/${txid}`, change);
    expect(refused.status).toBe(400);
    expect(refused.body.type).toBe('https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida');
  }
});

test('a removed charge can still be read, but its payload is gone', async () => {
  const bank = await givenBank();
  const { txid, brCode } = await givenCharge(bank);
  const removed = await bank.api('PATCH', `/v2/cob/${txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  expect(removed).toMatchObject({
    status: 200,
    body: { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR', revisao: 1 },
  });
  expect((await bank.api('GET', `/v2/cob/${txid}`)).body.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  const code = decodeBrCode(brCode);
  const location = code.kind === 'dynamic' ? code.url : '';
  expect((await bank.call('GET', location.slice(location.indexOf('/')))).status).toBe(410);
});

test.each([
  ['a key of another account', { chave: '00000000-0000-4000-8000-000000000000' }, 'cob.chave'],
  ['an amount of zero', { valor: { original: '0.00' } }, 'cob.valor.original'],
  ['an amount that is a number', { valor: { original: 10 } }, 'cob.valor.original'],
  ['an amount with one decimal', { valor: { original: '10.0' } }, 'cob.valor.original'],
  ['an expiry of zero', { calendario: { expiracao: 0 } }, 'cob.calendario.expiracao'],
  [
    'a debtor with both documents',
    { devedor: { cpf: '12345678909', cnpj: '12345678000195', nome: 'A' } },
    'cob.devedor',
  ],
  ['a debtor without a name', { devedor: { cpf: '12345678909' } }, 'cob.devedor'],
  ['a debtor with a wrong CPF', { devedor: { cpf: '12345678900', nome: 'A' } }, 'cob.devedor'],
  ['a request that is too long', { solicitacaoPagador: 'x'.repeat(141) }, 'cob.solicitacaoPagador'],
  ['an unknown location', { loc: { id: 99 } }, 'cob.loc.id'],
])('%s is refused and names the field', async (_name, change, field) => {
  const bank = await givenBank();
  const { status, body, headers } = await bank.api('PUT', `/v2/cob/${TXID}`, cobBody('1.00', change));
  expect(status).toBe(400);
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(body.violacoes[0].propriedade).toBe(field);
  expect((await bank.api('GET', `/v2/cob/${TXID}`)).status).toBe(404);
});

test('a txid outside 26 to 35 letters and digits is refused', async () => {
  const bank = await givenBank();
  for (const txid of ['short', 'x'.repeat(36), `${'x'.repeat(25)}-`]) {
    expect((await bank.api('PUT', `/v2/cob/${txid}`, cobBody())).status).toBe(400);
  }
});

test('a list returns every charge of the window once, page by page', async () => {
  const bank = await givenBank();
  const txids = [];
  for (let n = 0; n < 7; n += 1) txids.push((await givenCharge(bank)).txid);
  const listedTxids = [];
  for (let page = 0; page < 3; page += 1) {
    const paging = `paginacao.itensPorPagina=3&paginacao.paginaAtual=${page}`;
    const { body } = await bank.api(
      'GET',
      `/v2/cob?inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z&${paging}`,
    );
    expect(body.parametros.paginacao).toMatchObject({ quantidadeDePaginas: 3, quantidadeTotalDeItens: 7 });
    listedTxids.push(...body.cobs.map((cob: { txid: string }) => cob.txid));
  }
  expect(listedTxids).toEqual(txids);
});

test('a list without a time window, or with a reversed one, is refused', async () => {
  const bank = await givenBank();
  for (const query of [
    '',
    '?inicio=2026-01-02T00:00:00Z&fim=2026-01-01T00:00:00Z',
    '?inicio=ontem&fim=hoje',
  ]) {
    const { status, body } = await bank.api('GET', `/v2/cob${query}`);
    expect([status, body.type]).toEqual([400, 'https://pix.bcb.gov.br/api/v2/error/CobConsultaInvalida']);
  }
});

test('an existing location can be linked to one charge, is shown by it, and can be unlinked', async () => {
  const bank = await givenBank();
  const { body: loc, status } = await bank.api('POST', '/v2/loc', { tipoCob: 'cob' });
  expect(status).toBe(201);
  const { body: charge } = await bank.api('PUT', `/v2/cob/${TXID}`, cobBody('5.00', { loc: { id: loc.id } }));
  expect(charge.location).toBe(loc.location);
  const secondCharge = await bank.api(
    'PUT',
    `/v2/cob/${TXID.replace('7', '8')}`,
    cobBody('5.00', { loc: { id: loc.id } }),
  );
  expect(secondCharge.status).toBe(400);
  expect((await bank.api('GET', `/v2/loc/${loc.id}`)).body.txid).toBe(TXID);
  expect((await bank.api('DELETE', `/v2/loc/${loc.id}/txid`)).body.txid).toBeUndefined();
  expect((await bank.api('GET', `/v2/cob/${TXID}`)).body.location).toBeUndefined();
});
