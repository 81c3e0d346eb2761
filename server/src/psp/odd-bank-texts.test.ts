import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenCharge, givenMerchant } from '../../test/given.ts';
import { type ScriptedBank, startScriptedBank } from '../../test/scripted-bank.ts';
import { withPsp } from '../../test/with-psp.ts';
import { disputeLoops } from '../disputes/index.ts';
import { paymentLoops } from '../payments/index.ts';
import { refundLoops } from '../refunds/index.ts';
import { withdrawalLoops } from '../withdrawals/index.ts';
import type { AtBank } from './bank.ts';

// Texts from the bank that PostgreSQL cannot store, or of excessive length, must not keep money from being booked.

let gateway: TestGateway;
let bank: ScriptedBank;
let deps: AtBank;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  bank = await startScriptedBank();
  deps = withPsp(gateway.deps, bank.connect({ PIX_KEY: gateway.deps.config.pixKey }));
});
afterAll(async () => {
  await deps.psp.close();
  bank.stop();
  await gateway.stop();
});

/** The inside of a JSON string: characters that PostgreSQL or JSON do not allow, and excessive length. */
const oddText = `\\u0000a\\ud800b\\udfffc\u0000d\u0001e${'🚣'.repeat(5000)}`;
/** The bank's response with one page of a list; each ODD in the items becomes the odd text. */
const listResponse = (field: string, ...items: object[]) => ({
  body: `{"parametros":{"paginacao":{"paginaAtual":0,"quantidadeDePaginas":1}},"${field}":${JSON.stringify(items).replaceAll('ODD', oddText)}}`,
});
const loops = [...paymentLoops, ...refundLoops, ...disputeLoops, ...withdrawalLoops];

async function runLoop(name: string): Promise<void> {
  await loops.find((loop) => loop.name === name)?.work(deps);
}

test('Pix, returns and disputes are booked, and payouts checked, whatever the bank’s texts contain', async () => {
  const merchant = await givenMerchant(gateway);
  const { id } = await givenCharge(gateway, merchant);
  const { txid, amount_cents: cents } = await deps.db
    .selectFrom('charges')
    .select(['txid', 'amount_cents'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const now = deps.clock.now().toISOString();
  const paidPix = {
    endToEndId: 'E00000000202611011200abcdefghij1',
    txid,
    valor: (cents / 100).toFixed(2),
    chave: deps.config.pixKey,
    horario: now,
    pagador: { nome: 'Ana \0 Silva', cpf: '***.456.789-**' },
  };
  const unmatchedPix = {
    ...paidPix,
    endToEndId: 'E00000000202611011200abcdefghij2',
    txid: 'ODD',
    chave: 'ODD',
    pagador: { nome: 'ODD', cpf: 'ODD' },
  };
  const devolucao = {
    id: 'r1',
    rtrId: 'ODD',
    valor: '1.00',
    natureza: 'ODD',
    horario: { solicitacao: now },
    status: 'DEVOLVIDO',
    motivo: 'ODD',
  };
  const dispute = {
    idInfracao: 'i1',
    endToEndId: paidPix.endToEndId,
    protocolo: 'ODD',
    valor: '2.00',
    status: 'ABERTA',
    razao: 'ODD',
    comentario: 'ODD',
    dadosAnalise: { abertura: now, prazoFinalizacao: now },
  };
  const sentPix = {
    idEnvio: 'ODD',
    endToEndId: 'E1',
    valor: '3.00',
    status: 'REALIZADO',
    favorecido: { chave: 'ODD' },
  };
  bank.responses = {
    'GET /v2/pix/E': {
      body: JSON.stringify({ ...paidPix, devolucoes: [devolucao] }).replaceAll('ODD', oddText),
    },
    'GET /v2/pix?': listResponse('pix', { ...paidPix, devolucoes: [devolucao] }, unmatchedPix),
    'GET /v2/gn/infracoes?': listResponse('infracoes', dispute),
    'GET /v2/gn/pix/enviados?': listResponse('pix', sentPix),
  };
  for (const name of ['reconciliation', 'returns', 'disputes', 'sent Pix']) await runLoop(name);

  const received = await deps.db
    .selectFrom('received_pix')
    .select(['end_to_end_id as id', 'outcome', 'payer_name as payer'])
    .where('end_to_end_id', 'in', [paidPix.endToEndId, unmatchedPix.endToEndId])
    .orderBy('end_to_end_id')
    .execute();
  expect(received).toEqual([
    { id: paidPix.endToEndId, outcome: 'credited', payer: 'Ana \ufffd Silva' },
    { id: unmatchedPix.endToEndId, outcome: 'suspense', payer: null },
  ]);
  const refunds = deps.db.selectFrom('refunds').select(['status', 'amount_cents as cents']);
  expect(await refunds.where('end_to_end_id', '=', paidPix.endToEndId).execute()).toEqual([
    { status: 'completed', cents: 100 },
  ]);
  const disputes = deps.db.selectFrom('disputes').select(['status', 'protocol']);
  expect(await disputes.where('end_to_end_id', '=', paidPix.endToEndId).execute()).toEqual([
    { status: 'open', protocol: expect.stringMatching(/^\ufffda\ufffdb\ufffdc d e🚣/) },
  ]);
  const items = deps.db.selectFrom('open_items').select(['kind', 'reference']).where('reference', '=', 'E1');
  expect(await items.execute()).toEqual([{ kind: 'payout-not-debited', reference: 'E1' }]);
});
