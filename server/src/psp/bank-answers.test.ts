import { crc16, decodeBrCode, encodeDynamicBrCode, encodeStaticBrCode } from '@jangada/pix';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptedBank, type ScriptedResponse, startScriptedBank } from '../../test/scripted-bank.ts';
import { newChargeIds } from '../payments/bank-ids.ts';
import { type Psp, PspNotAsked, PspRefused, PspUnknown } from './psp.ts';

// How the adapters read responses that Banco Sandbox never sends: rare, malformed, or of a proxy before the bank.

let bank: ScriptedBank;
let psp: Psp;

beforeAll(async () => {
  bank = await startScriptedBank();
  psp = bank.connect();
});
afterEach(() => {
  bank.calls = [];
  bank.responses = {};
});
afterAll(async () => {
  await psp.close();
  bank.stop();
});

const callsWithoutTokens = () => bank.calls.filter(({ path }) => path !== '/oauth/token');

async function readAll<T>(pages: AsyncIterable<T[]> | undefined): Promise<{ items: T[]; error: unknown }> {
  const items: T[] = [];
  try {
    for await (const page of pages ?? []) items.push(...page);
    return { items, error: undefined };
  } catch (error) {
    return { items, error };
  }
}
const from = new Date('2026-11-01T00:00:00Z');
const to = new Date('2026-11-02T00:00:00Z');
const moment = '2026-11-01T12:00:00.000Z';

const order = { idEnvio: 'envio1', amountCents: 1234, pixKey: 'a@loja.example', note: 'Saque' };
/** The bank's response to the order. */
const orderResponse = {
  idEnvio: 'envio1',
  e2eId: 'E1',
  valor: '12.34',
  horario: { solicitacao: moment },
  status: 'EM_PROCESSAMENTO',
};
/** The payout of the order, as the bank returns it in look-ups and lists. */
const sentPix = {
  endToEndId: 'E1',
  idEnvio: 'envio1',
  valor: '12.34',
  chave: 'pix@jangada.example',
  status: 'REALIZADO',
  horario: { solicitacao: moment, liquidacao: moment },
  favorecido: { chave: 'a@loja.example', identificacao: { nome: 'Loja', cpf: '***.456.789-**' } },
};
const endToEndId = 'E00000000202611011200abcdefghijk';
const devolucao = {
  id: 'r1',
  rtrId: 'D1',
  valor: '5.00',
  horario: { solicitacao: moment },
  status: 'DEVOLVIDO',
};
const pix = { endToEndId, valor: '10.00', horario: moment };
const notFound = {
  type: 'https://pix.bcb.gov.br/api/v2/error/PixEnviadoNaoEncontrado',
  title: 'Não encontrado',
};
const listOf = (items: object) => ({
  parametros: { paginacao: { paginaAtual: 0, quantidadeDePaginas: 1 } },
  ...items,
});

const newTxid = () => newChargeIds(1, new Date()).txid;

