import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeBrCode } from '@jangada/pix';
import { expect, test } from 'vitest';
import {
  cobBody,
  cobvBody,
  connect,
  givenBank,
  givenCharge,
  givenCobv,
  givenDirectory,
  WINDOW,
} from '../../test/bank.ts';
import { Books } from '../books.ts';

const TXID = '7f3a9c2e51d84b0aa6e27f3a9c2e51d8';
const PATH = `/v2/cobv/${TXID}`;
const ERRORS = 'https://pix.bcb.gov.br/api/v2/error';

const withValue = (more: object) => ({ valor: { original: '100.00', ...more } });
const withDiscount = (desconto: object) => withValue({ desconto });

test('a charge with a due date is created with a code that names its location and no amount', async () => {
  const bank = await givenBank();
  const more = {
    devedor: { cnpj: '12345678000195', nome: 'Empresa', cidade: 'Olinda', uf: 'PE' },
    solicitacaoPagador: 'Mensalidade',
  };
  const { status, body } = await bank.api('PUT', PATH, cobvBody(more));
  expect(status).toBe(201);
  expect(body).toMatchObject({
    ...more,
    txid: TXID,
    revisao: 0,
    status: 'ATIVA',
    calendario: { dataDeVencimento: '2099-03-02', validadeAposVencimento: 5 },
    valor: { original: '100.00' },
    recebedor: { cnpj: bank.sandbox.account.document, nome: bank.sandbox.account.name },
    loc: { tipoCob: 'cobv', txid: TXID },
  });
  expect(body.location).toMatch(/^localhost:\d+\/qr\/v2\/cobv\/[0-9a-f]{32}$/);
  const code = decodeBrCode(body.pixCopiaECola);
  expect(code).toMatchObject({ kind: 'dynamic', url: body.location, issues: [] });
  expect(code).not.toHaveProperty('amountCents');
  expect((await bank.api('GET', PATH)).body).toEqual(body);
});

test('without a validity a charge is valid for 30 days after its due date', async () => {
  const bank = await givenBank();
  const { body } = await bank.api('PUT', PATH, cobvBody({ calendario: { dataDeVencimento: '2099-03-02' } }));
  expect(body.calendario.validadeAposVencimento).toBe(30);
});

test('a modality is taken as a number and as a text of digits, and answered as a number', async () => {
  const bank = await givenBank();
  const valor = {
    original: '100.00',
    multa: { modalidade: '2', valorPerc: '2.00' },
    juros: { modalidade: 3, valorPerc: '1.00' },
    abatimento: { modalidade: '1', valorPerc: '5.00' },
    desconto: { modalidade: '2', descontoDataFixa: [{ data: '2099-02-01', valorPerc: '3.00' }] },
  };
  const { body } = await bank.api('PUT', PATH, cobvBody({ valor }));
  expect(body.valor).toEqual({
    ...valor,
    multa: { modalidade: 2, valorPerc: '2.00' },
    abatimento: { modalidade: 1, valorPerc: '5.00' },
    desconto: { ...valor.desconto, modalidade: 2 },
  });
});

test('repeating a PUT changes nothing, and other terms make a revision that keeps the earlier one', async () => {
  const bank = await givenBank();
  const first = await bank.api('PUT', PATH, cobvBody());
  expect(await bank.api('PUT', PATH, cobvBody())).toMatchObject({ status: 201, body: first.body });
  const altered = await bank.api('PUT', PATH, cobvBody({ valor: { original: '90.00' } }));
  expect(altered.body).toMatchObject({ revisao: 1, valor: { original: '90.00' } });
  const earlier = await bank.api('GET', `${PATH}?revisao=0`);
  expect(earlier.body).toMatchObject({ revisao: 0, valor: { original: '100.00' } });
  expect((await bank.api('GET', `${PATH}?revisao=2`)).body.type).toBe(`${ERRORS}/CobVConsultaInvalida`);
});

