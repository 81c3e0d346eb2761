import { decodeBrCode, encodeDynamicBrCode, encodeRecurrenceBrCode } from '@jangada/pix';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptedBank, startScriptedBank } from '../../test/scripted-bank.ts';
import { type Psp, PspRefused, PspUnknown } from './psp.ts';
import type { PixRecurring } from './recurring.ts';

// How the adapter speaks Pix Automático, with answers as the official file of API Pix 2.9.0 gives them as examples: in
// them are faults that banks repeat.

let bank: ScriptedBank;
let psp: Psp;
let recurring: PixRecurring;

beforeAll(async () => {
  bank = await startScriptedBank();
  psp = bank.connect({ PSP_ACCOUNT: 'corrente 9708 012682' });
  if (psp.recurring === undefined) throw new Error('the bank makes no debits');
  recurring = psp.recurring;
});
afterEach(() => {
  bank.calls = [];
  bank.responses = {};
});
afterAll(async () => {
  await psp.close();
  bank.stop();
});

const lastCall = () => {
  const call = bank.calls.at(-1);
  return { method: call?.method, path: call?.path, body: call?.body ? JSON.parse(call.body) : undefined };
};
async function readAll<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}
const from = new Date('2024-01-01T00:00:00Z');
const to = new Date('2024-12-01T00:00:00Z');
const listOf = (items: object) => ({
  parametros: { paginacao: { paginaAtual: 0, quantidadeDePaginas: 1 } },
  ...items,
});
const problem = (name: string, more: object = {}) => ({
  type: `https://pix.bcb.gov.br/api/v2/error/${name}`,
  title: 'Recusado.',
  ...more,
});

const idRec = 'RN1234567820240115abcdefghijk';
const location = 'pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002';
/** The official file's example of a mandate that was just created. */
const rec = {
  idRec,
  vinculo: {
    contrato: '63100862',
    devedor: { cpf: '52998224725', nome: 'Fulano de Tal' },
    objeto: 'Serviço de Streamming de Música.',
  },
  calendario: { dataFinal: '2025-04-01', dataInicial: '2024-04-01', periodicidade: 'MENSAL' },
  politicaRetentativa: 'NAO_PERMITE',
  recebedor: { cnpj: '01602606113708', nome: 'Empresa de Serviços SA' },
  valor: { valorRec: '35.00' },
  status: 'CRIADA',
  loc: { criacao: '2023-12-10T07:10:05.115Z', id: 108, location, idRec },
  ativacao: { dadosJornada: { tipoJornada: 'JORNADA_3', txid: '33beb661beda44a8928fef47dbeb2dc5' } },
  atualizacao: [{ data: '2023-12-19T12:28:05.230Z', nome: 'CRIADA' }],
};
const order = {
  contract: '63100862',
  object: 'Serviço de Streamming de Música.',
  payer: { name: 'Fulano de Tal', document: '52998224725' },
  firstDay: '2024-04-01',
  lastDay: '2025-04-01',
  period: 'monthly',
  amountCents: 3500,
  minMaximumCents: undefined,
  allowsRetries: false,
  locationId: 108,
  firstChargeTxid: '33beb661beda44a8928fef47dbeb2dc5',
} as const;