describe('a charge', () => {
  const txid = newTxid();
  const location = 'pix.example.com/qr/v2/9d36b84f';
  const merchant = { merchantName: 'Loja', merchantCity: 'Recife' };
  const cob = {
    txid,
    status: 'ATIVA',
    calendario: { criacao: moment, expiracao: 3600 },
    valor: { original: '12.34' },
    chave: 'pix@jangada.example',
    location,
  };
  const brCode = encodeDynamicBrCode({ ...merchant, url: location, amountCents: 1234 });
  const withLabel = (label: string) => withCrc(brCode.replace('62070503***', tlv('62', tlv('05', label))));
  const withoutAmount = withCrc(brCode.replace('540512.34', ''));
  const withTxid = withCrc(withoutAmount.replace('62070503***', tlv('62', tlv('05', txid.slice(0, 25)))));
  const codeOf = async (changes: object) => {
    bank.responses = { 'GET /v2/cob': { body: { ...cob, ...changes } } };
    return (await psp.findCharge(txid, 'immediate'))?.brCode;
  };

  test.for<[string, object, string]>([
    ['as sent by the bank', { pixCopiaECola: brCode }, brCode],
    ['with space around it', { pixCopiaECola: ` ${brCode}\n` }, brCode],
    ['without an amount', { pixCopiaECola: withoutAmount }, withoutAmount],
    [
      'with the beginning of the txid',
      { pixCopiaECola: withLabel(txid.slice(0, 25)) },
      withLabel(txid.slice(0, 25)),
    ],
    ['of a location with a scheme', { pixCopiaECola: brCode, location: `https://${location}` }, brCode],
    [
      'of a location in upper case',
      { pixCopiaECola: brCode, location: 'HTTPS://PIX.example.com/qr/v2/9d36b84f' },
      brCode,
    ],
    [
      'of a location in loc',
      { pixCopiaECola: withoutAmount, location: null, loc: { location } },
      withoutAmount,
    ],
    ['of the same amount, without a location', { pixCopiaECola: brCode, location: null }, brCode],
    ['of the same txid, without further evidence', { pixCopiaECola: withTxid, location: null }, withTxid],
  ])('has the bank’s code %s', async ([, changes, code]) => {
    expect(await codeOf(changes)).toBe(code);
  });

  test('without a code from the bank gets a code built from its location', async () => {
    const code = decodeBrCode((await codeOf({})) ?? '');
    expect(code).toMatchObject({ kind: 'dynamic', url: location, amountCents: 1234 });
    expect(await codeOf({ location: null, loc: { id: 1, location } })).toBe(await codeOf({}));
  });

  test.for<[string, object]>([
    ['a text that is not a code', { pixCopiaECola: 'x' }],
    ['a wrong CRC', { pixCopiaECola: `${brCode.slice(0, -4)}0000` }],
    [
      'another amount',
      { pixCopiaECola: encodeDynamicBrCode({ ...merchant, url: location, amountCents: 1235 }) },
    ],
    ['another location', { pixCopiaECola: encodeDynamicBrCode({ ...merchant, url: `${location}0` }) }],
    ['a path in other letters', { pixCopiaECola: brCode, location: location.toUpperCase() }],
    ['another location in loc', { pixCopiaECola: brCode, location: null, loc: { location: `${location}0` } }],
    ['no evidence that it belongs to the charge', { pixCopiaECola: withoutAmount, location: null }],
    ['another txid', { pixCopiaECola: withLabel('pedido42') }],
    [
      'a key',
      { pixCopiaECola: encodeStaticBrCode({ ...merchant, key: 'a@loja.example', amountCents: 1234 }) },
    ],
    [
      'a recurrence beside it',
      {
        pixCopiaECola: encodeDynamicBrCode({
          ...merchant,
          url: location,
          recurrenceUrl: 'pix.example.com/rec/1',
        }),
      },
    ],
    ['neither code nor location', { location: undefined }],
    ['an invalid location', { location: 'nowhere' }],
  ])('for which the bank returns %s has no code, but everything else', async ([, changes]) => {
    expect(await codeOf({ ...changes, pix: [pix] })).toBeUndefined();
    const open = { status: 'active', received: [{ endToEndId }] };
    expect(await psp.findCharge(txid, 'immediate')).toMatchObject(open);
  });
});

/** A field of a BR Code: its id, the length of its value in two digits, and the value. */
function tlv(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}

/** Replaces the CRC at the end of a code by the matching one. */
function withCrc(code: string): string {
  const payload = code.slice(0, -4);
  return payload + crc16(payload);
}