test('a PATCH changes what it names and leaves the rest', async () => {
  const bank = await givenBank();
  const multa = { modalidade: 1, valorPerc: '2.00' };
  await bank.api('PUT', PATH, cobvBody(withValue({ multa })));
  const changed = await bank.api('PATCH', PATH, {
    calendario: { dataDeVencimento: '2099-04-01' },
    valor: { juros: { modalidade: 1, valorPerc: '0.10' } },
  });
  expect(changed).toMatchObject({ status: 200, body: { revisao: 1 } });
  expect(changed.body.calendario).toMatchObject({
    dataDeVencimento: '2099-04-01',
    validadeAposVencimento: 5,
  });
  expect(changed.body.valor).toEqual({
    original: '100.00',
    multa,
    juros: { modalidade: 1, valorPerc: '0.10' },
  });
});

test('a charge is removed by itself alone, and then changes no more', async () => {
  const bank = await givenBank();
  await bank.api('PUT', PATH, cobvBody());
  const status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
  const mixed = await bank.api('PATCH', PATH, { status, solicitacaoPagador: 'x' });
  expect(mixed.body.violacoes[0].propriedade).toBe('cobv.status');
  expect(await bank.api('PATCH', PATH, { status })).toMatchObject({
    status: 200,
    body: { status, revisao: 1 },
  });
  for (const [method, body] of [
    ['PUT', cobvBody({ valor: { original: '1.00' } })],
    ['PATCH', { valor: { original: '1.00' } }],
    ['PATCH', { status }],
  ] as const) {
    expect((await bank.api(method, PATH, body)).body).toMatchObject({
      type: `${ERRORS}/CobVOperacaoInvalida`,
      violacoes: [{ propriedade: 'cobv.status' }],
    });
  }
});

