import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayOf, shiftDay } from '../web/src/format/date.ts';
import { advanceClock } from './bank.ts';
import { callApi, type Stack, signInAsDemoMerchant, startStack } from './stack.ts';
import { newVisitor, openBrowser, type Visitor, widths } from './visitor.ts';

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

/** Checks a screen on a phone and on a desktop. */
async function checkAtBothWidths({ page, checkScreen }: Visitor, name: string): Promise<void> {
  await page.setViewportSize(widths.desktop);
  await checkScreen(`${name}, desktop`);
  await page.setViewportSize(widths.phone);
  await checkScreen(`${name}, phone`);
}

/** The newest cycle, as the API tells it. Sessions do not outlast the days that pass. */
async function cycleStatus(id: string): Promise<unknown> {
  const token = await signInAsDemoMerchant(stack);
  const { data } = await callApi(stack, 'GET', `/subscriptions/${id}/cycles`, { token });
  return Array.isArray(data) ? data.at(-1)?.status : undefined;
}
const waitForCycle = (id: string, status: string) =>
  expect.poll(() => cycleStatus(id), { timeout: 180_000, interval: 2000 }).toBe(status);

const day = 86_400;

test('a payer allows the debits in the bank’s app, one fails, is tried again and is paid, and each side sees why', async () => {
  const merchant = await newVisitor(browser, 'phone');
  const { page } = merchant;
  await merchant.enter(await signInAsDemoMerchant(stack), `${stack.url}/assinaturas/nova`);
  await page.getByLabel('Nome de quem paga').fill('Ana Conceição');
  await page.getByLabel('CPF ou CNPJ').fill('52998224725');
  await page.getByLabel('O que é').fill('Mensalidade');
  await page.getByLabel('Valor de cada cobrança').pressSequentially('9990');
  await page.getByLabel('Primeira cobrança').fill(shiftDay(dayOf(new Date()), 9));
  await page.getByRole('button', { name: 'Conferir assinatura' }).click();
  await page.getByRole('button', { name: 'Criar assinatura' }).click();
  await page.getByText('O pagador ainda não autorizou.').waitFor();
  const code = await page.getByText(/^000201/).textContent();
  const id = new URL(page.url()).searchParams.get('id') ?? '';
  const token = await signInAsDemoMerchant(stack);
  const { page_url } = await callApi(stack, 'GET', `/subscriptions/${id}`, { token });
  await checkAtBothWidths(merchant, 'a subscription that waits for the payer');

  const payer = await newVisitor(browser, 'phone');
  await allowAtBank(payer.page, code ?? '');
  await page.getByText(/debita sozinho/).waitFor();
  await setFunds(payer.page, 'Nunca há saldo');

  // Sent to the bank, and then the day of the debit and its evening.
  await advanceClock(stack, 4 * day);
  await waitForCycle(id, 'scheduled');
  await advanceClock(stack, 6 * day);
  await waitForCycle(id, 'retrying');
  await merchant.enter(await signInAsDemoMerchant(stack), `${stack.url}/assinaturas?id=${id}`);
  await page
    .getByText(/O banco tenta de novo em/)
    .first()
    .waitFor();
  await checkAtBothWidths(merchant, 'a subscription whose debit is tried again');

  const shown = `${stack.url}${new URL(String(page_url)).pathname}`;
  await payer.page.goto(shown);
  await payer.page.getByText(/O seu banco tenta de novo em/).waitFor();
  await payer.page.getByText('Como cancelar no seu banco').waitFor();
  await checkAtBothWidths(payer, 'the payer’s page while the bank tries again');

  await setFunds(payer.page, 'Sempre há saldo');
  await advanceClock(stack, 7 * day);
  await waitForCycle(id, 'paid');
  await merchant.enter(await signInAsDemoMerchant(stack), `${stack.url}/assinaturas?id=${id}`);
  await page.getByText(/debita sozinho/).waitFor();
  await checkAtBothWidths(merchant, 'a subscription whose second attempt was paid');
  await payer.page.goto(shown);
  await payer.page.getByText(/O seu banco tenta de novo em/).waitFor({ state: 'detached' });
  await payer.page.getByText('Como cancelar no seu banco').waitFor();
  await checkAtBothWidths(payer, 'the payer’s page after the debit');
  // Sessions end while days pass.
  expect(merchant.complaints(/401/)).toEqual([]);
  expect(payer.complaints()).toEqual([]);
});

async function allowAtBank(page: Page, code: string): Promise<void> {
  await page.goto(`${stack.bankUrl}/?codigo=${encodeURIComponent(code)}`);
  await page.getByRole('button', { name: 'Autorizar' }).click();
  await page
    .getByLabel('Saldo para os débitos')
    .or(page.getByText(/autorizad/i))
    .first()
    .waitFor();
}

async function setFunds(page: Page, label: string): Promise<void> {
  await page.goto(`${stack.bankUrl}/autorizacoes`);
  await page
    .getByRole('link', { name: /Mensalidade/ })
    .first()
    .click();
  const funds = page.getByLabel('Saldo para os débitos');
  await funds.selectOption({ label });
  await page.getByRole('button', { name: 'Salvar' }).click();
  const chosen = await funds.inputValue();
  await expect
    .poll(async () => {
      await page.reload();
      return funds.inputValue();
    })
    .toBe(chosen);
}