describe('a mandate', () => {
  test('is ordered as the official example', async () => {
    bank.responses = { 'POST /v2/rec': { status: 201, body: rec } };
    expect(await recurring.createMandate(order)).toMatchObject({
      idRec,
      contract: '63100862',
      status: 'created',
      amountCents: 3500,
      firstDay: '2024-04-01',
      lastDay: '2025-04-01',
      period: 'monthly',
      journey: undefined,
      statusAt: new Date('2023-12-19T12:28:05.230Z'),
      end: undefined,
    });
    const { vinculo, calendario, valor, politicaRetentativa } = rec;
    expect(lastCall()).toStrictEqual({
      method: 'POST',
      path: '/v2/rec',
      body: {
        ...{ vinculo, calendario, valor, politicaRetentativa, loc: 108 },
        ativacao: { dadosJornada: { txid: order.firstChargeTxid } },
      },
    });
  });

  test('of a varying amount names the least maximum, and an open one neither amount nor end', async () => {
    bank.responses = { 'POST /v2/rec': { status: 201, body: rec } };
    const open = {
      ...order,
      ...{ amountCents: undefined, lastDay: undefined, locationId: undefined, firstChargeTxid: undefined },
    };
    await recurring.createMandate({ ...open, minMaximumCents: 500_000, allowsRetries: true });
    expect(lastCall().body).toMatchObject({
      valor: { valorMinimoRecebedor: '5000.00' },
      politicaRetentativa: 'PERMITE_3R_7D',
    });
    await recurring.createMandate({ ...open, payer: { name: 'Loja', document: '01602606113708' } });
    expect(lastCall().body).toStrictEqual({
      vinculo: { ...rec.vinculo, devedor: { cnpj: '01602606113708', nome: 'Loja' } },
      calendario: { dataInicial: '2024-04-01', periodicidade: 'MENSAL' },
      politicaRetentativa: 'NAO_PERMITE',
    });
  });

  test('is refused for certain if the bank says so, and not if it is not clear', async () => {
    const answers = async (status: number, body?: object) => {
      bank.responses = { 'POST /v2/rec': { status, body } };
      return await recurring.createMandate(order).catch((error: unknown) => error);
    };
    expect(await answers(400, problem('RecOperacaoInvalida'))).toBeInstanceOf(PspRefused);
    expect(await answers(403, problem('AcessoNegado'))).toBeInstanceOf(PspRefused);
    expect(await answers(503)).toBeInstanceOf(PspUnknown);
    expect(await answers(201, { ...rec, status: 'OUTRA' })).toBeInstanceOf(PspUnknown);
    expect(await answers(201, { ...rec, vinculo: { contrato: 'outro' } })).toBeInstanceOf(PspUnknown);
    // A fixed amount that cannot be read is not a varying one.
    expect(await answers(201, { ...rec, valor: { valorRec: '35' } })).toBeInstanceOf(PspUnknown);
  });

  test('that a right is missing for says nothing about the bank’s other services', async () => {
    bank.responses = { 'POST /v2/rec': { status: 403, body: problem('AcessoNegado') } };
    for (let attempt = 1; attempt <= 20; attempt += 1)
      await expect(recurring.createMandate(order)).rejects.toThrow(PspRefused);
    expect(psp.health()).toMatchObject({ failuresInARow: 0 });
    expect(psp.reachable()).toBe(true);
  });

  test('tells how and when it was allowed, and who ended it why', async () => {
    bank.responses = {
      'GET /v2/rec/': {
        body: {
          ...rec,
          status: 'CANCELADA',
          ativacao: { tipoJornada: 'JORNADA_1' },
          encerramento: {
            cancelamento: { solicitante: 'USUARIO_PAGADOR', codigo: 'SLDB', descricao: 'A pedido' },
          },
          atualizacao: [
            { data: '2024-08-03T08:30:02.050Z', status: 'CRIADA' },
            { data: '2024-10-06T15:05:33.305Z', status: 'CANCELADA' },
            { data: 'ontem', status: 'CANCELADA' },
          ],
        },
      },
    };
    expect(await recurring.findMandate(idRec)).toMatchObject({
      status: 'cancelled',
      journey: 1,
      statusAt: new Date('2024-10-06T15:05:33.305Z'),
      end: { kind: 'cancelled', code: 'SLDB', text: 'A pedido', by: 'payer' },
    });
    expect(lastCall()).toMatchObject({ method: 'GET', path: `/v2/rec/${idRec}` });
  });

  test('that was refused has the code; malformed optional parts hide no mandate', async () => {
    const find = async (changes: object) => {
      bank.responses = { 'GET /v2/rec/': { body: { ...rec, ...changes } } };
      return await recurring.findMandate(idRec);
    };
    const encerramento = { rejeicao: { codigo: 'AP13', descricao: 'Recusada' } };
    expect(await find({ status: 'REJEITADA', encerramento })).toMatchObject({
      status: 'rejected',
      end: { kind: 'refused', code: 'AP13', text: 'Recusada', by: undefined },
    });
    expect(
      await find({ loc: 108, ativacao: 1, encerramento: [], atualizacao: {}, dadosQR: '', novo: 1 }),
    ).toMatchObject({
      ...{ status: 'created', amountCents: 3500, journey: undefined, statusAt: undefined },
      ...{ end: undefined, brCode: undefined },
    });
  });

  test('is unknown only if the bank itself says so', async () => {
    bank.responses = { 'GET /v2/rec/': { status: 404, body: problem('NaoEncontrado') } };
    expect(await recurring.findMandate(idRec)).toBeUndefined();
    for (const response of [{ status: 404 }, { status: 403, body: problem('AcessoNegado') }]) {
      bank.responses = { 'GET /v2/rec/': response };
      await expect(recurring.findMandate(idRec)).rejects.toThrow(PspUnknown);
    }
    bank.responses = { 'GET /v2/rec/': { body: { ...rec, idRec: idRec.replace('RN', 'RR') } } };
    await expect(recurring.findMandate(idRec)).rejects.toThrow(PspUnknown);
  });

  test('is found by its contract among those of a time', async () => {
    bank.responses = {
      'GET /v2/rec?': {
        body: listOf({ recs: [{ ...rec, vinculo: { contrato: 'outro' } }, rec] }),
      },
    };
    expect(await recurring.findMandateByContract('63100862', from, to)).toMatchObject({ idRec });
    expect(await recurring.findMandateByContract('nenhum', from, to)).toBeUndefined();
    expect(lastCall().path).toContain('/v2/rec?inicio=2024-01-01T00%3A00%3A00.000Z&fim=2024-12-01T00');
    bank.responses = { 'GET /v2/rec?': { body: listOf({ recs: [{ idRec }] }) } };
    // One that cannot be read may be the one that is looked for.
    await expect(recurring.findMandateByContract('63100862', from, to)).rejects.toThrow(PspUnknown);
  });

  test('stays as the bank says when it is to be cancelled', async () => {
    bank.responses = { 'PATCH /v2/rec/': { body: { ...rec, status: 'APROVADA' } } };
    expect(await recurring.cancelMandate(idRec)).toMatchObject({ status: 'approved' });
    expect(lastCall()).toStrictEqual({
      method: 'PATCH',
      path: `/v2/rec/${idRec}`,
      body: { status: 'CANCELADA' },
    });
  });
});

