import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { browserLaunchOptions } from '../../../tools/browser.ts';
import { givenBankAt, givenRec, putCobr } from '../../test/automatic.ts';
import { type Client, givenCharge, givenCobv } from '../../test/bank.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(browserLaunchOptions());
});
afterAll(() => browser.close());

/** Opens a page of the bank's app, on a phone. */
async function givenPage(bank: Client, path: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: bank.sandbox.publicUrl,
    viewport: { width: 390, height: 844 },
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const script =
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))';
  expect(await page.evaluate(script)).toEqual([]);
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(390);
}

const statusOf = async (bank: Client, idRec: string) =>
  (await bank.api('GET', `/v2/rec/${idRec}`)).body.status;

test('a payer approves a mandate by its code, lowers the maximum, and cancels it', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const { idRec, brCode } = await givenRec(bank, { valor: { valorMinimoRecebedor: '5.00' } });
  const page = await givenPage(bank, `/?codigo=${encodeURIComponent(brCode)}`);
  await page.getByText('Todo mês').waitFor();
  await expectAccessible(page);
  await page.getByLabel('O máximo por débito').fill('400');
  await page.getByRole('button', { name: 'Autorizar' }).click();
  await page.getByText('O máximo não pode ser menor que o mínimo de quem recebe.').waitFor();
  await page.getByLabel('O máximo por débito').fill('2000');
  await page.getByRole('button', { name: 'Autorizar' }).click();
  await page.getByText('Até R$ 20,00').waitFor();
  expect(await statusOf(bank, idRec)).toBe('APROVADA');
  const { txid } = await putCobr(bank, idRec);
  await bank.goTo('2030-01-22T12:10:00');
  await page.getByLabel('O máximo por débito').fill('900');
  await page.getByLabel('Saldo para os débitos').selectOption('Só há saldo a partir das 18 h');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Até R$ 9,00').waitFor();
  await expectAccessible(page);
  const { body } = await bank.call('GET', `/sandbox/recs/${idRec}`);
  expect(body.maximum).toBe(9);
  expect(body.funds[0]).toEqual({ fromHour: 0, amount: 0 });
  await page.getByRole('button', { name: 'Cancelar este débito' }).click();
  await page.getByText('Cancelada (SLBD)').waitFor();
  expect((await bank.api('GET', `/v2/cobr/${txid}`)).body.status).toBe('CANCELADA');
  await page.getByRole('button', { name: 'Cancelar a autorização' }).click();
  await page.getByText('O usuário pagador cancelou.').waitFor();
  expect(await statusOf(bank, idRec)).toBe('CANCELADA');
  await page.goto('/autorizacoes');
  await page.getByRole('link', { name: 'Jangada Sandbox' }).waitFor();
  await expectAccessible(page);
});

test('a payer pays and approves at once, and another pays and takes the offer', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const { txid } = await givenCharge(bank, '7.00');
  const first = await givenRec(bank, { ativacao: { dadosJornada: { txid } } });
  const codeOf = async (idRec: string, charge: string) =>
    encodeURIComponent((await bank.api('GET', `/v2/rec/${idRec}?txid=${charge}`)).body.dadosQR.pixCopiaECola);
  const page = await givenPage(bank, `/?codigo=${await codeOf(first.idRec, txid)}`);
  await page.getByRole('button', { name: 'Pagar e autorizar' }).click();
  await page.getByText('Ativa', { exact: true }).waitFor();
  expect(await statusOf(bank, first.idRec)).toBe('APROVADA');
  const due = await givenCobv(bank);
  const second = await givenRec(bank);
  await page.goto(`/?codigo=${await codeOf(second.idRec, due.txid)}`);
  await expectAccessible(page);
  await page.getByLabel(/Autorizar o Pix Automático/).check();
  await page.getByRole('button', { name: /Pagar/ }).click();
  await page.getByText('Ativa', { exact: true }).waitFor();
  expect(await statusOf(bank, second.idRec)).toBe('APROVADA');
  expect((await bank.api('GET', `/v2/cobv/${due.txid}`)).body.status).toBe('CONCLUIDA');
});

test('a payer answers a push', async () => {
  const bank = await givenBankAt('2030-01-22T12:00:00');
  const { idRec } = await givenRec(bank);
  const page = await givenPage(bank, '/autorizacoes');
  await page.getByText('Nenhuma autorização ainda').waitFor();
  await bank.api('POST', '/v2/solicrec', {
    idRec,
    calendario: { dataExpiracaoSolicitacao: '2030-01-23T15:00:00Z' },
    destinatario: { cpf: '12345678909', conta: '123', ispbParticipante: '99999999' },
  });
  await page.reload();
  await page.getByRole('link', { name: 'Jangada Sandbox' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Recusar' }).click();
  await page.getByText('O pagador rejeitou a solicitação. (AP13)').waitFor();
  expect(await statusOf(bank, idRec)).toBe('REJEITADA');
});
