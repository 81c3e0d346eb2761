import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import decodeQr from 'qr/decode.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { payAtBank } from './bank.ts';
import { close, listen } from './local-server.ts';
import { borrowStack, callApi, type SharedStack, signInAsDemoMerchant } from './stack.ts';
import { checkColorSchemes, newVisitor, openBrowser, readCopiedText } from './visitor.ts';
import { openPageWithoutScripts, verifyUntilPaid } from './without-scripts.ts';

let stack: SharedStack;
let browser: Browser;
let token: string;
let shop: { readonly url: string; readonly server: Server };

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
  token = await signInAsDemoMerchant(stack);
  shop = await startShop();
});

afterAll(async () => {
  if (shop) await close(shop.server);
});

/** Starts the shop that payers come from and return to. */
async function startShop() {
  const page = '<!doctype html><title>Loja</title><link rel="icon" href="data:,"><h1>Obrigado</h1>';
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  return { url: `${await listen(server)}/obrigado`, server };
}

async function createCharge(body: Record<string, unknown>): Promise<{ page: string; code: string }> {
  const charge = await callApi(stack, 'POST', '/pix/new', { token, body: { image: false, ...body } });
  return { page: String(charge['checkout_url']), code: String(charge['content']) };
}

/** Decodes the page's QR Code as a camera would: dark modules on a quiet zone. */
async function readQr(page: Page): Promise<string> {
  const picture = page.getByRole('img', { name: 'QR Code do Pix' });
  const modules = Number((await picture.getAttribute('viewBox'))?.split(' ')[2]);
  const path = (await picture.locator('path').getAttribute('d')) ?? '';
  /** The number of pixels of one module, and of modules in the quiet zone around the code. */
  const [scale, quietZone] = [4, 4];
  const side = (modules + 2 * quietZone) * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  let [x, y] = [0, 0];
  for (const [, move, first = '', second = ''] of path.matchAll(/([Mmh])(\d+)(?: ([\d.]+))?/g)) {
    if (move === 'M') [x, y] = [Number(first), Math.floor(Number(second))];
    else if (move === 'm') x += Number(first);
    else
      for (const end = x + Number(first); x < end; x += 1)
        for (let line = 0; line < scale; line += 1)
          for (let dot = 0; dot < scale; dot += 1) {
            const offset = (((y + quietZone) * scale + line) * side + (x + quietZone) * scale + dot) * 4;
            data.fill(0, offset, offset + 3);
          }
  }
  return decodeQr({ width: side, height: side, data });
}

test('on a phone a payer copies the code, pays it, sees it turn to Pago, returns to the shop and keeps a receipt', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page, context } = visitor;
  const charge = await createCharge({ amount: 1250, description: 'Pedido 1043', success_url: shop.url });
  await page.goto(charge.page);
  const copy = page.getByRole('button', { name: 'Copiar código Pix' });
  await copy.waitFor();
  // The way to pay is visible without scrolling.
  expect((await copy.boundingBox())?.y).toBeLessThan(400);
  await page.getByText(/^\d\d:\d\d$/).waitFor();
  expect(await readQr(page)).toBe(charge.code);
  await checkColorSchemes(visitor, 'waiting');

  const copied = await readCopiedText(page, async () => {
    await copy.click();
    await page.getByRole('button', { name: 'Código copiado' }).waitFor();
  });
  expect(copied).toBe(charge.code);

  await context.setOffline(true);
  await page.getByText('Sem conexão. Tentando de novo…').waitFor();
  await context.setOffline(false);
  await page.getByText('Aguardando o pagamento').waitFor();

  const bankLink = await page.getByRole('link', { name: 'Pagar no Banco Sandbox' }).getAttribute('href');
  const bank = await context.newPage();
  await bank.goto(bankLink ?? '');
  await bank.getByRole('button', { name: /^Pagar/ }).click();
  await bank.getByRole('heading', { name: 'Pagamento feito' }).waitFor();
  await bank.close();

  await page.getByRole('heading', { name: 'Pago' }).waitFor();
  expect(await page.title()).toMatch(/^Pago · /);
  // The receipt is a new page, whose script loads after the text is shown.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Pago');
  await page.getByText(/^Você volta para 127\.0\.0\.1:\d+ em 5 segundos\.$/).waitFor();
  await page.waitForURL(shop.url);

  // Reopening the paid page does not redirect, so that the payer can look at it.
  await page.goto(charge.page);
  await page.getByRole('link', { name: /^Voltar para/ }).waitFor();
  expect(await page.getByText(/Você volta para/).isVisible()).toBe(false);
  await checkColorSchemes(visitor, 'paid');
  await page.getByRole('link', { name: 'Ver comprovante' }).click();
  await page.getByRole('heading', { name: 'Comprovante de Pix' }).waitFor();
  await page.getByText(/^E\w{31}$/).waitFor();
  await page.getByRole('button', { name: 'Imprimir ou salvar em PDF' }).waitFor();
  await checkColorSchemes(visitor, 'receipt');
  expect(visitor.complaints(/ERR_INTERNET_DISCONNECTED/)).toEqual([]);
});

test('without JavaScript the code is shown, and a link verifies the payment', async () => {
  const page = await openPageWithoutScripts(browser);
  const charge = await createCharge({ amount: 42.9 });
  await page.goto(charge.page);
  await page.getByRole('link', { name: 'Copiar código Pix' }).click();
  expect(new URL(page.url()).hash).toBe('#codigo');
  expect(await page.locator('#codigo pre').textContent()).toBe(charge.code);
  await payAtBank(stack, charge.code);
  await verifyUntilPaid(page);
});

test('on the narrowest screen no payer page is too wide or hard to read', async () => {
  const visitor = await newVisitor(browser, 'narrow');
  const { page } = visitor;
  const charge = await createCharge({ amount: 42.9 });
  await page.goto(charge.page);
  await page.getByRole('button', { name: 'Copiar código Pix' }).waitFor();
  await visitor.checkScreen('waiting, narrow');
  const link = await callApi(stack, 'POST', '/payment-links', {
    token,
    body: { title: 'Doação', amount: null },
  });
  await page.goto(String(link['url']));
  await page.getByLabel('Quanto você vai pagar').fill('12,3,4');
  await page.getByRole('button', { name: 'Pagar com Pix' }).click();
  await page.getByText('Digite o valor em reais').waitFor();
  await checkColorSchemes(visitor, 'link');
  const counter = await callApi(stack, 'POST', '/counter-codes', { token, body: { name: 'Caixa estreita' } });
  await page.goto(String(counter['print_url']));
  await page.getByRole('button', { name: 'Imprimir' }).waitFor();
  await checkColorSchemes(visitor, 'counter code');
  await page.goto(`${stack.url}/pagar/nada`);
  await page.getByRole('heading', { name: 'Cobrança não encontrada' }).waitFor();
  await checkColorSchemes(visitor, 'unknown');
  expect(visitor.complaints(/40[04]/)).toEqual([]);
});