describe('the code of a mandate', () => {
  const merchant = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };
  const url = 'pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441';
  const charge = {
    txid: '33beb661beda44a8928fef47dbeb2dc5',
    amountCents: 3500,
    brCode: encodeDynamicBrCode({ ...merchant, url, amountCents: 3500 }),
  };
  const composite = { ...merchant, url, recurrenceUrl: location };
  const codeOf = async (pixCopiaECola: string | undefined, withCharge = false, changes: object = {}) => {
    bank.responses = { 'GET /v2/rec/': { body: { ...rec, dadosQR: { pixCopiaECola }, ...changes } } };
    const mandate = await recurring.findMandate(idRec, withCharge ? charge : undefined);
    return mandate?.brCode;
  };

  test('is the bank’s own, as in the official example', async () => {
    const example =
      '00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***' +
      '80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9';
    const ours = encodeRecurrenceBrCode({ ...merchant, recurrenceUrl: location });
    expect(await codeOf(ours)).toBe(ours);
    expect(await codeOf(example)).toBe(example);
  });

  test('may pay a charge too, which the bank is told', async () => {
    for (const code of [
      encodeDynamicBrCode(composite),
      encodeDynamicBrCode({ ...composite, amountCents: 3500 }),
    ])
      expect(await codeOf(code, true)).toBe(code);
    expect(lastCall().path).toBe(`/v2/rec/${idRec}?txid=${charge.txid}`);
  });

  test('is built if the bank gives none, from the locations that it gave', async () => {
    expect(decodeBrCode((await codeOf(undefined)) ?? '')).toMatchObject({
      kind: 'recurrence',
      recurrenceUrl: location,
    });
    expect(decodeBrCode((await codeOf(undefined, true)) ?? '')).toMatchObject({
      ...{ kind: 'dynamic', url, amountCents: 3500, recurrenceUrl: location },
    });
  });

  test.for<[string, string, boolean]>([
    ['another mandate', encodeRecurrenceBrCode({ ...merchant, recurrenceUrl: `${location}0` }), false],
    ['a charge that nobody asked for', encodeDynamicBrCode(composite), false],
    ['no charge', encodeRecurrenceBrCode({ ...merchant, recurrenceUrl: location }), true],
    ['no mandate', charge.brCode, true],
    ['another charge', encodeDynamicBrCode({ ...composite, url: `${url}0` }), true],
    ['another amount', encodeDynamicBrCode({ ...composite, amountCents: 3501 }), true],
    ['a mandate of somebody else', encodeDynamicBrCode({ ...composite, recurrenceUrl: url }), true],
    ['no code at all', 'x', false],
  ])('is not shown if it is of %s', async ([, code, withCharge]) => {
    expect(await codeOf(code, withCharge)).toBeUndefined();
  });

  test('is not shown if the bank names no location to compare it with', async () => {
    const code = encodeRecurrenceBrCode({ ...merchant, recurrenceUrl: location });
    for (const loc of [undefined, 108, { id: 108 }])
      expect(await codeOf(code, false, { loc })).toBeUndefined();
  });
});

