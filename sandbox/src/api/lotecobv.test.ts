import { expect, test } from 'vitest';
import { findSchemaViolations } from '../../test/bacen-schema.ts';
import {
  type Client,
  cobvBody,
  connect,
  givenBank,
  givenCobv,
  givenDirectory,
  setBehaviour,
  WINDOW,
} from '../../test/bank.ts';

const ERRORS = 'https://pix.bcb.gov.br/api/v2/error';
const PATH = '/v2/lotecobv/7';

const txidOf = (letter: string) => letter.repeat(30);
const request = (letter: string, more: object = {}) => ({ ...cobvBody(more), txid: txidOf(letter) });
const batch = (...cobsv: object[]) => ({ descricao: 'Turma da tarde', cobsv });
const INVALID = { devedor: { nome: 'sem documento' } };

/** Starts a bank that takes a minute of its clock for a batch. */
const givenSlowBank = (options: object = {}) => givenBank({ processingMs: 60_000, ...options });
const waitForBatch = (bank: Client) => bank.call('POST', '/sandbox/clock', { advanceSeconds: 60 });
const statusesOf = async (bank: Client) =>
  (await bank.api('GET', PATH)).body.cobsv.map(({ status }: { status: string }) => status);

test('a batch is taken at once and worked off later, each request by itself', async () => {
  const bank = await givenSlowBank();
  const taken = await bank.api('PUT', PATH, batch(request('a'), request('b', INVALID)));
  expect([taken.status, taken.body]).toEqual([202, '']);
  expect(await statusesOf(bank)).toEqual(['EM_PROCESSAMENTO', 'EM_PROCESSAMENTO']);
  expect((await bank.api('GET', `/v2/cobv/${txidOf('a')}`)).status).toBe(404);
  await waitForBatch(bank);
  const { body } = await bank.api('GET', PATH);
  expect(body).toMatchObject({
    id: 7,
    descricao: 'Turma da tarde',
    cobsv: [
      { txid: txidOf('a'), status: 'CRIADA', criacao: expect.any(String) },
      {
        txid: txidOf('b'),
        status: 'NEGADA',
        problema: {
          type: `${ERRORS}/CobVOperacaoInvalida`,
          violacoes: [{ propriedade: 'cobv.devedor' }],
        },
      },
    ],
  });
  expect(findSchemaViolations('LoteCobVConsultado', body)).toEqual([]);
  const created = await bank.api('GET', `/v2/cobv/${txidOf('a')}`);
  expect(created.body).toMatchObject({ status: 'ATIVA', calendario: { criacao: body.cobsv[0].criacao } });
  expect(findSchemaViolations('CobVCompleta', created.body)).toEqual([]);
  expect((await bank.api('GET', `/v2/cobv/${txidOf('b')}`)).status).toBe(404);
});

test('a charge is found by its batch', async () => {
  const bank = await givenSlowBank();
  await givenCobv(bank);
  await bank.api('PUT', PATH, batch(request('a')));
  await waitForBatch(bank);
  const list = async (id: string) =>
    (await bank.api('GET', `/v2/cobv?${WINDOW}&loteCobVId=${id}`)).body.cobs.map(
      ({ txid }: { txid: string }) => txid,
    );
  expect(await list('7')).toEqual([txidOf('a')]);
  expect(await list('8')).toEqual([]);
});

test('a charge that its batch is working on, or has refused, cannot be changed by itself', async () => {
  const bank = await givenSlowBank();
  await bank.api('PUT', PATH, batch(request('a'), request('b', INVALID)));
  const change = (method: string, letter: string) =>
    bank.api(
      method,
      `/v2/cobv/${txidOf(letter)}`,
      method === 'PUT' ? cobvBody() : { solicitacaoPagador: 'x' },
    );
  const locked = {
    status: 400,
    body: { type: `${ERRORS}/CobVOperacaoInvalida`, violacoes: [{ propriedade: 'txid' }] },
  };
  expect(await change('PUT', 'a')).toMatchObject(locked);
  expect(await change('PATCH', 'a')).toMatchObject(locked);
  await waitForBatch(bank);
  expect((await change('PATCH', 'a')).status).toBe(200);
  expect(await change('PUT', 'b')).toMatchObject(locked);
});

test('a PUT changes the same charges again, and a refused one can then be created', async () => {
  const bank = await givenSlowBank();
  await bank.api('PUT', PATH, batch(request('a'), request('b', INVALID)));
  await waitForBatch(bank);
  const cheaper = { valor: { original: '90.00' } };
  expect((await bank.api('PUT', PATH, batch(request('b'), request('a', cheaper)))).status).toBe(202);
  await waitForBatch(bank);
  expect(await statusesOf(bank)).toEqual(['CRIADA', 'CRIADA']);
  expect((await bank.api('GET', PATH)).body.cobsv[1]).not.toHaveProperty('problema');
  const altered = await bank.api('GET', `/v2/cobv/${txidOf('a')}`);
  expect(altered.body).toMatchObject({ revisao: 1, ...cheaper });
});

test('a PATCH revises some charges of a batch', async () => {
  const bank = await givenSlowBank();
  await bank.api('PUT', PATH, batch(request('a'), request('b'), request('c', INVALID)));
  await waitForBatch(bank);
  const change = (letter: string) => ({
    txid: txidOf(letter),
    calendario: { dataDeVencimento: '2099-05-04' },
    valor: { original: '110.00' },
  });
  expect((await bank.api('PATCH', PATH, { cobsv: [change('b'), change('c')] })).status).toBe(202);
  await waitForBatch(bank);
  const { body } = await bank.api('GET', PATH);
  expect(body.cobsv).toMatchObject([
    { status: 'CRIADA' },
    { status: 'CRIADA' },
    { status: 'NEGADA', problema: { type: `${ERRORS}/CobVNaoEncontrada` } },
  ]);
  const read = async (letter: string) => (await bank.api('GET', `/v2/cobv/${txidOf(letter)}`)).body;
  expect(await read('a')).toMatchObject({ revisao: 0, valor: { original: '100.00' } });
  expect(await read('b')).toMatchObject({
    revisao: 1,
    valor: { original: '110.00' },
    calendario: { dataDeVencimento: '2099-05-04', validadeAposVencimento: 5 },
  });
});

