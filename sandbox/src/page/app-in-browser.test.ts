import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeStaticBrCode } from '@jangada/pix';
import { type Browser, chromium, type Page } from 'playwright-core';
import encodeQR from 'qr';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { browserLaunchOptions } from '../../../tools/browser.ts';
import { type Client, givenBank, givenCharge, openAccount, payNew } from '../../test/bank.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(browserLaunchOptions());
});
afterAll(() => browser.close());

/**
 * Opens a browser page for the bank's app. Any error in the browser fails the test, except that the browser reports a
 * call which the bank refused.
 */
async function givenApp(bank: Client, width = 390, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({
    baseURL: bank.sandbox.publicUrl,
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme,
  });
  const page = await context.newPage();
  const browserErrors: string[] = [];
  page.on('console', (message) => {
    const isRefusedCall = /status of 400/.test(message.text()) && /\/sandbox\//.test(message.location().url);
    if (message.type() === 'error' && !isRefusedCall) browserErrors.push(message.text());
  });
  page.on('pageerror', (error) => browserErrors.push(error.message));
  onTestFinished(async () => {
    await context.close();
    expect(browserErrors).toEqual([]);
  });
  return page;
}

async function findAccessibilityViolations(page: Page): Promise<unknown> {
  await page.evaluate(AXE);
  const script =
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))';
  return page.evaluate(script);
}

/** A short run covers each width and each colour scheme once, a run with LONG set every combination. */
const screens = [
  [390, 'light'],
  [1440, 'dark'],
  ...(process.env['LONG']
    ? ([
        [390, 'dark'],
        [1440, 'light'],
      ] as const)
    : []),
] as const;

test.each(screens)(
  'a code can be pasted, read and paid up to its receipt, accessibly, at %d px, %s',
  async (width, scheme) => {
    const bank = await givenBank();
    const { txid, brCode } = await givenCharge(bank, '1250.00', {
      solicitacaoPagador: 'Pagamento a Empório',
    });
    const page = await givenApp(bank, width, scheme);
    await page.goto('/');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Código Pix').fill(brCode);
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByText('Pagamento a Empório').waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: /Pagar R\$\s1\.250,00/ }).click();
    await page.getByRole('heading', { name: 'Pagamento feito' }).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    expect((await bank.api('GET', `/v2/cob/${txid}`)).body.status).toBe('CONCLUIDA');
    await page.goto(`/?codigo=${encodeURIComponent(brCode)}`);
    await page.getByRole('heading', { name: 'Cobrança já paga' }).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
  },
);

test('a QR code is read from a picture, and the payer enters the amount of a static code', async () => {
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
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pagar' }).click();
  await page.getByText('Digite quanto quer pagar.').waitFor();
  await page.getByLabel('Quanto você quer pagar?').pressSequentially('123456');
  await page.getByRole('button', { name: 'Pagar' }).click();
  await page.getByRole('heading', { name: 'Pagamento feito' }).waitFor();
  expect((await bank.call('GET', '/sandbox/account')).body.balance).toBe(1234.56);
});