describe('a debit', () => {
  const txid = '3136957d93134f2184b369e8f1c0729d';
  const cobrId = 'RR1234567820240115abcdefghijk';
  /** The official file's example of a debit that was just created. */
  const cobr = {
    idRec: cobrId,
    txid,
    infoAdicional: 'Serviços de Streamming de Música e Filmes.',
    calendario: { criacao: '2024-04-01', dataDeVencimento: '2024-04-15' },
    status: 'CRIADA',
    valor: { original: '106.07' },
    politicaRetentativa: 'PERMITE_3R_7D',
    ajusteDiaUtil: true,
    recebedor: { agencia: '9708', conta: '012682', tipoConta: 'CORRENTE' },
    atualizacao: [{ data: '2024-04-01T14:47:29.470Z', status: 'CRIADA' }],
  };
  const debit = {
    txid,
    idRec: cobrId,
    amountCents: 10_607,
    dueDate: '2024-04-15',
    note: 'Serviços de Streamming de Música e Filmes.',
  };
  const bankDebit = {
    ...{ txid, idRec: cobrId, status: 'created', amountCents: 10_607, dueDate: '2024-04-15' },
    ...{ attempts: [], end: undefined, endToEndIds: [] },
  };
  const endToEndId = 'E12345678202406201221abcdef12345';
  const attempt = { dataLiquidacao: '2024-06-22', tipo: 'AGND', endToEndId, status: 'AGENDADA' };
  const find = async (changes: object) => {
    bank.responses = { 'GET /v2/cobr/': { body: { ...cobr, ...changes } } };
    return await recurring.findDebit(txid);
  };

  test('is ordered as the official example, into the account of the settings', async () => {
    bank.responses = { 'PUT /v2/cobr/': { status: 201, body: cobr } };
    expect(await recurring.createDebit(debit)).toStrictEqual(bankDebit);
    const { infoAdicional, valor, ajusteDiaUtil, recebedor } = cobr;
    expect(lastCall()).toStrictEqual({
      method: 'PUT',
      path: `/v2/cobr/${txid}`,
      body: {
        ...{ idRec: cobrId, infoAdicional, valor, ajusteDiaUtil, recebedor },
        calendario: { dataDeVencimento: '2024-04-15' },
      },
    });
  });

  test('that was accepted before is found when its txid is refused', async () => {
    const inUse = problem('CobROperacaoInvalida', { violacoes: [{ propriedade: 'cobr.txid' }] });
    const refused = { 'PUT /v2/cobr/': { status: 400, body: inUse } };
    bank.responses = { ...refused, 'GET /v2/cobr/': { body: cobr } };
    expect(await recurring.createDebit(debit)).toStrictEqual(bankDebit);
    for (const response of [
      { status: 404, body: problem('NaoEncontrado') },
      { status: 403, body: problem('AcessoNegado') },
      { status: 503 },
    ]) {
      bank.responses = { ...refused, 'GET /v2/cobr/': response };
      await expect(recurring.createDebit(debit)).rejects.toThrow(PspUnknown);
    }
  });

  test('is refused for certain only if the bank says why, and does not have it', async () => {
    const absent = { 'GET /v2/cobr/': { status: 404, body: problem('NaoEncontrado') } };
    const answers = async (status: number, body?: unknown) => {
      bank.responses = { ...absent, 'PUT /v2/cobr/': { status, body } };
      return await recurring.createDebit(debit).catch((error: unknown) => error);
    };
    const violacoes = [{ razao: 'Existe outra no mesmo ciclo', propriedade: 'cobr.idRec' }];
    const refusal = await answers(400, problem('CobROperacaoInvalida', { violacoes }));
    expect(refusal).toBeInstanceOf(PspRefused);
    expect(refusal).toMatchObject({ code: 'CobROperacaoInvalida', reason: 'Existe outra no mesmo ciclo' });
    expect(await answers(403, problem('AcessoNegado'))).toBeInstanceOf(PspRefused);
    for (const status of [400, 403, 404, 500]) expect(await answers(status)).toBeInstanceOf(PspUnknown);
    expect(await answers(201, { ...cobr, txid: 'outro' })).toBeInstanceOf(PspUnknown);
    expect(await answers(201, { ...cobr, idRec })).toBeInstanceOf(PspUnknown);
  });

  test('has its attempts, and what each was refused for', async () => {
    const rejeicao = { codigo: 'AM02', descricao: 'Acima do máximo' };
    const tentativas = [
      { ...attempt, status: 'REJEITADA', rejeicao },
      { ...attempt, dataLiquidacao: '2024-06-24', tipo: 'NTAG' },
    ];
    expect(await find({ status: 'ATIVA', tentativas })).toMatchObject({
      status: 'active',
      attempts: [
        {
          ...{ endToEndId, date: '2024-06-22', isRetry: false, status: 'refused' },
          refusal: { code: 'AM02', text: 'Acima do máximo' },
        },
        { endToEndId, date: '2024-06-24', isRetry: true, status: 'scheduled', refusal: undefined },
      ],
    });
  });

  test('is not hidden by an attempt that is malformed', async () => {
    const tentativas = [
      // The official example of a notice has the month in the place of the day.
      { ...attempt, dataLiquidacao: '2024-20-08', status: 'NOVA', rejeicao: 'x' },
      { dataLiquidacao: '2024-06-22' },
      null,
    ];
    expect((await find({ tentativas, pix: 'x' }))?.attempts).toStrictEqual([
      { endToEndId, date: undefined, isRetry: false, status: 'requested', refusal: undefined },
    ]);
  });

  test('names each Pix that paid it once', async () => {
    const pix = [{ endToEndId, valor: '106.07', horario: '2024-06-22T03:00:00Z' }];
    const tentativas = [{ ...attempt, status: 'PAGA' }];
    for (const changes of [{ pix, tentativas }, { pix }, { tentativas }])
      expect((await find({ status: 'CONCLUIDA', ...changes }))?.endToEndIds).toStrictEqual([endToEndId]);
  });

  test('says who ended it and why', async () => {
    const cancelamento = { solicitante: 'USUARIO_RECEBEDOR', codigo: 'SLCR', descricao: 'A pedido' };
    expect(await find({ status: 'CANCELADA', encerramento: { cancelamento } })).toMatchObject({
      status: 'cancelled',
      end: { kind: 'cancelled', code: 'SLCR', text: 'A pedido', by: 'receiver' },
    });
  });

  test('is unknown only if the bank itself says so', async () => {
    bank.responses = { 'GET /v2/cobr/': { status: 404, body: problem('NaoEncontrado') } };
    expect(await recurring.findDebit(txid)).toBeUndefined();
    for (const response of [{ status: 404 }, { body: { ...cobr, txid: 'outro' } }]) {
      bank.responses = { 'GET /v2/cobr/': response };
      await expect(recurring.findDebit(txid)).rejects.toThrow(PspUnknown);
    }
  });

  test('is cancelled, and tried again on a day', async () => {
    bank.responses = {
      'PATCH /v2/cobr/': { body: { ...cobr, status: 'CANCELADA' } },
      'POST /v2/cobr/': { status: 201, body: { ...cobr, tentativas: [{ ...attempt, tipo: 'NTAG' }] } },
    };
    expect(await recurring.cancelDebit(txid)).toMatchObject({ status: 'cancelled' });
    expect(lastCall()).toStrictEqual({
      ...{ method: 'PATCH', path: `/v2/cobr/${txid}`, body: { status: 'CANCELADA' } },
    });
    expect(await recurring.retryDebit(txid, '2024-06-22')).toMatchObject({ attempts: [{ isRetry: true }] });
    expect(lastCall()).toStrictEqual({
      ...{ method: 'POST', path: `/v2/cobr/${txid}/retentativa/2024-06-22`, body: undefined },
    });
  });

  test('is listed with all others of a time', async () => {
    bank.responses = { 'GET /v2/cobr?': { body: listOf({ cobsr: [cobr] }) } };
    expect(await readAll(recurring.listDebits(from, to))).toStrictEqual([bankDebit]);
    bank.responses = { 'GET /v2/cobr?': { body: listOf({ cobsr: [{ txid }, cobr] }) } };
    await expect(readAll(recurring.listDebits(from, to))).rejects.toThrow(PspUnknown);
  });
});