describe('a payout order', () => {
  const send = () => psp.payouts?.sendPayout(order);

  test('follows Efí’s documentation: version 3 of the API, and the gateway’s key as the payer’s', async () => {
    bank.responses = { 'PUT /v3': { status: 201, body: orderResponse } };
    expect(await send()).toMatchObject({ idEnvio: 'envio1', endToEndId: 'E1', status: 'processing' });
    expect(callsWithoutTokens()).toMatchObject([{ method: 'PUT', path: '/v3/gn/pix/envio1' }]);
    expect(JSON.parse(callsWithoutTokens()[0]?.body ?? '')).toEqual({
      valor: '12.34',
      pagador: { chave: 'pix@jangada.example', infoPagador: 'Saque' },
      favorecido: { chave: 'a@loja.example' },
    });
  });

  test.for<[string, ScriptedResponse]>([
    ['a broken connection', { cut: true }],
    ['broken JSON', { status: 201, body: '{"idEnvio":"env' }],
    ['an empty response', { status: 201, body: '' }],
    ['another order’s response', { status: 201, body: { ...orderResponse, idEnvio: 'envio2' } }],
    ['an unknown status', { status: 201, body: { ...orderResponse, status: 'AGENDADO' } }],
    ['an unreadable amount', { status: 201, body: { ...orderResponse, valor: 12.34 } }],
    ['a redirect', { status: 302, body: '' }],
    ['an unexplained 404', { status: 404, body: '<h1>Not Found</h1>' }],
    ['an unexplained 400', { status: 400, body: { message: 'Bad Request' } }],
    ['a proxy’s problem', { status: 404, body: { type: 'about:blank', title: 'Not Found' } }],
    [
      'another proxy’s problem',
      { status: 400, body: { type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1' } },
    ],
    ...[401, 403, 408, 429, 500, 502, 503, 504].map((status): [string, ScriptedResponse] => [
      String(status),
      { status, body: { nome: 'erro', mensagem: 'Erro' } },
    ]),
  ])('with %s has an unknown outcome', async ([, response]) => {
    bank.responses = { 'PUT /v3': response };
    await expect(send()).rejects.toBeInstanceOf(PspUnknown);
  });

  test('that cannot be sent at all also has an unknown outcome', async () => {
    const unreachable = bank.connect({
      PSP_BASE_URL: 'http://127.0.0.1:1/v2',
      PSP_TOKEN_URL: 'http://127.0.0.1:1/token',
    });
    await expect(unreachable.payouts?.sendPayout(order)).rejects.toBeInstanceOf(PspUnknown);
    await unreachable.close();
  });

  test.for<[number, unknown, Partial<PspRefused>]>([
    [
      400,
      { nome: 'valor_invalido', mensagem: 'Valor inválido' },
      { code: 'valor_invalido', reason: 'Valor inválido' },
    ],
    [404, { nome: 'chave_favorecido_nao_encontrada' }, { code: 'chave_favorecido_nao_encontrada' }],
    [422, { nome: 'pagamento_negado', mensagem: 'Negado' }, { code: 'pagamento_negado', reason: 'Negado' }],
    [
      400,
      { type: 'https://pix.bcb.gov.br/api/v2/error/PixInvalido', detail: 'Assim não' },
      { code: 'PixInvalido', reason: 'Assim não' },
    ],
  ])('refused with %i and an error name is definitely refused', async ([status, body, response]) => {
    bank.responses = { 'PUT /v3': { status, body } };
    const error: unknown = await send()?.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PspRefused);
    expect(error).toMatchObject(response);
  });

  test.for<[string, ScriptedResponse]>([
    ['with the documented name', { status: 409, body: { nome: 'id_envio_duplicado', mensagem: 'Usado' } }],
    ['with another name', { status: 409, body: { nome: 'outro' } }],
  ])('that is refused as a duplicate, %s, has the outcome of the first order', async ([, response]) => {
    bank.responses = { 'PUT /v3': response, 'GET /v2/gn/pix/enviados/id-envio/envio1': { body: sentPix } };
    expect(await send()).toMatchObject({ status: 'completed', amountCents: 1234, pixKey: 'a@loja.example' });
    bank.responses = { 'PUT /v3': response, 'GET /v2': { status: 404, body: notFound } };
    await expect(send()).rejects.toBeInstanceOf(PspUnknown);
    bank.responses = { 'PUT /v3': response, 'GET /v2': { status: 500 } };
    await expect(send()).rejects.toBeInstanceOf(PspUnknown);
  });
});

describe('a payout look-up', () => {
  const find = () => psp.payouts?.findPayout('envio1');
  const respondWith = (response: ScriptedResponse) => {
    bank.responses = { 'GET /v2/gn/pix/enviados/id-envio/envio1': response };
  };

  test('counts as not found only if the bank itself says so', async () => {
    respondWith({ status: 404, body: notFound });
    expect(await find()).toBeUndefined();
    respondWith({ status: 404, body: 'page not found' });
    await expect(find()).rejects.toBeInstanceOf(PspUnknown);
  });

  test.for<[string, unknown]>([
    ['an unknown status', { ...sentPix, status: 'DEVOLVIDO' }],
    ['another order', { ...sentPix, idEnvio: 'envio2' }],
    ['a return with an unknown status', { ...sentPix, devolucoes: [{ ...devolucao, status: 'NOVO' }] }],
  ])('with %s has an unknown outcome', async ([, body]) => {
    respondWith({ body });
    await expect(find()).rejects.toBeInstanceOf(PspUnknown);
  });

  test('omits a masked key, and includes only completed returns', async () => {
    const pending = { ...devolucao, rtrId: 'D2', status: 'EM_PROCESSAMENTO' };
    const settled = {
      ...devolucao,
      rtrId: 'D3',
      horario: { solicitacao: moment, liquidacao: '2026-11-01T12:00:01Z' },
    };
    respondWith({
      body: {
        ...sentPix,
        favorecido: { chave: '***@loja.example' },
        devolucoes: [devolucao, pending, settled],
      },
    });
    expect(await find()).toMatchObject({
      pixKey: undefined,
      returned: [
        { rtrId: 'D1', amountCents: 500, at: new Date(moment) },
        { rtrId: 'D3', amountCents: 500, at: new Date('2026-11-01T12:00:01Z') },
      ],
    });
  });

  test('of a failed Pix has the bank’s reason, if any', async () => {
    respondWith({
      body: {
        ...sentPix,
        status: 'NAO_REALIZADO',
        gnExtras: { erro: { codigo: 'AC03', motivo: 'Conta inexistente' } },
      },
    });
    expect((await find())?.refusal).toEqual({ code: 'AC03', reason: 'Conta inexistente' });
    respondWith({ body: { ...sentPix, status: 'NAO_REALIZADO' } });
    expect((await find())?.refusal).toEqual({ code: undefined, reason: 'O banco não realizou o Pix.' });
  });
});

describe('a list', () => {
  test('returns its readable items, and then reports that it is incomplete', async () => {
    bank.responses = {
      'GET /v2/pix?': { body: listOf({ pix: [pix, { ...pix, valor: 10 }] }) },
      'GET /v2/gn/pix/enviados?': { body: listOf({ pix: [{ ...sentPix, status: 'NOVO' }, sentPix] }) },
      'GET /v2/gn/infracoes?': { body: listOf({ infracoes: [{}] }) },
    };
    const received = await readAll(psp.listReceivedPix(from, to));
    expect(received.items).toMatchObject([{ endToEndId, amountCents: 1000, returns: [] }]);
    expect(received.error).toBeInstanceOf(PspUnknown);
    const payouts = await readAll(psp.payouts?.listPayouts(from, to));
    expect(payouts.items).toMatchObject([{ idEnvio: 'envio1' }]);
    expect(payouts.error).toBeInstanceOf(PspUnknown);
    const disputes = await readAll(psp.disputes?.listDisputes(from, to));
    expect(disputes.error).toBeInstanceOf(PspUnknown);
  });

  test('includes payouts without an id of ours, by their endToEndId', async () => {
    const { idEnvio, ...withoutIdEnvio } = sentPix;
    bank.responses = {
      'GET /v2/gn/pix/enviados?': { body: listOf({ pix: [withoutIdEnvio, { ...sentPix, idEnvio: null }] }) },
    };
    const { items, error } = await readAll(psp.payouts?.listPayouts(from, to));
    expect(items).toMatchObject([1, 2].map(() => ({ idEnvio: sentPix.endToEndId, amountCents: 1234 })));
    expect(error).toBeUndefined();
    bank.responses = { 'GET /v2/gn/pix/enviados/id-envio': { body: withoutIdEnvio } };
    await expect(psp.payouts?.findPayout(idEnvio)).rejects.toBeInstanceOf(PspUnknown);
    const { endToEndId: _, ...withoutIds } = withoutIdEnvio;
    bank.responses = { 'GET /v2/gn/pix/enviados?': { body: listOf({ pix: [withoutIds] }) } };
    expect((await readAll(psp.payouts?.listPayouts(from, to))).error).toBeInstanceOf(PspUnknown);
  });

  test('without its list field is an error', async () => {
    bank.responses = { 'GET /v2': { body: listOf({ outros: [] }) } };
    expect((await readAll(psp.payouts?.listPayouts(from, to))).error).toBeInstanceOf(PspUnknown);
  });

  test('of payouts is empty if the bank says “not found”; for received Pix that is an error', async () => {
    bank.responses = { 'GET /v2': { status: 404, body: notFound } };
    expect(await readAll(psp.payouts?.listPayouts(from, to))).toEqual({ items: [], error: undefined });
    expect((await readAll(psp.listReceivedPix(from, to))).error).toBeInstanceOf(PspUnknown);
    bank.responses = { 'GET /v2': { status: 404, body: 'nothing here' } };
    expect((await readAll(psp.payouts?.listPayouts(from, to))).error).toBeInstanceOf(PspUnknown);
  });
});

describe('the returns of a Pix', () => {
  const returnsOf = async (devolucoes: unknown) => {
    bank.responses = { 'GET /v2/pix': { body: { ...pix, devolucoes } } };
    return (await psp.findReceivedPix(endToEndId))?.returns;
  };
  const completedReturn = {
    refundId: 'r1',
    rtrId: 'D1',
    amountCents: 500,
    nature: 'requested',
    status: 'completed',
    at: new Date(moment),
    reason: undefined,
  };

  test('are read from a list, or individually', async () => {
    expect(await returnsOf([devolucao])).toEqual([completedReturn]);
    expect(await returnsOf(devolucao)).toEqual([completedReturn]);
    expect(await returnsOf(null)).toEqual([]);
    expect(await returnsOf(undefined)).toEqual([]);
  });

  test.for([
    ['ORIGINAL', 'requested'],
    ['RETIRADA', 'requested'],
    ['MED_FRAUDE', 'dispute'],
    ['MED_OPERACIONAL', 'dispute'],
    ['MED_PIX_AUTOMATICO', 'dispute'],
  ])('with nature %s are %s', async ([natureza, nature]) => {
    expect(await returnsOf([{ ...devolucao, natureza }])).toMatchObject([{ nature }]);
  });

  test('with an unknown status are not final, and hide neither the Pix nor other returns', async () => {
    expect(await returnsOf([{ ...devolucao, status: 'EM_ANALISE' }, devolucao])).toMatchObject([
      { status: 'processing' },
      { status: 'completed' },
    ]);
  });

  test('with an unreadable amount make the whole Pix unreadable', async () => {
    await expect(returnsOf([{ ...devolucao, valor: '5' }])).rejects.toBeInstanceOf(PspUnknown);
  });
});

describe('a refund', () => {
  const refund = { endToEndId, refundId: 'r1', amountCents: 500, note: '' };
  const requestRefund = () => psp.refunds?.requestRefund(refund);
  const problem = (propriedade: string) => ({
    type: 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida',
    detail: 'A requisição é inválida.',
    violacoes: [{ razao: 'Não dá.', propriedade }],
  });

  test('with an unknown status or another id has an unknown outcome', async () => {
    for (const body of [{ ...devolucao, status: 'NOVO' }, { ...devolucao, id: 'r2' }, '{', '<html>']) {
      bank.responses = { 'PUT /v2': { status: 201, body }, 'GET /v2': { body } };
      await expect(requestRefund()).rejects.toBeInstanceOf(PspUnknown);
      await expect(psp.refunds?.findRefund(endToEndId, 'r1')).rejects.toBeInstanceOf(PspUnknown);
    }
  });

  test('is definitely refused only if a look-up does not find it either', async () => {
    const refused = { status: 400, body: problem('devolucao.valor') };
    bank.responses = { 'PUT /v2': refused, 'GET /v2': { body: devolucao } };
    expect(await requestRefund()).toMatchObject({ refundId: 'r1', status: 'completed' });
    bank.responses = { 'PUT /v2': refused, 'GET /v2': { status: 404, body: notFound } };
    await expect(requestRefund()).rejects.toMatchObject({ code: 'PixDevolucaoInvalida', reason: 'Não dá.' });
    bank.responses = { 'PUT /v2': refused, 'GET /v2': { status: 503 } };
    await expect(requestRefund()).rejects.toBeInstanceOf(PspUnknown);
    bank.responses = {
      'PUT /v2': { status: 400, body: problem('id') },
      'GET /v2': { status: 404, body: notFound },
    };
    await expect(requestRefund()).rejects.toBeInstanceOf(PspUnknown);
    bank.responses = { 'PUT /v2': { status: 400, body: 'no' }, 'GET /v2': { status: 404, body: notFound } };
    await expect(requestRefund()).rejects.toBeInstanceOf(PspUnknown);
  });
});

describe('a balance', () => {
  test.for<[unknown, number, number]>([
    [{ saldo: '100.00', bloqueios: { judicial: '1.00', med: '2.50', total: '3.50' } }, 10_000, 350],
    [{ saldo: '-5.01', bloqueios: { total: '0.00' } }, -501, 0],
    [{ saldo: '0.00' }, 0, 0],
  ])('%j is read to the cent', async ([body, freeCents, blockedCents]) => {
    bank.responses = { 'GET /v2/gn/saldo?bloqueios=true': { body } };
    expect(await psp.account?.readBalance()).toEqual({ freeCents, blockedCents });
  });

  test.for([{ saldo: 100 }, { saldo: '1.000,00' }, {}, ''])('%j is an error', async (body) => {
    bank.responses = { 'GET /v2/gn/saldo': { body } };
    await expect(psp.account?.readBalance()).rejects.toBeInstanceOf(PspUnknown);
  });
});

describe('a dispute', () => {
  const infracao = {
    idInfracao: 'i1',
    endToEndId,
    protocolo: '123',
    valor: '10.00',
    status: 'ABERTA',
    razao: 'solicitação de devolução',
    tipoSituacao: 'golpe',
    dadosAnalise: { abertura: moment, prazoFinalizacao: '2026-11-08T12:00:00Z' },
  };
  const disputeList = (...infracoes: unknown[]) => ({
    'GET /v2/gn/infracoes?': { body: listOf({ infracoes }) },
  });
  const name = { disputeId: 'i1', openedAt: new Date(moment) };
  const defence = {
    text: 'Entregue.',
    files: [{ name: 'a.pdf', type: 'application/pdf', content: Buffer.from('a') }],
  };

  test.for<[object, string]>([
    [{}, 'golpe'],
    [{ tipoSituacao: 'outro' }, 'solicitação de devolução'],
    [{ tipoSituacao: 'outro', razao: null, comentario: 'Não comprei' }, 'outro: Não comprei'],
    [{ comentario: 'Não comprei' }, 'golpe: Não comprei'],
  ])('with %j has the most informative reason', async ([more, reason]) => {
    bank.responses = disputeList({ ...infracao, ...more });
    expect((await readAll(psp.disputes?.listDisputes(from, to))).items).toMatchObject([{ reason }]);
  });

  test('is looked up in the documented list, around its opening', async () => {
    bank.responses = disputeList({ ...infracao, idInfracao: 7 }, infracao);
    expect(await psp.disputes?.findDispute(name)).toMatchObject({ disputeId: 'i1' });
    expect(await psp.disputes?.findDispute({ ...name, disputeId: '7' })).toMatchObject({ disputeId: '7' });
    const { searchParams } = new URL(callsWithoutTokens()[0]?.path ?? '', bank.url);
    expect(Date.parse(searchParams.get('inicio') ?? '')).toBeLessThan(Date.parse(moment));
    expect(Date.parse(searchParams.get('fim') ?? '')).toBeGreaterThan(Date.parse(moment));
  });

  test('is defended with a text only where the bank documents no files', async () => {
    bank.responses = { 'POST /v2': { status: 201, body: {} } };
    expect(psp.disputes?.takesFiles).toBe(false);
    await psp.disputes?.sendDefence(name, defence);
    expect(callsWithoutTokens()).toMatchObject([{ path: '/v2/gn/infracoes/i1/defesa' }]);
    expect(JSON.parse(callsWithoutTokens()[0]?.body ?? '')).toEqual({
      analise: 'rejeitado',
      justificativa: 'Entregue.',
    });
  });

  test('whose defence was refused counts as defended only if the bank says so', async () => {
    const refused = {
      'POST /v2': {
        status: 409,
        body: { type: 'https://pix.bcb.gov.br/api/v2/error/InfracaoOperacaoInvalida' },
      },
    };
    bank.responses = { ...refused, ...disputeList({ ...infracao, status: 'EM_DEFESA' }) };
    await psp.disputes?.sendDefence(name, defence);
    bank.responses = { ...refused, ...disputeList({ ...infracao, status: 'ACEITA' }) };
    await expect(psp.disputes?.sendDefence(name, defence)).rejects.toBeInstanceOf(PspRefused);
    bank.responses = { 'POST /v2': { status: 302, body: '' } };
    await expect(psp.disputes?.sendDefence(name, defence)).rejects.toBeInstanceOf(PspUnknown);
  });
});

test('a refusal keeps the bank’s text, without the characters that cannot be stored', async () => {
  const longText = `\0${'🚣'.repeat(400)}`;
  bank.responses = { 'PUT /v3': { status: 400, body: { nome: 'x', mensagem: longText } } };
  const error: unknown = await psp.payouts?.sendPayout(order).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'x', reason: expect.stringContaining('\ufffd🚣') });
  bank.responses = { 'PUT /v2': { status: 400, body: `\0${longText}` } };
  const unnamedError: unknown = await psp
    .registerNoticeUrl('https://pix.example')
    .catch((thrown: unknown) => thrown);
  expect(unnamedError).toBeInstanceOf(PspRefused);
  for (const text of [String(Reflect.get(error as object, 'reason')), String(error), String(unnamedError)])
    expect([text.isWellFormed(), text.includes('\0')]).toEqual([true, false]);
});