test('a picture without a code shows an error', async () => {
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

test('the behaviour and the clock can be changed on the behaviour page', async () => {
  const bank = await givenBank();
  const page = await givenApp(bank);
  await page.goto('/comportamento');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByLabel('Avisos', { exact: true }).selectOption('never');
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

test.each(screens)(
  'a payment can be found, contested, defended and decided, accessibly, at %d px, %s',
  async (width, scheme) => {
    const bank = await givenBank();
    const { brCode } = await givenCharge(bank, '1250.00', { solicitacaoPagador: 'Pagamento a Empório' });
    const page = await givenApp(bank, width, scheme);
    await page.goto('/');
    await page.getByRole('link', { name: 'Pagamentos' }).click();
    await page.getByText('Você ainda não pagou nada.').waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);

    const { endToEndId } = (await bank.call('POST', '/sandbox/payments', { brCode })).body;
    await bank.api('PUT', `/v2/pix/${endToEndId}/devolucao/r1`, { valor: '250.00' });
    await page.reload();
    await page.getByRole('link', { name: 'Pagamento a Empório' }).click();
    await page.getByRole('link', { name: 'Contestar' }).click();
    await page.getByText(/R\$\s1\.000,00/).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Não fui eu que paguei').check();
    await page.getByLabel('Conte mais, se quiser').fill('Não reconheço.');
    await page.getByRole('button', { name: 'Contestar' }).click();
    await page.getByText('Aberta, esperando a loja').waitFor();
    const [dispute] = (await bank.call('GET', '/sandbox/disputes')).body;
    expect(dispute).toMatchObject({
      endToEndId,
      amount: 1000,
      reason: 'acesso fraudulento',
      comment: 'Não reconheço.',
    });

    const defence = { analise: 'rejeitado', justificativa: 'Foi entregue.' };
    await bank.api('POST', `/v2/gn/infracoes/${dispute.id}/defesa`, defence);
    await page.reload();
    await page.getByText('Foi entregue.').waitFor();
    expect(await page.getByRole('link', { name: 'Contestar' }).count()).toBe(0);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Aceitar' }).click();
    await page.getByText('Aceita', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Ver meus pagamentos' }).click();
    await page.getByText('Contestação aceita').waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
  },
);

test('the outcome of payouts and refunds is chosen on the page, which lists the special values', async () => {
  const bank = await givenBank();
  const page = await givenApp(bank);
  await page.goto('/comportamento');
  const behaviour = async () => (await bank.call('GET', '/sandbox/behaviour')).body;
  await page.getByLabel('Envio de Pix').selectOption('lost-then-timeout');
  await expect.poll(async () => (await behaviour()).payouts).toBe('lost-then-timeout');
  await page.getByLabel('Devoluções').selectOption('refused');
  await expect.poll(async () => (await behaviour()).refunds).toBe('refused');
  await page.getByLabel('Até um envio voltar, em segundos').fill('7');
  await page.getByLabel('Até um envio voltar, em segundos').press('Tab');
  await expect.poll(async () => (await behaviour()).payoutReturnSeconds).toBe(7);
  for (const list of await page.locator('summary').all()) await list.click();
  await page.getByText('00000000-0000-4000-8000-000000001406').waitFor();
  await page.getByText(/R\$\s15,01/).waitFor();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: 'Voltar ao normal' }).click(),
  ]);
  expect(await behaviour()).toMatchObject({ payouts: 'normal', refunds: 'normal', payoutReturnSeconds: 60 });
});

test('the behaviour page says which account it shows, and changes to another one, accessibly', async () => {
  const bank = await givenBank();
  const page = await givenApp(bank);
  await page.goto('/comportamento');
  expect(await page.getByLabel('Conta', { exact: true }).count()).toBe(0);

  const other = await openAccount(bank);
  await payNew(other, '12.00');
  await page.reload();
  await page.getByText('Jangada Sandbox', { exact: true }).waitFor();
  await page.getByLabel('Conta', { exact: true }).selectOption('2 – Loja da Ana');
  await page.getByRole('button', { name: 'Ver esta conta' }).click();
  for (const text of ['Loja da Ana', other.sandbox.account.key, 'R$\u00a012,00'])
    await page.getByText(text, { exact: true }).waitFor();
  expect(await page.getByLabel('Conta', { exact: true }).inputValue()).toBe('2');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByLabel('Avisos').selectOption('Não avisa nunca');
  await page.getByText('Salvo.').waitFor();
  const notificationsOf = async (id: string) =>
    (await bank.call('GET', `/sandbox/behaviour?account=${id}`)).body.notifications;
  expect([await notificationsOf('1'), await notificationsOf('2')]).toEqual(['normal', 'never']);
});

