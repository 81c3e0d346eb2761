import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { type ScriptedBank, startScriptedBank } from '../../test/scripted-bank.ts';
import { OWN_ACCOUNT_LIMITS, type Psp, PspUnknown } from '../psp/index.ts';
import { sealUnderNewKey } from './credentials.ts';

// A bank of the merchant's own making, which answers with as much as it likes.

let gateway: TestGateway;
let bank: ScriptedBank;
let psp: Psp;
beforeAll(async () => {
  [gateway, bank] = await Promise.all([startTestGateway({ startsWork: false }), startScriptedBank()]);
  const { db, banks, secrets, clock } = gateway.deps;
  const row = await db
    .insertInto('bank_connections')
    .values({
      ...{
        merchant_id: await insertMerchant(db),
        bank: 'other',
        pix_key: 'loja@example.com',
        state: 'active',
      },
      ...{ created_at: clock.now(), updated_at: clock.now() },
      ...{ api_url: `${bank.url}/v2`, token_url: `${bank.url}/oauth/token` },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .updateTable('bank_connections')
    .set(sealUnderNewKey(secrets, row, { clientId: 'us', clientSecret: 'secret' }))
    .where('id', '=', row.id)
    .execute();
  await banks.refresh();
  psp = banks.of(row.id).psp;
});
afterEach(() => {
  bank.calls = [];
  bank.responses = {};
});
afterAll(async () => {
  await gateway.stop();
  bank.stop();
});

const received = { endToEndId: 'E1', valor: '1.00', horario: '2026-11-01T12:00:00.000Z' };
const pageOf = (pix: readonly unknown[], quantidadeDePaginas: number) => ({
  body: { parametros: { paginacao: { paginaAtual: 0, quantidadeDePaginas } }, pix },
});
async function countListed(by = psp): Promise<number> {
  let count = 0;
  const pages = by.listReceivedPix(new Date('2026-11-01T00:00:00Z'), new Date('2026-11-02T00:00:00Z'));
  for await (const page of pages) count += page.length;
  return count;
}

test('a list of a merchant’s own bank that never ends is given up', async () => {
  bank.responses = { 'GET /v2/pix': pageOf([received], 1_000_000_000) };
  expect(OWN_ACCOUNT_LIMITS.listPages).toBeLessThan(10_000);
  const hurried = bank.connect({}, { limits: { ...OWN_ACCOUNT_LIMITS, listPages: 20, listPauseMs: 1 } });
  await expect(countListed(hurried)).rejects.toThrow(PspUnknown);
  expect(bank.calls.filter(({ method }) => method === 'GET')).toHaveLength(20);
  await hurried.close();
});

test('an answer of a merchant’s own bank of more than a megabyte is not read', async () => {
  const full = Array.from({ length: 200 }, () => ({ ...received, infoPagador: 'a'.repeat(4000) }));
  bank.responses = { 'GET /v2/pix': pageOf(full, 1) };
  expect(await countListed()).toBe(200);
  expect(bank.calls.at(-1)?.path).toContain('paginacao.itensPorPagina=200');
  bank.responses = { 'GET /v2/pix': pageOf([...full, ...full], 1) };
  await expect(countListed()).rejects.toThrow(PspUnknown);
});
