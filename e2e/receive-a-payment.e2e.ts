import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import decodeQr from 'qr/decode.js';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { randomCpf } from '../server/test/random-cpf.ts';
import { payAtBank } from './bank.ts';
import { close, listen } from './local-server.ts';
import { approve, borrowStack, callApi, PASSWORD, type SharedStack, signInAsDemoMerchant } from './stack.ts';
import { journeyWidths, newVisitor, openBrowser, readCopiedText, type Visitor } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
});

type Delivery = { headers: Record<string, string>; body: string };

/** Starts the merchant's own system, which receives webhooks and passes them to the test, until the test ends. */
async function startReceiver(): Promise<{ url: string; next(): Promise<Delivery> }> {
  const pending: ((delivery: Delivery) => void)[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.writeHead(204).end();
    pending.shift()?.({ headers: request.headers as Record<string, string>, body });
  });
  const url = `${await listen(server)}/pix`;
  onTestFinished(() => close(server));
  return { url, next: () => new Promise((resolve) => pending.push(resolve)) };
}

/** Decodes the QR code on the screen, as a phone would. */
async function readQr(page: Page): Promise<string> {
  const picture = page.getByRole('img', { name: /QR/ });
  const pixels = await picture.evaluate(async (element) => {
    const image = element as HTMLImageElement;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return { width: canvas.width, height: canvas.height, data: [...data] };
  });
  return decodeQr({ width: pixels.width, height: pixels.height, data: Uint8Array.from(pixels.data) });
}

const people = {
  phone: { username: 'joana', name: 'Joana Beira-Mar' },
  desktop: { username: 'severino', name: 'Severino da Feira' },
} as const;

async function register(visitor: Visitor, person: (typeof people)[keyof typeof people]): Promise<void> {
  const { page } = visitor;
  const document = randomCpf();
  await page.goto(`${stack.url}/`);
  await page.waitForURL('**/login**');
  await page.getByRole('link', { name: /Cri/ }).click();
  await page.getByLabel('Nome de usuário').fill(person.username);
  await page.getByLabel('Nome completo').fill(person.name);
  await page.getByLabel('E-mail').fill(`${person.username}@example.com`);
  await page.getByRole('textbox', { name: 'CPF' }).pressSequentially(document);
  const formatted = document.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4');
  await expect.poll(() => page.getByRole('textbox', { name: 'CPF' }).inputValue()).toBe(formatted);
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirmar senha').fill(PASSWORD);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.waitForURL('**/dashboard');
  await page.getByRole('heading', { name: `Olá, ${person.name.split(' ')[0]}` }).waitFor();
  await page.getByText('Verificação Pendente').waitFor();
  await visitor.checkScreen('overview of a new account');
}

async function generateKey(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await page.goto(`${stack.url}/pix-payment`);
  await page.getByText('Você não possui uma chave API').waitFor();
  await visitor.checkScreen('payment without a key');
  await page.goto(`${stack.url}/api-keys`);
  await page.getByRole('button', { name: /Gerar/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/jgd_\w{20}/).waitFor();
  await visitor.checkScreen('new key');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
}

/** Creates a charge on the screen, after an amount that is refused. Returns the URL at the bank where the charge is paid. */
async function createCharge(visitor: Visitor): Promise<string> {
  const { page } = visitor;
  await page.goto(`${stack.url}/pix-payment`);
  const amount = page.getByLabel(/^Valor/);
  await amount.pressSequentially('149');
  await page.getByRole('button', { name: /Gerar/ }).click();
  await page.getByText('O valor mínimo para depósito é R$ 1,50.').waitFor();
  await amount.press('End');
  for (let digits = 0; digits < 3; digits += 1) await amount.press('Backspace');
  await amount.pressSequentially('125000');
  await expect.poll(() => amount.inputValue()).toBe('1.250,00');
  await page.getByRole('button', { name: /Gerar/ }).click();
  const copy = page.getByRole('button', { name: 'Copiar código Pix' });
  expect(await readQr(page)).toBe(await readCopiedText(page, () => copy.click()));
  const payLink = await page
    .getByRole('link', { name: /Banco Sandbox/ })
    .last()
    .getAttribute('href');
  return payLink ?? '';
}

async function payAtTheBank(visitor: Visitor, payLink: string, merchant: string): Promise<void> {
  const bank = await visitor.context.newPage();
  await bank.goto(payLink);
  await bank.getByText(`Pagamento a ${merchant}`).first().waitFor();
  await bank.getByText('1.250,00').first().waitFor();
  await bank.getByRole('button', { name: /^Pagar/ }).click();
  await bank.getByRole('heading', { name: 'Pagamento feito' }).waitFor();
  await bank.close();
}

describe.each(journeyWidths)('on a %s', (width) => {
  test('a merchant registers, is approved, creates a Pix, and sees it turn to Pago', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    const person = people[width];
    await register(visitor, person);
    await approve(stack, person.username);
    await generateKey(visitor);
    const payLink = await createCharge(visitor);
    // The dialog stays open while the payer is at the bank.
    const notice = page.getByText('Pix recebido').waitFor();
    await Promise.all([notice, payAtTheBank(visitor, payLink, person.name)]);

    await page
      .getByRole('heading', { name: /Pago/ })
      .or(page.getByText('Pago', { exact: true }))
      .first()
      .waitFor();
    await expect.poll(() => page.title()).toContain('Pago');
    // R$ 1.250,00 less 0.99 %. The balance in the top bar has been updated without a reload.
    await page.getByText('R$ 1.237,62').first().waitFor();

    await page.goto(`${stack.url}/transactions`);
    await page.getByText('R$ 1.237,62').last().waitFor();
    await page
      .getByRole('button', { name: /Detalhes/ })
      .or(page.getByRole('listitem').getByRole('button'))
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');

    await page.goto(`${stack.url}/wallet`);
    await page.getByRole('heading', { name: 'Minha Carteira' }).waitFor();
    await page.getByText('R$ 1.237,62').first().waitFor();
    await page.goto(`${stack.url}/dashboard`);
    await page.getByText('R$ 1.250,00').first().waitFor();
    expect(visitor.complaints()).toEqual([]);
  });
});

test('an integrator creates a charge with a key and learns of its payment by a signed webhook', async () => {
  const receiver = await startReceiver();
  const token = await signInAsDemoMerchant(stack);
  const { apiKey } = await callApi(stack, 'POST', '/authed/apikey', { token });
  const { secret } = await callApi(stack, 'GET', '/authed/webhook-secret', { token });
  const charge = await callApi(stack, 'POST', '/pix/new', {
    apiKey,
    body: { amount: 25.9, expires_in: 900, callback_url: receiver.url },
  });
  const delivery = receiver.next();
  await payAtBank(stack, charge['content']);
  const { headers, body } = await delivery;
  const event = new Webhook(String(secret)).verify(body, headers);
  expect(event).toMatchObject({
    type: 'payment.paid',
    paymentId: charge['id'],
    status: 'paid',
    amount: 25.9,
  });
  expect(await callApi(stack, 'GET', `/pix/status/${charge['id']}`, { apiKey })).toMatchObject({
    status: 'paid',
  });
});