test('Efí is asked not to demand a client certificate of a URL at which nothing proves who calls', async () => {
  const skipsCheck = async (settings: Readonly<Record<string, string>>) => {
    bank.calls = [];
    const connected = bank.connect(settings);
    await connected.registerNoticeUrl('https://pix.example/psp/efi/secret');
    await connected.close();
    return callsWithoutTokens()[0]?.headers['x-skip-mtls-checking'];
  };
  expect(await skipsCheck({})).toBe('true');
  expect(await skipsCheck({ PSP_WEBHOOK_PROOF: 'x-ssl-verify: SUCCESS' })).toBeUndefined();
  expect(await skipsCheck({ PSP: 'bacen' })).toBeUndefined();
});

test('a bank with the standard API Pix only has refunds, and no payouts, disputes or balance', async () => {
  const standard = bank.connect({ PSP: 'bacen' });
  expect(standard.refunds).toBeDefined();
  expect([standard.payouts, standard.disputes, standard.account]).toEqual([undefined, undefined, undefined]);
  await standard.close();
});

test('PSP_REFUNDS=0 disables refunds', async () => {
  const without = bank.connect({ PSP_REFUNDS: '0' });
  expect(without.refunds).toBeUndefined();
  expect(without.payouts).toBeDefined();
  await without.close();
});