describe('around mandates', () => {
  test('a location is made for mandates', async () => {
    const body = { id: 12_069, location, criacao: '2023-12-20T12:38:28.774Z' };
    bank.responses = { 'POST /v2/locrec': { status: 201, body } };
    expect(await recurring.createLocation()).toStrictEqual({ id: 12_069 });
    expect(lastCall().body).toStrictEqual({ tipo: 'rec' });
  });

  test('a request is pushed to the payer, looked up and cancelled', async () => {
    const idSolicRec = 'SC876456782024021577825445312';
    const pushed = (status: string) => ({ status: 201, body: { idSolicRec, idRec, status } });
    bank.responses = {
      'POST /v2/solicrec': pushed('CRIADA'),
      'GET /v2/solicrec/': pushed('RECEBIDA'),
      'PATCH /v2/solicrec/': pushed('CANCELADA'),
    };
    const push = {
      idRec,
      expiresAt: new Date('2023-12-20T12:17:11.926Z'),
      payer: { document: '52998224725' },
      account: { ispb: '91193552', branch: '2569', number: '550689' },
    };
    expect(await recurring.pushToPayer(push)).toStrictEqual({ id: idSolicRec, status: 'created' });
    expect(lastCall().body).toStrictEqual({
      idRec,
      calendario: { dataExpiracaoSolicitacao: '2023-12-20T12:17:11.926Z' },
      destinatario: { agencia: '2569', conta: '550689', cpf: '52998224725', ispbParticipante: '91193552' },
    });
    expect(await recurring.findPush(idSolicRec)).toMatchObject({ status: 'received' });
    expect(await recurring.cancelPush(idSolicRec)).toMatchObject({ status: 'cancelled' });
    expect(lastCall()).toMatchObject({ path: `/v2/solicrec/${idSolicRec}`, body: { status: 'CANCELADA' } });
  });

  test('URLs for notices are asked for and registered apart, with the header of Efí', async () => {
    const url = 'https://pix.example/psp/efi/segredo';
    bank.responses = { 'GET /v2/webhookrec': { body: { webhookUrl: url } } };
    bank.responses['GET /v2/webhookcobr'] = { status: 404, body: problem('NaoEncontrado') };
    expect(await recurring.mandateNotices.findNoticeUrl()).toBe(url);
    expect(await recurring.debitNotices.findNoticeUrl()).toBeUndefined();
    await recurring.mandateNotices.registerNoticeUrl(url);
    await recurring.debitNotices.registerNoticeUrl(url);
    const registrations = bank.calls.slice(-2);
    expect(registrations.map(({ method, path }) => `${method} ${path}`)).toStrictEqual([
      'PUT /v2/webhookrec',
      'PUT /v2/webhookcobr',
    ]);
    for (const { headers, body } of registrations) {
      expect(headers).toMatchObject({ 'x-skip-mtls-checking': 'true' });
      expect(JSON.parse(body)).toStrictEqual({ webhookUrl: url });
    }
  });

  test('a bank is asked for none without an account for them', async () => {
    const without = bank.connect();
    expect(without.recurring).toBeUndefined();
    await without.close();
  });
});
