import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { payAtBank } from './bank.ts';
import { borrowStack, createCharge, type SharedStack, signInAsDemoMerchant } from './stack.ts';
import { journeyWidths, newVisitor, openBrowser, readCopiedText, type Visitor } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;
let token: string;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
  token = await signInAsDemoMerchant(stack);
});

const resultUrl = (id: string) => `${stack.url}/pix-payment?id=${id}`;
const waitUntilPending = (page: Page) => page.getByText('Aguardando o Pix').waitFor();
const waitUntilPaid = (page: Page) => page.getByText('Pago', { exact: true }).last().waitFor();

test('a payment without a bank notice is found, and the screen turns to Pago by itself', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  // The bank sends no notice of a payment of R$ 13,03.
  const charge = await createCharge(stack, token, 13.03);
  await visitor.enter(token, resultUrl(charge.id));
  await waitUntilPending(visitor.page);
  await payAtBank(stack, charge.content);
  await waitUntilPaid(visitor.page);
  await visitor.page.reload();
  await waitUntilPaid(visitor.page);
  expect(visitor.complaints()).toEqual([]);
});

/** Puts a proxy between the page and the live channel. The proxy can cut the channel, and let it be opened again. */
async function interceptChannel({ page }: Visitor) {
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket(/\/api\/notifications\/ws/, (route) => {
    if (isCut) return void route.close({ code: 1013 });
    route.connectToServer();
    open.add(route);
  });
  return {
    isOpen: () => open.size > 0,
    async cut() {
      isCut = true;
      for (const route of open) await route.close({ code: 1013 });
      open.clear();
    },
    restore() {
      isCut = false;
    },
  };
}

test('a screen that loses its live channel still turns to Pago, and the channel reconnects', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  const channel = await interceptChannel(visitor);
  const [first, second] = [await createCharge(stack, token, 20), await createCharge(stack, token, 30)];
  await visitor.enter(token, resultUrl(first.id));
  await waitUntilPending(page);
  await expect.poll(channel.isOpen).toBe(true);
  await channel.cut();
  await payAtBank(stack, first.content);
  await waitUntilPaid(page);

  channel.restore();
  await expect.poll(channel.isOpen).toBe(true);
  await page.getByRole('link', { name: 'Todas as Transações' }).click();
  await page.getByRole('heading', { name: 'Todas as Transações' }).waitFor();
  const newest = page.getByRole('row', { name: /R\$ 30,00/ }).first();
  await newest.getByText('Pendente').waitFor();
  await payAtBank(stack, second.content);
  // Lists are not polled, so this update came through the channel.
  await newest.getByText('Pago').waitFor();
  expect(visitor.complaints()).toEqual([]);
});

describe.each(journeyWidths)('on a %s', (width) => {
  test('the code and the id of a charge can be copied, and the balance can be hidden', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    const copy = (name: string) => page.getByRole('button', { name, exact: true });
    const charge = await createCharge(stack, token, 42.5);
    await visitor.enter(token, resultUrl(charge.id));
    const code = await readCopiedText(page, async () => {
      await copy('Copiar código Pix').click();
      await page.getByRole('button', { name: 'Copiado' }).waitFor();
    });
    expect(code).toBe(charge.content);
    await copy('Copiar código Pix').waitFor();
    expect(await readCopiedText(page, () => copy('Copiar ID').click())).toBe(charge.id);

    await page.goto(`${stack.url}/transactions?id=${charge.id}`);
    const detail = page.getByRole('dialog', { name: 'Transação' });
    const inDetail = detail.getByRole('button', { name: 'Copiar', exact: true });
    expect(await readCopiedText(page, () => inDetail.click())).toBe(charge.content);
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'detached' });

    const sum = page.getByRole('banner').getByText(/R\$\s[\d.]+,\d\d/);
    await sum.waitFor();
    await page.getByRole('button', { name: 'Esconder saldo' }).click();
    await sum.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Mostrar saldo' }).waitFor();
    expect(await sum.count()).toBe(0);
    await page.getByRole('button', { name: 'Mostrar saldo' }).click();
    await sum.waitFor();
    expect(visitor.complaints()).toEqual([]);
  });

  test('the dark theme is remembered, and applies before the first paint', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
    await visitor.enter(token, `${stack.url}/wallet`);
    expect(await theme()).toBe('corporate');
    const account = page.getByRole('button', { name: 'Conta MA' });
    if (width === 'phone') await account.tap();
    else await account.hover();
    await page.getByRole('menuitem', { name: 'Tema escuro' }).click();
    await expect.poll(theme).toBe('dark');

    await page.addInitScript(() => {
      new MutationObserver(() => performance.mark('theme')).observe(document, {
        attributeFilter: ['data-theme'],
        subtree: true,
      });
    });
    for (const path of ['/wallet', '/transactions', '/pix-payment', '/api-keys', '/dashboard']) {
      await page.goto(stack.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await theme()).toBe('dark');
      const firstOf = (name: string) =>
        page.evaluate((entryName) => performance.getEntriesByName(entryName)[0]?.startTime, name);
      await expect.poll(() => firstOf('first-paint')).toBeDefined();
      expect(await firstOf('theme')).toBeLessThan((await firstOf('first-paint')) ?? 0);
      await visitor.checkScreen(`${path} in the dark`);
    }
    expect(visitor.complaints()).toEqual([]);
  });
});