test.each([
  ['a body that is no object', [], 'cobv', /campo cobv não respeita/],
  [
    'a due date before the day of creation',
    { calendario: { dataDeVencimento: '2020-01-02' } },
    'cobv.calendario.dataDeVencimento',
    /anterior/,
  ],
  [
    'a due date that does not exist',
    { calendario: { dataDeVencimento: '2099-02-30' } },
    'cobv.calendario.dataDeVencimento',
    /schema/,
  ],
  ['no calendar', { calendario: undefined }, 'cobv.calendario', /schema/],
  [
    'a validity below zero',
    { calendario: { dataDeVencimento: '2099-01-01', validadeAposVencimento: -1 } },
    'cobv.calendario.validadeAposVencimento',
    /menor do que zero/,
  ],
  ['no debtor', { devedor: undefined }, 'cobv.devedor', /objeto cobv.devedor/],
  [
    'a debtor with both documents',
    { devedor: { cpf: '12345678909', cnpj: '12345678000195', nome: 'A' } },
    'cobv.devedor',
    /objeto/,
  ],
  [
    'a debtor with a long postal code',
    { devedor: { cpf: '12345678909', nome: 'A', cep: '50030-230' } },
    'cobv.devedor',
    /objeto/,
  ],
  ['a key that is too long', { chave: 'x'.repeat(78) }, 'cobv.chave', /schema/],
  [
    'a key of another account',
    { chave: '00000000-0000-4000-8000-000000000000' },
    'cobv.chave',
    /não pertence/,
  ],
  [
    'a request that is too long',
    { solicitacaoPagador: 'x'.repeat(141) },
    'cobv.solicitacaoPagador',
    /schema/,
  ],
  [
    'an additional text without a name',
    { infoAdicionais: [{ valor: 'x' }] },
    'cobv.infoAdicionais.0.nome',
    /schema/,
  ],
  ['an unknown location', { loc: { id: 99 } }, 'cobv.loc.id', /inexiste/],
  ['an amount that is a number', { valor: { original: 10 } }, 'cobv.valor.original', /schema/],
  ['an amount of zero', { valor: { original: '0.00' } }, 'cobv.valor.original', /zero/],
  [
    'a fine of an unknown modality',
    withValue({ multa: { modalidade: 3, valorPerc: '1.00' } }),
    'cobv.valor.multa',
    /objeto/,
  ],
  [
    'interest of an unknown modality',
    withValue({ juros: { modalidade: '9', valorPerc: '1.00' } }),
    'cobv.valor.juros',
    /objeto/,
  ],
  ['interest without a value', withValue({ juros: { modalidade: 1 } }), 'cobv.valor.juros', /objeto/],
  [
    'a rebate with one decimal',
    withValue({ abatimento: { modalidade: 1, valorPerc: '1.0' } }),
    'cobv.valor.abatimento',
    /objeto/,
  ],
  [
    'a rebate of the amount',
    withValue({ abatimento: { modalidade: 1, valorPerc: '100.00' } }),
    'cobv.valor.abatimento',
    /maior ou igual/,
  ],
  [
    'a rebate of 100%',
    withValue({ abatimento: { modalidade: 2, valorPerc: '100.00' } }),
    'cobv.valor.abatimento',
    /maior ou igual/,
  ],
  ['a discount without a modality', withDiscount({ valorPerc: '1.00' }), 'cobv.valor.desconto', /schema/],
  [
    'four steps of a discount',
    withDiscount({
      modalidade: 1,
      descontoDataFixa: ['01', '02', '03', '04'].map((day) => ({
        data: `2099-01-${day}`,
        valorPerc: '1.00',
      })),
    }),
    'cobv.valor.desconto',
    /schema/,
  ],
  [
    'a step of the amount',
    withDiscount({ modalidade: 1, descontoDataFixa: [{ data: '2099-01-01', valorPerc: '100.00' }] }),
    'cobv.valor.desconto',
    /maior ou igual/,
  ],
  [
    'a step of 100%',
    withDiscount({ modalidade: 2, descontoDataFixa: [{ data: '2099-01-01', valorPerc: '100.00' }] }),
    'cobv.valor.desconto',
    /maior ou igual/,
  ],
  [
    'a discount of 100% a day',
    withDiscount({ modalidade: 5, valorPerc: '100.00' }),
    'cobv.valor.desconto',
    /maior ou igual/,
  ],
  [
    'a discount of the amount a day',
    withDiscount({ modalidade: 3, valorPerc: '100.00' }),
    'cobv.valor.desconto',
    /maior ou igual/,
  ],
  [
    'a step after the due date',
    withDiscount({ modalidade: 1, descontoDataFixa: [{ data: '2099-03-03', valorPerc: '1.00' }] }),
    'cobv.valor.desconto',
    /posterior/,
  ],
  [
    'steps together with a value',
    withDiscount({
      modalidade: 2,
      descontoDataFixa: [{ data: '2099-01-01', valorPerc: '1.00' }],
      valorPerc: '1.00',
    }),
    'cobv.valor.desconto',
    /encontra-se preenchido/,
  ],
  [
    'a discount until days without steps',
    withDiscount({ modalidade: 1, descontoDataFixa: [] }),
    'cobv.valor.desconto',
    /vazio ou nulo/,
  ],
  [
    'a discount by days without a value',
    withDiscount({ modalidade: 4, valorPerc: null }),
    'cobv.valor.desconto',
    /não está preenchido/,
  ],
  [
    'a discount by days with steps',
    withDiscount({
      modalidade: 6,
      valorPerc: '1.00',
      descontoDataFixa: [{ data: '2099-01-01', valorPerc: '1.00' }],
    }),
    'cobv.valor.desconto',
    /preenchido ou não nulo/,
  ],
])('%s is refused and names the field', async (_name, change, property, reason) => {
  const bank = await givenBank();
  const request = Array.isArray(change) ? change : cobvBody(change);
  const { status, body } = await bank.api('PUT', PATH, request);
  expect([status, body.type]).toEqual([400, `${ERRORS}/CobVOperacaoInvalida`]);
  expect(body.violacoes).toEqual([
    {
      razao: expect.stringMatching(reason),
      propriedade: property,
      ...(body.violacoes[0].valor && { valor: body.violacoes[0].valor }),
    },
  ]);
  expect((await bank.api('GET', PATH)).body.type).toBe(`${ERRORS}/CobVNaoEncontrada`);
});

test('a PATCH is refused if the terms that it leaves break a rule', async () => {
  const bank = await givenBank();
  const steps = [{ data: '2099-03-01', valorPerc: '50.00' }];
  await bank.api('PUT', PATH, cobvBody(withDiscount({ modalidade: 1, descontoDataFixa: steps })));
  for (const change of [
    { calendario: { dataDeVencimento: '2099-02-01' } },
    { valor: { original: '50.00' } },
  ]) {
    expect((await bank.api('PATCH', PATH, change)).body).toMatchObject({
      type: `${ERRORS}/CobVOperacaoInvalida`,
      violacoes: [{ propriedade: 'cobv.valor.desconto' }],
    });
  }
  expect((await bank.api('GET', PATH)).body.revisao).toBe(0);
});

