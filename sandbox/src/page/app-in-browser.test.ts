import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeStaticBrCode } from '@jangada/pix';
import { type Browser, chromium, type Page } from 'playwright-core';
import encodeQR from 'qr';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Client, givenBank, givenCharge } from '../../test/bank.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The test command names the browser that it found or installed. */
const BROWSER = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: BROWSER,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
    ],
  });
});
afterAll(() => browser.close());

/** A page of the bank's app that fails the test when the browser complains of anything. */
async function givenApp(bank: Client, width = 390, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({
    baseURL: bank.sandbox.publicUrl,
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  return page;
}

async function findBarriers(page: Page): Promise<unknown> {
  await page.evaluate(AXE);
  const found =
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))';
  return page.evaluate(found);
}

test.each([
  [390, 'light'],
  [390, 'dark'],
  [1440, 'light'],
  [1440, 'dark'],
] as const)(
  'a code is pasted, read, paid and receipted, without a barrier, at %d px, %s',
  async (width, scheme) => {
    const bank = await givenBank();
    const { txid, brCode } = await givenCharge(bank, '1250.00', {
      solicitacaoPagador: 'Pagamento a Empório',
    });
    const page = await givenApp(bank, width, scheme);
    await page.goto('/');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Código Pix').fill(brCode);
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('Pagamento a Empório').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: /Pagar R\$\s1\.250,00/ }).click();
    await page.getByRole('heading', { name: 'Pagamento feito' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect((await bank.api('GET', `/v2/cob/${txid}`)).body.status).toBe('CONCLUIDA');
    await page.goto(`/?codigo=${encodeURIComponent(brCode)}`);
    await page.getByRole('heading', { name: 'Cobrança já paga' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
  },
);

test('a picture of a QR Code is read, and the payer types the amount of a static code', async () => {
  const bank = await givenBank();
  const { key } = bank.sandbox.account;
  const code = encodeStaticBrCode({ key, merchantName: 'Loja', merchantCity: 'RECIFE', txid: 'balcao1' });
  const page = await givenApp(bank);
  await page.goto('/');
  const picture = {
    name: 'qr.gif',
    mimeType: 'image/gif',
    buffer: Buffer.from(encodeQR(code, 'gif', { scale: 6 })),
  };
  await page.setInputFiles('input[type=file]', picture);
  await page.getByLabel('Quanto você quer pagar?').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pagar' }).click();
  await page.getByText('Digite quanto quer pagar.').waitFor();
  await page.getByLabel('Quanto você quer pagar?').pressSequentially('123456');
  await page.getByRole('button', { name: 'Pagar' }).click();
  await page.getByRole('heading', { name: 'Pagamento feito' }).waitFor();
  expect((await bank.call('GET', '/sandbox/account')).body.balance).toBe(1234.56);
});

test('a picture without a code says so', async () => {
  const bank = await givenBank();
  const page = await givenApp(bank);
  await page.goto('/');
  await page.setInputFiles('input[type=file]', {
    name: 'x.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('x'),
  });
  await page.getByText('Não achamos um QR Code nesta foto.').waitFor();
});

test('the behaviour and the clock are changed on their page', async () => {
  const bank = await givenBank();
  const page = await givenApp(bank);
  await page.goto('/comportamento');
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel('Avisos de pagamento').selectOption('never');
  await page.getByText('Salvo.').waitFor();
  expect((await bank.call('GET', '/sandbox/behaviour')).body.notifications).toBe('never');
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: '+ 1 dia' }).click()]);
  expect((await bank.call('GET', '/sandbox/clock')).body.offsetSeconds).toBe(86_400);
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: 'Voltar ao normal' }).click(),
  ]);
  expect((await bank.call('GET', '/sandbox/behaviour')).body.notifications).toBe('normal');
});
