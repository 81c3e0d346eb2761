import { compactVerify, createRemoteJWKSet, decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { findSchemaViolations } from '../test/bacen-schema.ts';
import { type Client, cobvBody, givenBank, givenCharge } from '../test/bank.ts';

const TXID = '7f3a9c2e51d84b0aa6e27f3a9c2e51d8';
const PATH = `/v2/cobv/${TXID}`;

const TERMS = {
  calendario: { dataDeVencimento: '2026-08-07', validadeAposVencimento: 10 },
  devedor: { cpf: '12345678909', nome: 'Ana', email: 'ana@example.com', cidade: 'Olinda' },
  valor: {
    original: '100.00',
    multa: { modalidade: 2, valorPerc: '2.00' },
    juros: { modalidade: 1, valorPerc: '0.10' },
    abatimento: { modalidade: 1, valorPerc: '5.00' },
    desconto: { modalidade: 1, descontoDataFixa: [{ data: '2026-08-03', valorPerc: '10.00' }] },
  },
  solicitacaoPagador: 'Mensalidade',
};

/** Starts a bank at noon in São Paulo of Monday, 3 August 2026, and creates a charge; returns its payload's path too. */
async function givenShownCharge(): Promise<{ bank: Client; location: string }> {
  const bank = await givenBank({ machineNow: () => Date.parse('2026-08-03T15:00:00Z') });
  const { body } = await bank.api('PUT', PATH, cobvBody(TERMS));
  return { bank, location: body.location.slice(body.location.indexOf('/')) };
}

const readValue = async (bank: Client, path: string) =>
  decodeJwt<{ valor: object }>((await bank.call('GET', path)).body).valor;

test('a location shows the signed charge with what it costs today', async () => {
  const { bank, location } = await givenShownCharge();
  const { status, body, headers } = await bank.call('GET', location);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/jose']);
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', bank.sandbox.url));
  await compactVerify(body, keys);
  const payload = decodeJwt(body);
  expect(findSchemaViolations('CobVPayload', payload)).toEqual([]);
  expect(payload).toEqual({
    revisao: 0,
    calendario: {
      criacao: '2026-08-03T15:00:00.000Z',
      apresentacao: '2026-08-03T15:00:00.000Z',
      ...TERMS.calendario,
    },
    devedor: { cpf: '12345678909', nome: 'Ana' },
    recebedor: expect.objectContaining({ cnpj: bank.sandbox.account.document, cidade: 'RECIFE' }),
    txid: TXID,
    status: 'ATIVA',
    valor: {
      original: '100.00',
      multa: '0.00',
      juros: '0.00',
      abatimento: '5.00',
      desconto: '10.00',
      final: '85.00',
    },
    chave: bank.sandbox.account.key,
    solicitacaoPagador: 'Mensalidade',
  });
});

test('a payer who means to pay on another day sees what the charge costs then', async () => {
  const { bank, location } = await givenShownCharge();
  expect(await readValue(bank, `${location}?DPP=2026-08-09&codMun=2611606`)).toMatchObject({
    final: '95.00',
  });
  expect(await readValue(bank, `${location}?DPP=2026-08-17`)).toEqual({
    original: '100.00',
    multa: '1.90',
    juros: '1.00',
    abatimento: '5.00',
    desconto: '0.00',
    final: '97.90',
  });
});

test('what is shown is what is paid', async () => {
  const { bank, location } = await givenShownCharge();
  const { pixCopiaECola } = (await bank.api('GET', PATH)).body;
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 8 * 86_400 });
  const { body } = await bank.call('POST', '/sandbox/payments', { brCode: pixCopiaECola });
  expect(body.amount).toBe(97.3);
  expect(await readValue(bank, location)).toMatchObject({ final: '97.30' });
});

test.each([
  ['a malformed town', 'codMun=261160', ['codMun']],
  ['a malformed day', 'DPP=09/08/2026', ['DPP']],
  ['a repeated day', 'DPP=2026-08-09&DPP=2026-08-10', ['DPP']],
  ['a day that is over', 'DPP=2026-08-02', ['DPP']],
  ['a day after the last', 'DPP=2026-08-18', ['DPP']],
  ['both malformed', 'DPP=x&codMun=x', ['codMun', 'DPP']],
])('%s is refused', async (_name, query, properties) => {
  const { bank, location } = await givenShownCharge();
  const { status, body } = await bank.call('GET', `${location}?${query}`);
  expect([status, body.type]).toEqual([
    400,
    'https://pix.bcb.gov.br/api/v2/error/CobPayloadOperacaoInvalida',
  ]);
  expect(body.violacoes.map(({ propriedade }: { propriedade: string }) => propriedade)).toEqual(properties);
  expect(findSchemaViolations('Problema', body)).toEqual([]);
});

test('a location shows its charge under its own path alone, and no longer when the charge is removed', async () => {
  const { bank, location } = await givenShownCharge();
  expect((await bank.call('GET', location.replace('/cobv', ''))).status).toBe(404);
  const { txid } = await givenCharge(bank);
  const cob = (await bank.api('GET', `/v2/cob/${txid}`)).body.location;
  const token = cob.split('/').at(-1);
  expect((await bank.call('GET', `/qr/v2/${token}`)).status).toBe(200);
  expect((await bank.call('GET', `/qr/v2/cobv/${token}`)).status).toBe(404);
  await bank.api('PATCH', PATH, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  expect((await bank.call('GET', location)).status).toBe(410);
});