test('a step of a discount may end on the due date', async () => {
  const bank = await givenBank();
  const descontoDataFixa = [{ data: '2099-03-02', valorPerc: '1.00' }];
  const { status } = await bank.api('PUT', PATH, cobvBody(withDiscount({ modalidade: 1, descontoDataFixa })));
  expect(status).toBe(201);
});

test('a charge may be due on the day of its creation in São Paulo', async () => {
  // Two hours past midnight in UTC is still the day before in São Paulo.
  const bank = await givenBank({ machineNow: () => Date.parse('2026-12-02T02:00:00Z') });
  const dueOn = (day: string) => bank.api('PUT', PATH, cobvBody({ calendario: { dataDeVencimento: day } }));
  expect((await dueOn('2026-11-30')).status).toBe(400);
  expect((await dueOn('2026-12-01')).status).toBe(201);
});

test('a txid belongs to one charge, immediate or with a due date', async () => {
  const bank = await givenBank();
  await bank.api('PUT', PATH, cobvBody());
  expect((await bank.api('PUT', `/v2/cob/${TXID}`, cobBody())).body).toMatchObject({
    type: `${ERRORS}/CobOperacaoInvalida`,
    violacoes: [{ propriedade: 'txid' }],
  });
  expect((await bank.api('GET', `/v2/cob/${TXID}`)).status).toBe(404);
  const { txid } = await givenCharge(bank);
  expect((await bank.api('PUT', `/v2/cobv/${txid}`, cobvBody())).body).toMatchObject({
    type: `${ERRORS}/CobVOperacaoInvalida`,
    violacoes: [{ propriedade: 'txid' }],
  });
  expect((await bank.api('PUT', '/v2/cobv/short', cobvBody())).body.violacoes[0].propriedade).toBe('txid');
});

test('a location shows only charges of its kind', async () => {
  const bank = await givenBank();
  const { body: forCob } = await bank.api('POST', '/v2/loc', { tipoCob: 'cob' });
  const { body: forCobv } = await bank.api('POST', '/v2/loc', { tipoCob: 'cobv' });
  const wrong = await bank.api('PUT', PATH, cobvBody({ loc: { id: forCob.id } }));
  expect(wrong.body.violacoes[0]).toMatchObject({
    propriedade: 'cobv.loc.id',
    razao: expect.stringMatching(/tipo "cob" \(deveria ser "cobv"\)/),
  });
  const other = await bank.api('PUT', `/v2/cob/${TXID}`, cobBody('1.00', { loc: { id: forCobv.id } }));
  expect(other.body.violacoes[0].propriedade).toBe('cob.loc.id');
  const linked = await bank.api('PUT', PATH, cobvBody({ loc: { id: forCobv.id } }));
  expect(linked.body.location).toBe(forCobv.location);
  const second = await bank.api('PUT', PATH.replace('7', '8'), cobvBody({ loc: { id: forCobv.id } }));
  expect(second.body.violacoes[0].razao).toMatch(/já está sendo utilizado/);
  expect((await bank.api('DELETE', `/v2/loc/${forCobv.id}/txid`)).body.txid).toBeUndefined();
  expect((await bank.api('GET', PATH)).body.location).toBeUndefined();
});

