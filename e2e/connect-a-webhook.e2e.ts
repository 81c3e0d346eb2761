import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { payAtBank } from './bank.ts';
import { close, listen } from './local-server.ts';
import { borrowStack, createCharge, registerMerchant, type SharedStack } from './stack.ts';
import { journeyWidths, newVisitor, openBrowser } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;

/** The session of a new merchant without any data. */
let token: string;

beforeAll(async () => {
  stack = await borrowStack();
  token = await registerMerchant(stack, {
    username: 'loja.dos.avisos',
    name: 'Loja dos Avisos',
  });
  browser = await openBrowser();
});

type ReceivedDelivery = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/**
 * Starts a merchant's receiver of webhooks, which records deliveries and responds with `status`. It runs until the test ends.
 */
async function startShop() {
  const deliveries: ReceivedDelivery[] = [];
  const shop = { deliveries, status: 200, url: '' };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    deliveries.push({ headers: Object.fromEntries(headers), body });
    response.writeHead(shop.status).end(shop.status === 200 ? 'ok' : 'pedido não encontrado');
  });
  shop.url = `${await listen(server)}/webhooks`;
  onTestFinished(() => close(server));
  return shop;
}

/** Computes the signature that a delivery must have. */
function signatureOf({ headers, body }: ReceivedDelivery, secret: string): string {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

test.each(journeyWidths)(
  'on a %s a webhook is connected and tested, a failed delivery is found and resent, and the charge shows its deliveries',
  async (width) => {
    const shop = await startShop();
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    await visitor.enter(token, `${stack.url}/webhooks`);
    await page.getByText('Nenhum endereço ainda').waitFor();
    await page.getByRole('button', { name: 'Adicionar endereço' }).click();
    const form = page.getByRole('dialog', { name: 'Adicionar endereço' });
    await form.getByLabel('Endereço (URL)').fill(shop.url);
    await form.getByText('Escolher', { exact: true }).click();
    await form.getByRole('checkbox', { name: /Pagamento recebido/ }).check();
    await visitor.checkScreen('form of an endpoint');
    await form.getByRole('button', { name: 'Adicionar' }).click();
    const secret = await page.getByText(/^whsec_/).textContent();
    await visitor.checkScreen('secret of an endpoint');
    await page.getByRole('button', { name: 'Continuar' }).click();

    await page.getByRole('button', { name: 'Enviar teste' }).click();
    const testDialog = page.getByRole('dialog', { name: 'Evento de teste' });
    await testDialog.getByText(/Seu servidor respondeu 200/).waitFor();
    await visitor.checkScreen('test of an endpoint');
    const [test] = shop.deliveries;
    expect(test?.headers['webhook-signature']).toBe(test && signatureOf(test, secret ?? ''));
    await testDialog.getByRole('button', { name: 'Fechar' }).last().click();
    await page.getByText('Evento de teste').waitFor();
    await visitor.checkScreen('endpoint');

    shop.status = 500;
    const charge = await createCharge(stack, token, 37.5);
    await payAtBank(stack, charge.content);
    await expect.poll(() => shop.deliveries.length).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'Ver todas' }).click();
    await page.getByLabel('ID da cobrança, do saque ou da disputa').fill(charge.id);
    await page.waitForURL(`**subject=${charge.id}*`);
    const listedDelivery =
      width === 'phone'
        ? page.getByRole('list', { name: 'Entregas' }).getByRole('button')
        : page.getByRole('button', { name: 'Detalhes' });
    await expect.poll(() => listedDelivery.count()).toBe(1);
    await visitor.checkScreen('deliveries of a charge');
    await listedDelivery.click();
    const delivery = page.getByRole('dialog', { name: 'Entrega' });
    await delivery.getByText('pedido não encontrado').first().waitFor();
    await delivery.getByText(/^Seu código falhou/).waitFor();
    await visitor.checkScreen('delivery that failed');
    shop.status = 200;
    await delivery.getByRole('button', { name: 'Reenviar' }).click();
    await delivery.getByText(/Seu servidor respondeu 200/).waitFor();
    await delivery.getByRole('link', { name: charge.id.slice(0, 8) }).click();

    const transaction = page.getByRole('dialog', { name: 'Transação' });
    await transaction.getByText('O que aconteceu').click();
    await transaction.getByText(/500/).first().waitFor();
    await visitor.checkScreen('timeline of a charge');

    const lastDelivery = shop.deliveries.at(-1);
    await page.goto(`${stack.url}/webhooks/doctor`);
    const lines = Object.entries(lastDelivery?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
    await page.getByLabel('Cabeçalhos que chegaram').fill(lines.join('\n'));
    await page
      .getByLabel('Corpo que chegou')
      .fill(JSON.stringify(JSON.parse(lastDelivery?.body ?? ''), null, 2));
    await page.getByRole('button', { name: 'Examinar' }).click();
    await page.getByRole('heading', { name: 'A assinatura não confere' }).waitFor();
    await page.getByText('body-reserialised').waitFor();
    await visitor.checkScreen('diagnosis');
    await page.getByLabel('Corpo que chegou').fill(lastDelivery?.body ?? '');
    await page.getByRole('button', { name: 'Examinar' }).click();
    await page.getByRole('heading', { name: 'A assinatura confere' }).waitFor();

    await page.getByRole('link', { name: 'Endereços' }).click();
    await page.getByText(shop.url.replace('http://', '')).click();
    await page.getByRole('button', { name: 'Remover' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
    await page.getByText('Nenhum endereço ainda').waitFor();
    expect(visitor.complaints()).toEqual([]);
  },
);