test('the token is requested as in the standard: a form, with the configured scopes', async () => {
  bank.responses = { 'POST /oauth/token': { status: 403 } };
  const scoped = bank.connect({ PSP_SCOPE: 'cob.write pix.read' });
  const charge = { txid: newTxid(), amountCents: 100, expiresInSeconds: 60, payerNote: '' };
  await expect(scoped.createCharge(charge)).rejects.toThrow(/credentials/);
  expect(bank.calls).toMatchObject([
    {
      method: 'POST',
      path: '/oauth/token',
      body: 'grant_type=client_credentials&scope=cob.write+pix.read',
    },
  ]);
  await scoped.close();
});

test.for<[string, ScriptedResponse]>([
  ['a redirect', { status: 302 }],
  ['an address that is gone', { status: 404 }],
  ['too many calls', { status: 429 }],
  ['an answer without a token', { status: 200, body: { nothing: true } }],
])('%s instead of a token counts as a failure of the bank', async ([, response]) => {
  bank.responses = { 'POST /oauth/token': response };
  const refused = bank.connect();
  await expect(refused.findCharge(newTxid(), 'immediate')).rejects.toBeInstanceOf(PspUnknown);
  expect(refused.health()).toMatchObject({ answers: 0, failuresInARow: 3 });
  expect(refused.reachable()).toBe(false);
  await refused.close();
});