test.each([
  ['an id that is no number', '/v2/lotecobv/um', batch(request('a')), 'id'],
  ['no description', PATH, { cobsv: [request('a')] }, 'loteCobV.descricao'],
  ['no charges', PATH, batch(), 'loteCobV.cobsV'],
  ['a charge without a txid', PATH, batch(cobvBody()), 'loteCobV.cobsV'],
  ['a txid twice', PATH, batch(request('a'), request('a')), 'loteCobV.cobsV'],
])('a batch with %s is refused', async (_name, path, body, property) => {
  const bank = await givenBank();
  const refused = await bank.api('PUT', path, body);
  expect([refused.status, refused.body.type]).toEqual([400, `${ERRORS}/LoteCobVOperacaoInvalida`]);
  expect(refused.body.violacoes.map(({ propriedade }: { propriedade: string }) => propriedade)).toEqual([
    property,
  ]);
  expect((await bank.api('GET', path)).body.type).toBe(`${ERRORS}/LoteCobVNaoEncontrado`);
});

test('a batch takes no charge that exists or is in another batch, and neither gains nor loses one', async () => {
  const bank = await givenSlowBank();
  await bank.api('PUT', `/v2/cobv/${txidOf('z')}`, cobvBody());
  await bank.api('PUT', PATH, batch(request('a'), request('b')));
  for (const [method, path, body] of [
    ['PUT', '/v2/lotecobv/8', batch(request('z'))],
    ['PUT', '/v2/lotecobv/8', batch(request('a'), request('c'))],
    ['PUT', PATH, batch(request('a'), request('b'), request('c'))],
    ['PUT', PATH, batch(request('a'))],
    ['PUT', PATH, batch(request('a'), request('c'))],
    ['PATCH', PATH, { cobsv: [request('c')] }],
  ] as const) {
    expect((await bank.api(method, path, body)).body.type).toBe(`${ERRORS}/LoteCobVOperacaoInvalida`);
  }
  expect((await bank.api('PATCH', '/v2/lotecobv/8', {})).body.type).toBe(`${ERRORS}/LoteCobVNaoEncontrado`);
});

test('of two charges that ask for the same location one gets it', async () => {
  const bank = await givenSlowBank();
  const { body: loc } = await bank.api('POST', '/v2/loc', { tipoCob: 'cobv' });
  const shown = { loc: { id: loc.id } };
  await bank.api('PUT', PATH, batch(request('a', shown), request('b', shown)));
  await waitForBatch(bank);
  expect(await statusesOf(bank)).toEqual(['CRIADA', 'NEGADA']);
  expect((await bank.api('GET', `/v2/loc/${loc.id}`)).body.txid).toBe(txidOf('a'));
});

test('a list returns the batches of a window', async () => {
  const bank = await givenBank();
  await bank.api('PUT', PATH, batch(request('a')));
  await bank.api('PUT', '/v2/lotecobv/8', batch(request('b')));
  const { body } = await bank.api('GET', `/v2/lotecobv?${WINDOW}`);
  expect(body.lotes.map(({ id }: { id: number }) => id)).toEqual([7, 8]);
  expect(findSchemaViolations('LotesCobVConsultados', body)).toEqual([]);
  const past = await bank.api('GET', '/v2/lotecobv?inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z');
  expect(past.body.lotes).toEqual([]);
  expect((await bank.api('GET', '/v2/lotecobv')).body.type).toBe(`${ERRORS}/LoteCobVConsultaInvalida`);
});

test('batches survive a restart, worked off or not', async () => {
  const dataDir = await givenDirectory();
  const bank = await givenSlowBank({ dataDir });
  await bank.api('PUT', PATH, batch(request('a'), request('b', INVALID)));
  await waitForBatch(bank);
  const before = (await bank.api('GET', PATH)).body;
  await bank.api('PUT', '/v2/lotecobv/8', batch(request('c')));
  await bank.sandbox.stop();
  const restarted = await givenSlowBank({ dataDir });
  expect((await restarted.api('GET', PATH)).body).toEqual(before);
  expect((await restarted.api('GET', '/v2/lotecobv/8')).body.cobsv[0].status).toBe('EM_PROCESSAMENTO');
  await waitForBatch(restarted);
  expect((await restarted.api('GET', `/v2/cobv/${txidOf('c')}`)).body.status).toBe('ATIVA');
});

test('batches have scopes of their own, and the bank misbehaves about them as about charges', async () => {
  const bank = await givenBank();
  const other = await connect(bank.sandbox, 'cobv.read cobv.write');
  expect((await other.api('PUT', PATH, batch(request('a')))).status).toBe(403);
  expect((await other.api('GET', PATH)).status).toBe(403);
  await setBehaviour(bank, { charges: 'accepted-then-timeout' });
  expect(await bank.isAnswered('PUT', PATH, batch(request('a')))).toBe(false);
  await setBehaviour(bank, { charges: 'down' });
  expect((await bank.api('GET', PATH)).status).toBe(503);
  await setBehaviour(bank, { charges: 'normal' });
  await expect.poll(() => statusesOf(bank)).toEqual(['CRIADA']);
});