test('a list returns the charges with a due date alone, and by each filter', async () => {
  const bank = await givenBank();
  await givenCharge(bank);
  const { txid: ofAna } = await givenCobv(bank);
  const company = { devedor: { cnpj: '12345678000195', nome: 'Empresa' } };
  const { txid: ofCompany } = await givenCobv(bank, company);
  await bank.api('PATCH', `/v2/cobv/${ofCompany}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  const list = async (filter: string) =>
    (await bank.api('GET', `/v2/cobv?${WINDOW}${filter}`)).body.cobs.map(
      (cobv: { txid: string }) => cobv.txid,
    );
  expect(await list('')).toEqual([ofAna, ofCompany]);
  expect(await list('&cpf=12345678909')).toEqual([ofAna]);
  expect(await list('&cnpj=12345678000195')).toEqual([ofCompany]);
  expect(await list('&status=ATIVA')).toEqual([ofAna]);
  expect(await list('&locationPresente=false')).toEqual([]);
  expect(await list('&loteCobVId=1')).toEqual([]);
  expect(await list('&paginacao.itensPorPagina=1&paginacao.paginaAtual=1')).toEqual([ofCompany]);
  expect((await bank.api('GET', `/v2/cob?${WINDOW}`)).body.cobs).toHaveLength(1);
});

test.each([
  ['no window', ''],
  ['a reversed window', 'inicio=2026-01-02T00:00:00Z&fim=2026-01-01T00:00:00Z'],
  ['both documents', `${WINDOW}&cpf=12345678909&cnpj=12345678000195`],
  ['a malformed CPF', `${WINDOW}&cpf=1`],
  ['a malformed flag', `${WINDOW}&locationPresente=sim`],
  ['a malformed batch', `${WINDOW}&loteCobVId=um`],
  ['a page below zero', `${WINDOW}&paginacao.paginaAtual=-1`],
  ['a page of no size', `${WINDOW}&paginacao.itensPorPagina=-1`],
])('a list with %s is refused', async (_name, query) => {
  const bank = await givenBank();
  const { status, body } = await bank.api('GET', `/v2/cobv?${query}`);
  expect([status, body.type]).toEqual([400, `${ERRORS}/CobVConsultaInvalida`]);
});

test('reading and writing each require their own scope', async () => {
  const bank = await givenBank();
  const reader = await connect(bank.sandbox, 'cobv.read cob.write');
  const writer = await connect(bank.sandbox, 'cobv.write cob.read');
  expect((await reader.api('PUT', PATH, cobvBody())).status).toBe(403);
  expect((await writer.api('PUT', PATH, cobvBody())).status).toBe(201);
  expect((await writer.api('GET', PATH)).status).toBe(403);
  expect((await writer.api('GET', `/v2/cobv?${WINDOW}`)).status).toBe(403);
  expect((await reader.api('PATCH', PATH, {})).status).toBe(403);
  expect((await reader.api('GET', PATH)).status).toBe(200);
});

test('charges with a due date survive a restart, and the rewriting of the journal', async () => {
  const dataDir = await givenDirectory();
  const publicUrl = 'http://banco.example';
  const first = await givenBank({ dataDir, publicUrl });
  await first.api('PUT', PATH, cobvBody());
  await first.api('PATCH', PATH, withDiscount({ modalidade: 5, valorPerc: '0.10' }));
  await givenCobv(first);
  const read = async (bank: typeof first) => [
    (await bank.api('GET', `/v2/cobv?${WINDOW}`)).body,
    (await bank.api('GET', `${PATH}?revisao=0`)).body,
  ];
  const before = await read(first);
  await first.sandbox.stop();
  const second = await givenBank({ dataDir, publicUrl });
  expect(await read(second)).toEqual(before);
  await second.sandbox.stop();
  const books = await Books.open(dataDir, { durable: false });
  const { behaviour } = books;
  await Promise.all(Array.from({ length: 11_000 }, () => books.record({ t: 'behaviour', behaviour })));
  await books.close();
  // This start rewrites the journal, and the one after it reads what was written.
  const rewriting = await givenBank({ dataDir, publicUrl });
  await rewriting.sandbox.stop();
  expect((await readFile(join(dataDir, 'journal.jsonl'), 'utf8')).split('\n').length).toBeLessThan(20);
  expect(await read(await givenBank({ dataDir, publicUrl }))).toEqual(before);
});

test('the bank misbehaves about charges with a due date as about others', async () => {
  const bank = await givenBank();
  await bank.call('PUT', '/sandbox/behaviour', { charges: 'accepted-then-timeout' });
  expect(await bank.isAnswered('PUT', PATH, cobvBody())).toBe(false);
  await bank.call('PUT', '/sandbox/behaviour', { charges: 'down' });
  expect((await bank.api('GET', PATH)).status).toBe(503);
  await bank.call('PUT', '/sandbox/behaviour', { charges: 'normal' });
  expect((await bank.api('GET', PATH)).status).toBe(200);
  const down = await bank.api('PUT', PATH, cobvBody({ valor: { original: '13.04' } }));
  expect(down.status).toBe(503);
});