test('while a bank fails again and again, a new charge is not asked for, but payouts and look-ups are', async () => {
  const txid = newTxid();
  const newCharge = { txid, amountCents: 100, expiresInSeconds: 1800, payerNote: '' };
  const failing = bank.connect();
  bank.responses = { 'PUT ': { status: 503 }, 'GET ': { status: 503 } };
  for (let charges = 0; charges < 8; charges += 1)
    await expect(failing.createCharge(newCharge)).rejects.not.toBeInstanceOf(PspNotAsked);
  // After each pause one is tried, so on a busy machine the next may be such a trial.
  await expect
    .poll(() => {
      bank.calls = [];
      return failing.createCharge(newCharge).catch((error: unknown) => error);
    })
    .toBeInstanceOf(PspNotAsked);
  expect(bank.calls).toEqual([]);
  await expect(failing.payouts?.sendPayout(order)).rejects.not.toBeInstanceOf(PspNotAsked);
  await expect(failing.findCharge(txid, 'immediate')).rejects.not.toBeInstanceOf(PspNotAsked);
  expect((await readAll(failing.listReceivedPix(from, to))).error).not.toBeInstanceOf(PspNotAsked);
  expect(new Set(callsWithoutTokens().map(({ method }) => method))).toEqual(new Set(['PUT', 'GET']));
  // An answer to a look-up ends the pause.
  bank.responses = { 'PUT ': { status: 503 }, 'GET ': { status: 404 } };
  expect(await failing.findCharge(txid, 'immediate')).toBeUndefined();
  await expect(failing.createCharge(newCharge)).rejects.not.toBeInstanceOf(PspNotAsked);
  await failing.close();
});