test.each(screens)(
  'an account is opened on the page of accounts, which copies what connects it, accessibly, at %d px, %s',
  async (width, scheme) => {
    const bank = await givenBank();
    const page = await givenApp(bank, width, scheme);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/');
    await page.getByRole('link', { name: 'Ver e abrir contas' }).click();
    await page.getByText('Jangada Sandbox', { exact: true }).waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);

    await page.getByLabel('Nome do titular').fill('Loja da Ana');
    await page.getByLabel('Chave Pix').fill('ana@example.com');
    await page.getByRole('button', { name: 'Abrir conta' }).click();
    await page.getByText('Use estes dados na página Banco do painel da Jangada.').waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    const { clientId, clientSecret, baseUrl, tokenUrl } = (
      await bank.call('GET', '/sandbox/accounts/ana@example.com/credentials')
    ).body;
    for (const [label, value] of [
      ['Chave Pix', 'ana@example.com'],
      ['Client ID', clientId],
      ['Client Secret', clientSecret],
      ['Endereço da API Pix', baseUrl],
      ['Endereço do token', tokenUrl],
    ]) {
      await page.getByRole('button', { name: `Copiar ${label}` }).click();
      await page.getByText(`${label}: copiado.`).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value);
    }
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);

    await page.getByRole('link', { name: 'Mudar o comportamento da conta 2' }).click();
    await page.getByText('ana@example.com', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Ver os dados desta conta' }).click();
    await page.getByText(clientSecret, { exact: true }).waitFor();
  },
);

test('an account that cannot be opened says why, and a random key is given if none was chosen', async () => {
  const bank = await givenBank();
  const page = await givenApp(bank);
  await page.goto('/contas');
  await page.getByLabel('CNPJ do titular').fill('11.222.333/0001-80');
  await page.getByLabel('Cidade').fill('–');
  await page.getByRole('button', { name: 'Abrir conta' }).click();
  await page.getByText('O CNPJ do titular não é válido. Informe a cidade').waitFor();
  expect((await bank.call('GET', '/sandbox/accounts')).body).toHaveLength(1);
  await page.getByLabel('CNPJ do titular').fill('12.abc.345/01de-35');
  await page.getByLabel('Cidade').fill('Olinda');
  await page.getByRole('button', { name: 'Abrir conta' }).click();
  await page.getByRole('button', { name: 'Copiar Client ID' }).waitFor();
  expect((await bank.call('GET', '/sandbox/accounts')).body[1]).toMatchObject({
    document: '12ABC34501DE35',
    city: 'Olinda',
    key: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

test('an account that demands a certificate is opened on the page, which hands out the certificate, accessibly', async () => {
  const bank = await givenBank({ mtls: {} });
  const page = await givenApp(bank);
  await page.goto('/contas');
  await page.getByLabel('Certificado de cliente').selectOption('Pede, e vale um ano');
  await page.getByRole('button', { name: 'Abrir conta' }).click();
  await page.getByText(`${bank.sandbox.mtlsUrl}/v2`, { exact: true }).waitFor();
  await page.getByText('Banco Sandbox com certificado', { exact: true }).waitFor();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  const { certificate, authority } = (await bank.call('GET', '/sandbox/accounts/2/credentials')).body;
  const download = async (name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: `Baixar ${name}` }).click(),
    ]);
    return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
  };
  expect(await download('Certificado')).toEqual(['conta-2.pem', certificate]);
  expect(await download('Autoridade do banco')).toEqual(['banco-sandbox.pem', authority]);
});

test('many accounts scroll inside the phone that a wide screen shows', async () => {
  const bank = await givenBank();
  for (let count = 0; count < 10; count += 1) await openAccount(bank);
  const page = await givenApp(bank, 1440);
  await page.goto('/contas');
  const overflow = 'document.documentElement.scrollHeight - document.documentElement.clientHeight';
  expect(await page.evaluate(overflow)).toBe(0);
  const link = page.getByRole('link', { name: 'Mudar o comportamento da conta 2' });
  await link.scrollIntoViewIfNeeded();
  await link.click();
  await page.getByRole('heading', { name: 'Comportamento' }).waitFor();
});
