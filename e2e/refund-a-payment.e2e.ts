import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { setRefundBehaviour } from './bank.ts';
import { createPaidCharge } from './paid-charge.ts';
import { borrowStack, type CreatedCharge, callApi, type SharedStack, signInAsDemoMerchant } from './stack.ts';
import { newVisitor, openBrowser } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;
let token: string;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
  token = await signInAsDemoMerchant(stack);
});

function readPayment({ id }: CreatedCharge): Promise<Record<string, unknown>> {
  return callApi(stack, 'GET', `/pix/status/${id}`, { token });
}

async function balanceCents(): Promise<number> {
  const { available_balance: balance } = await callApi(stack, 'GET', '/authed/wallet/stats', { token });
  return Math.round(100 * (balance as number));
}

const detailOf = (page: Page) => page.getByRole('dialog', { name: 'Transação' });

test('a merchant refunds a part of a payment, then the rest, and sees both succeed', async () => {
  const charge = await createPaidCharge(stack, token, 120.5);
  const before = await balanceCents();
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/transactions?id=${charge.id}`);
  const detail = detailOf(page);

  await detail.getByRole('button', { name: 'Estornar' }).click();
  await page.getByText('Uma parte').click();
  await page.getByLabel('Valor a devolver').pressSequentially('12051');
  const dialog = page.getByRole('dialog', { name: 'Estornar pagamento' });
  await dialog.getByRole('button', { name: 'Estornar', exact: true }).click();
  await page.getByText('O valor máximo é R$ 120,50.').waitFor();
  await page.getByLabel('Valor a devolver').fill('40,00');
  await page.getByLabel('Motivo (opcional)').fill('Um item em falta');
  await visitor.checkScreen('part of a refund');
  await page.getByRole('button', { name: 'Estornar R$ 40,00' }).click();
  await detail.getByText('Devolvido', { exact: true }).waitFor();
  await detail.getByText('Um item em falta').waitFor();
  await visitor.checkScreen('detail with a refund');
  expect(await balanceCents()).toBe(before - 4000);
  expect(await readPayment(charge)).toMatchObject({ status: 'paid', refunded_amount: 40 });

  await detail.getByRole('button', { name: 'Estornar' }).click();
  await page.getByText('Todo o restante').waitFor();
  await page.getByRole('button', { name: 'Estornar R$ 80,50' }).click();
  await detail.getByText('Estornado', { exact: true }).waitFor();
  await expect.poll(() => detail.getByText('Devolvido', { exact: true }).count()).toBe(2);
  expect(await detail.getByRole('button', { name: 'Estornar' }).count()).toBe(0);
  expect(await readPayment(charge)).toMatchObject({ status: 'refunded', refunded_amount: 120.5 });
  expect(await balanceCents()).toBe(before - 12_050);

  await page.goto(`${stack.url}/statement?kind=refund`);
  const line = page.getByRole('row').filter({ hasText: '− R$ 80,50' });
  await line.getByRole('button', { name: 'Ver' }).click();
  await detail.getByText(charge.id).waitFor();
  expect(visitor.complaints()).toEqual([]);
});

test('a refund refused by the bank says why, and the money is back', async () => {
  const charge = await createPaidCharge(stack, token, 25);
  const before = await balanceCents();
  await setRefundBehaviour(stack, 'refused');
  onTestFinished(() => setRefundBehaviour(stack, 'normal'));
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/transactions?id=${charge.id}`);
  const detail = detailOf(page);
  await detail.getByRole('button', { name: 'Estornar' }).tap();
  await visitor.checkScreen('refund');
  await page.getByRole('button', { name: 'Estornar R$ 25,00' }).tap();
  await detail.getByText('Não devolvido').waitFor();
  await visitor.checkScreen('detail with a refund that failed');
  expect(await balanceCents()).toBe(before);
  await setRefundBehaviour(stack, 'normal');
  await detail.getByRole('button', { name: 'Estornar' }).tap();
  await page.getByRole('button', { name: 'Estornar R$ 25,00' }).tap();
  await detail.getByText('Estornado', { exact: true }).waitFor();
  expect(visitor.complaints()).toEqual([]);
});

test('a refund whose response is lost is requested again, and made once', async () => {
  const charge = await createPaidCharge(stack, token, 30);
  const before = await balanceCents();
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/transactions?id=${charge.id}`);
  await page.route('**/api/pix/*/refund', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await detailOf(page).getByRole('button', { name: 'Estornar' }).click();
  await page.getByText('Uma parte').click();
  await page.getByLabel('Valor a devolver').fill('10,00');
  // If the list of refunds were loaded, it would show the refund, and no amount would be left to request again.
  await page.route('**/api/pix/*/refunds', (route) => route.abort());
  await page.getByRole('button', { name: 'Estornar R$ 10,00' }).click();
  await page.getByText('O pedido ficou sem confirmação.').waitFor();
  await page.unroute('**/api/pix/*/refund');
  await page.unroute('**/api/pix/*/refunds');
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await detailOf(page).getByText('Devolvido', { exact: true }).waitFor();
  expect(await readPayment(charge)).toMatchObject({ status: 'paid', refunded_amount: 10 });
  expect(await balanceCents()).toBe(before - 1000);
  expect(visitor.complaints(/ERR_FAILED/)).toEqual([]);
});
