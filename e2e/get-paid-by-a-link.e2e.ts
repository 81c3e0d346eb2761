import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { payAtBank } from './bank.ts';
import { borrowStack, type SharedStack, signInAsDemoMerchant } from './stack.ts';
import { newVisitor, openBrowser, readCopiedText } from './visitor.ts';
import { openPageWithoutScripts, verifyUntilPaid } from './without-scripts.ts';

let stack: SharedStack;
let browser: Browser;
let token: string;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
  token = await signInAsDemoMerchant(stack);
});

/** Opens a link, types an amount, gets a code, and pays the code. */
async function pay(page: Page, url: string, amount: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { name: 'Doação para o telhado' }).waitFor();
  await page.getByLabel('Quanto você vai pagar').fill(amount);
  await page.getByRole('button', { name: 'Pagar com Pix' }).click();
  await page.waitForURL('**/pagar/*');
  await payAtBank(stack, await page.locator('#codigo pre').textContent());
}

test('a link created on a phone can be paid with or without JavaScript until its uses run out', async () => {
  const merchant = await newVisitor(browser, 'phone');
  const { page } = merchant;
  await merchant.enter(token, `${stack.url}/payment-links`);
  await page.getByRole('button', { name: 'Criar link' }).tap();
  const form = page.getByRole('dialog', { name: 'Criar link' });
  await form.getByLabel('Título').fill('Doação para o telhado');
  await form.getByText('Valor livre').tap();
  await form.getByLabel('Limite de pagamentos').fill('2');
  await merchant.checkScreen('form of a link');
  await form.getByRole('button', { name: 'Criar link' }).tap();
  const linkDialog = page.getByRole('dialog', { name: 'Link criado' });
  const url = await readCopiedText(page, () => linkDialog.getByRole('button', { name: 'Copiar link' }).tap());
  await linkDialog.getByAltText('QR Code que abre o link').waitFor();
  await merchant.checkScreen('link');

  const payer = await newVisitor(browser, 'phone');
  await payer.page.goto(url);
  await payer.page.getByRole('button', { name: 'Pagar com Pix' }).waitFor();
  await payer.checkScreen('payer’s page of a link');
  await payer.page.getByLabel('Quanto você vai pagar').fill('1,00');
  await payer.page.getByRole('button', { name: 'Pagar com Pix' }).tap();
  await payer.page.getByText(/^O valor mínimo é R\$.1,50\.$/).waitFor();
  expect(await payer.page.getByLabel('Quanto você vai pagar').inputValue()).toBe('1,00');
  await pay(payer.page, url, '1.250,50');
  await payer.page.getByRole('heading', { name: 'Pago' }).waitFor();

  const pageWithoutScripts = await openPageWithoutScripts(browser);
  await pay(pageWithoutScripts, url, '25');
  await verifyUntilPaid(pageWithoutScripts);
  await pageWithoutScripts.goto(url);
  await pageWithoutScripts.getByText('Este link atingiu o limite de pagamentos').waitFor();
  expect(payer.complaints(/400/)).toEqual([]);
  await payer.context.close();

  await linkDialog.getByText('Esgotado').waitFor();
  await linkDialog.getByText('2 de 2').waitFor();
  await linkDialog.getByRole('listitem').filter({ hasText: 'R$ 25,00' }).getByRole('link').tap();
  const payment = page.getByRole('dialog', { name: 'Transação' });
  await payment.getByText('R$ 25,00').first().waitFor();
  await payment.getByRole('link', { name: 'Link de pagamento' }).waitFor();
  await payment.getByRole('link', { name: 'Ver comprovante' }).waitFor();
  await merchant.checkScreen('payment of a link');
  expect(merchant.complaints()).toEqual([]);
});

test('a counter code is printed, and its payments appear in the transactions', async () => {
  const merchant = await newVisitor(browser, 'phone');
  const { page } = merchant;
  await merchant.enter(token, `${stack.url}/payment-links/counter-codes`);
  await page.getByRole('button', { name: 'Criar QR Code' }).tap();
  const form = page.getByRole('dialog', { name: 'Criar QR Code' });
  await form.getByLabel('Nome').fill('Caixa 1');
  await form.getByLabel('Valor (opcional)').pressSequentially('1290');
  await form.getByRole('button', { name: 'Criar QR Code' }).tap();
  const codeDialog = page.getByRole('dialog', { name: 'QR Code criado' });
  const code = await readCopiedText(page, () =>
    codeDialog.getByRole('button', { name: 'Copiar código Pix' }).tap(),
  );
  await merchant.checkScreen('counter code');

  const [printed] = await Promise.all([
    merchant.context.waitForEvent('page'),
    codeDialog.getByRole('link', { name: 'Imprimir' }).tap(),
  ]);
  await printed.getByText('Caixa 1').first().waitFor();
  await printed.close();
  await payAtBank(stack, code);
  await codeDialog.getByText('1', { exact: true }).waitFor();
  await codeDialog.getByRole('link', { name: /^\d\d\/\d\d\/\d{4}/ }).tap();
  const payment = page.getByRole('dialog', { name: 'Transação' });
  await payment.getByText('R$ 12,90').first().waitFor();
  await payment.getByRole('link', { name: 'QR Code do balcão' }).waitFor();
  expect(merchant.complaints()).toEqual([]);
});
