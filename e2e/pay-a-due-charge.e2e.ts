import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayOf, shiftDay } from '../web/src/format/date.ts';
import { advanceClock, payAtBank } from './bank.ts';
import { type Stack, signInAsDemoMerchant, startStack } from './stack.ts';
import { newVisitor, openBrowser } from './visitor.ts';

let stack: Stack;
let browser: Browser;

// Its own product, because days pass in it.
beforeAll(async () => {
  stack = await startStack();
  browser = await openBrowser();
});
afterAll(async () => {
  await stack?.stop();
  stack?.remove();
});

const rowOf = (page: Page, state: string) =>
  page.getByRole('listitem').filter({ hasText: 'Ana Conceição' }).filter({ hasText: state });

test('a merchant charges by a due date, sees it to come and overdue, and sees its parts once it is paid late', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await visitor.enter(await signInAsDemoMerchant(stack), `${stack.url}/pix-payment`);
  await page.getByLabel('Valor', { exact: true }).fill('10000');
  await page.getByText('Com vencimento').click();
  await page.getByLabel('Nome de quem paga').fill('Ana Conceição');
  await page.getByLabel('CPF ou CNPJ').fill('52998224725');
  await page.getByLabel('Vencimento', { exact: true }).fill(shiftDay(dayOf(new Date()), 2));
  await page.getByLabel('Multa por atraso', { exact: true }).fill('2');
  await page.getByLabel('Juros ao mês', { exact: true }).fill('1');
  await page.getByText('No primeiro dia de atraso').waitFor();
  await visitor.checkScreen('form of a charge with a due date');
  await page.getByRole('button', { name: 'Gerar Pagamento' }).click();
  await page.getByText('Aguardando o Pix').waitFor();
  const code = await page.getByText(/^00020/).textContent();
  await visitor.checkScreen('charge with a due date');

  await page.goto(`${stack.url}/cobrancas`);
  await rowOf(page, 'A vencer').waitFor();
  await visitor.checkScreen('list of due charges');

  await advanceClock(stack, 14 * 86_400);
  await expect
    .poll(
      async () => {
        await visitor.enter(await signInAsDemoMerchant(stack), `${stack.url}/cobrancas?view=overdue`);
        await page.getByRole('heading', { name: 'Cobranças', level: 1 }).waitFor();
        await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
        return rowOf(page, 'Vencida').count();
      },
      { timeout: 180_000 },
    )
    .toBe(1);

  await payAtBank(stack, code);
  await page.goto(`${stack.url}/cobrancas?view=paid`);
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.locator('main .skeleton').first().waitFor({ state: 'detached' });
        return rowOf(page, 'Paga').count();
      },
      { timeout: 180_000 },
    )
    .toBe(1);
  await rowOf(page, 'Paga').getByRole('button').click();
  const detail = page.getByRole('dialog');
  await detail.getByText('Foi pago').waitFor();
  await detail.getByText('+ R$ 2,00').waitFor();
  await detail.getByText(/^\+\sR\$\s0,\d\d$/).waitFor();
  await visitor.checkScreen('detail of a charge that was paid late');
});
