import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createPaidCharge, type PaidCharge } from './paid-charge.ts';
import { borrowStack, callApi, registerMerchant, type SharedStack } from './stack.ts';
import { newVisitor, openBrowser, type Visitor } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;
let token: string;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
  token = await registerMerchant(stack, { username: 'dorival', name: 'Dorival do Mar' });
});

/** Disputes a payment in the app of the payer's bank. */
async function disputePayment({ endToEndId }: PaidCharge): Promise<void> {
  const payer = await newVisitor(browser, 'phone');
  const { page } = payer;
  await page.goto(`${stack.bankUrl}/comprovante/${endToEndId}`);
  await page.getByRole('link', { name: 'Contestar' }).tap();
  await page.getByLabel('Caí em um golpe').check();
  await page.getByRole('button', { name: 'Contestar' }).tap();
  await page.getByText('Aberta, esperando a loja').waitFor();
  await payer.context.close();
}

/** Decides a dispute in the bank's app, for the payer (`Aceitar`) or the merchant (`Negar`), once the defence has arrived there. */
async function decide(
  { endToEndId }: PaidCharge,
  decision: 'Aceitar' | 'Negar',
  defence: string,
): Promise<void> {
  const bank = await newVisitor(browser, 'phone');
  const { page } = bank;
  await expect
    .poll(async () => {
      await page.goto(`${stack.bankUrl}/comprovante/${endToEndId}`);
      return page.getByText(defence).count();
    })
    .toBe(1);
  await page.getByRole('button', { name: decision }).tap();
  await page.getByText(decision === 'Aceitar' ? 'Aceita' : 'Negada', { exact: true }).waitFor();
  await bank.context.close();
}

async function readWallet(): Promise<{ available: number; blocked: number }> {
  const stats = await callApi(stack, 'GET', '/authed/wallet/stats', { token });
  const cents = (name: string) => Math.round(100 * (stats[name] as number));
  return { available: cents('available_balance'), blocked: cents('blocked_by_disputes') };
}

/** Sends a defence with an attached file, after another file was refused. */
async function defend(visitor: Visitor, text: string): Promise<void> {
  const { page } = visitor;
  await page.getByLabel('Texto da defesa').fill(text);
  await page.getByLabel('Anexar arquivos').setInputFiles([
    { name: 'nota.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 nota fiscal 123') },
    { name: 'notas.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') },
  ]);
  await page.getByText('Envie arquivos PDF, PNG ou JPEG.', { exact: true }).waitFor();
  await visitor.checkScreen('defence with a refused file');
  await page.getByRole('button', { name: 'Remover notas.zip' }).click();
  await page.getByRole('button', { name: 'Enviar defesa' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Enviar' }).click();
  await page.getByText(/^Enviada em/).waitFor();
  await visitor.checkScreen('sent defence');
}

test('a merchant defends a disputed payment and loses the dispute', async () => {
  // A dispute blocks the gross amount, and the fee of the disputed payment was deducted, so the balance must hold more.
  await createPaidCharge(stack, token, 900);
  const payment = await createPaidCharge(stack, token, 418);
  const before = await readWallet();
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/wallet`);
  await page.getByText('nenhuma disputa').waitFor();

  await disputePayment(payment);
  await page.getByText('Uma disputa espera a sua defesa.').waitFor();
  await page.getByRole('link', { name: '1 disputa aberta' }).waitFor();
  await visitor.checkScreen('wallet with a dispute');
  expect(await readWallet()).toEqual({ available: before.available - 41_800, blocked: 41_800 });
  await page.getByRole('link', { name: 'R$ 418,00 (ver no extrato)' }).click();
  await page.waitForURL('**/statement?account=blocked**');
  await page.getByRole('row').filter({ hasText: '+ R$ 418,00' }).waitFor();

  await page.goto(`${stack.url}/transactions?id=${payment.id}`);
  await page.getByText('Este pagamento está em disputa no banco').waitFor();
  expect(await page.getByRole('button', { name: 'Estornar' }).count()).toBe(0);

  await page.goto(`${stack.url}/dashboard`);
  await page.getByRole('link', { name: 'Defender' }).click();
  await page
    .getByText(/faltam [67] dias/)
    .first()
    .waitFor();
  await visitor.checkScreen('open dispute');
  await defend(visitor, 'Entregue em 20/11, com assinatura.');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar nota.pdf' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('nota.pdf');
  expect(await readFile(await download.path(), 'utf8')).toBe('%PDF-1.4 nota fiscal 123');

  await decide(payment, 'Aceitar', 'Entregue em 20/11, com assinatura.');
  await page.getByText('Perdida', { exact: true }).waitFor();
  await page.getByText('devolveu R$ 418,00 a quem pagou').waitFor();
  await visitor.checkScreen('lost dispute');
  await expect.poll(readWallet).toEqual({ available: before.available - 41_800, blocked: 0 });
  await page.goto(`${stack.url}/transactions?id=${payment.id}`);
  await page.getByText('devolvido pelo banco').waitFor();
  await page.getByRole('dialog').getByText('Estornado', { exact: true }).waitFor();
  expect(visitor.complaints()).toEqual([]);
});

test('on a phone a dispute won by the merchant returns the blocked money', async () => {
  await createPaidCharge(stack, token, 900);
  const payment = await createPaidCharge(stack, token, 99.9);
  const before = await readWallet();
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/disputes?status=open`);
  await page.getByText('Nenhuma disputa aberta.').waitFor();
  await visitor.checkScreen('no open disputes');
  await disputePayment(payment);
  await page.getByRole('list', { name: 'Disputas' }).getByText('R$ 99,90', { exact: true }).tap();
  await defend(visitor, 'Retirado na loja.');
  await decide(payment, 'Negar', 'Retirado na loja.');
  await page.getByText('Ganha', { exact: true }).waitFor();
  await expect.poll(readWallet).toEqual(before);
  expect(visitor.complaints()).toEqual([]);
});
