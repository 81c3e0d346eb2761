import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advanceClock, payAtBank, setChargeBehaviour } from './bank.ts';
import { callApi, createCharge, type Stack, signInAsDemoMerchant, startStack } from './stack.ts';
import { checkColorSchemes, journeyWidths, newVisitor, openBrowser, sendCallsAlone } from './visitor.ts';

let stack: Stack;
let browser: Browser;
let token: string;

beforeAll(async () => {
  stack = await startStack();
  browser = await openBrowser();
  token = await signInAsDemoMerchant(stack);
});

afterAll(async () => {
  expect(await stack?.stop()).toBe(0);
  stack?.remove();
});

/** Counts the merchant's charges of an amount. */
async function countCharges(amount: string): Promise<unknown> {
  return (await callApi(stack, 'GET', `/authed/feed/transactions?search=${amount}`, { token }))['total'];
}

/** Types an amount and requests a charge. */
async function requestCharge(page: Page, digits: string): Promise<void> {
  await page.getByLabel(/^Valor/).pressSequentially(digits);
  await page.getByRole('button', { name: 'Gerar Pagamento' }).click();
}

/** Requests a charge again with the amount that the form kept, and waits for the charge. */
async function tryAgain(page: Page, typedAmount: string): Promise<void> {
  expect(await page.getByLabel(/^Valor/).inputValue()).toBe(typedAmount);
  await page.getByRole('button', { name: 'Gerar Pagamento' }).click();
  await page.getByText('Aguardando o Pix').waitFor();
}

const screens = [
  { address: '/dashboard', call: '/authed/wallet/stats', says: 'Erro ao buscar estatísticas da carteira.' },
  { address: '/dashboard', call: '/authed/feed/transactions', says: 'Erro ao buscar transações' },
  { address: '/dashboard', call: '/authed/stats/daily', says: 'Erro ao buscar o recebido por dia.' },
  {
    address: '/dashboard',
    call: '/authed/stats/charges',
    says: 'Erro ao buscar as cobranças por situação.',
  },
  { address: '/dashboard', call: '/authed/apikey', says: 'Failed to load API key status' },
  { address: '/transactions', call: '/authed/feed/transactions', says: 'Erro ao buscar transações' },
  { address: '/wallet', call: '/authed/wallet/stats', says: 'Erro ao buscar estatísticas da carteira.' },
  { address: '/api-keys', call: '/authed/apikey', says: 'Failed to load API key status' },
  { address: '/pix-payment', call: '/authed/apikey', says: 'Failed to load API key status' },
  {
    address: '/dashboard',
    call: '/authed/check-withdrawal-pin',
    says: 'Erro ao verificar status do PIN. Tente atualizar a página.',
  },
  {
    address: '/withdrawals',
    call: '/authed/check-withdrawal-pin',
    says: 'Erro ao verificar status do PIN.',
  },
  {
    address: '/withdrawals',
    call: '/authed/out-fees',
    says: 'Não foi possível carregar as informações de taxas. A tarifa acima é a padrão.',
  },
  { address: '/withdrawal-history', call: '/authed/withdrawals', says: 'Erro ao buscar saques.' },
  { address: '/api-withdrawals', call: '/authed/api-withdrawals', says: 'Erro ao buscar o saque pela API.' },
  { address: '/pix-payment?id=', call: '/authed/feed/transactions', says: 'Erro ao buscar o pagamento' },
] as const;

/** The kinds of failure. A short run shows each screen at most one kind, a long run both. */
const failures = {
  phone: {
    name: 'a proxy that answers 502 for the gateway',
    fail: (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502</h1>' }),
  },
  desktop: { name: 'a network that is gone', fail: (route: Route) => route.abort('internetdisconnected') },
} as const;

describe.each(['phone', 'desktop'] as const)('on a %s', (width) => {
  test('a bank outage is shown, the amount is kept, and trying again creates one charge', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    const typedAmount = { phone: '61,37', desktop: '62,37' }[width];
    await visitor.enter(token, `${stack.url}/pix-payment`);
    await setChargeBehaviour(stack, 'down');
    await requestCharge(page, typedAmount.replace(',', ''));
    await page
      .getByText('O banco não confirmou a criação da cobrança. Tente de novo em instantes.')
      .waitFor();
    await visitor.checkScreen('a charge that the bank did not make');
    await setChargeBehaviour(stack, 'normal');
    await tryAgain(page, typedAmount);
    expect(await countCharges(typedAmount)).toBe(1);
    expect(visitor.complaints(/status of 500/)).toEqual([]);
  });

  // In a short run each kind of failure covers a third of the screens.
  const checkedScreens = screens.filter(
    (_, index) => process.env['LONG'] || index % 3 === (width === 'phone' ? 0 : 1),
  );
  test(`${failures[width].name} is shown on screen, and Tentar Novamente reloads it`, async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    const { id } = await createCharge(stack, token, 9.9);
    await sendCallsAlone(page);
    await visitor.enter(token, `${stack.url}/kyc-verification`);
    for (const { address, call, says } of checkedScreens) {
      const calls = new RegExp(`/api${call}(\\?|$)`);
      await page.route(calls, failures[width].fail);
      await page.goto(stack.url + address.replace('id=', `id=${id}`));
      await page.getByText(says).waitFor();
      await visitor.checkScreen(`${address} without ${call}`);
      await page.unroute(calls);
      await page.getByRole('button', { name: 'Tentar Novamente' }).click();
      await page.getByText(says).waitFor({ state: 'detached' });
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    }
    expect(visitor.complaints(/status of 502|ERR_INTERNET_DISCONNECTED/)).toEqual([]);
  });
});

test('a charge whose response is lost is created once', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/pix-payment`);
  await page.route('**/api/pix/new', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await requestCharge(page, '6337');
  await page.getByText('Erro ao gerar pagamento PIX.').waitFor();
  await page.unroute('**/api/pix/new');
  await tryAgain(page, '63,37');
  expect(await countCharges('63,37')).toBe(1);
  expect(visitor.complaints(/ERR_CONNECTION_RESET/)).toEqual([]);
});

test('a profile that cannot be loaded at the start signs out', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  await sendCallsAlone(visitor.page);
  await visitor.page.route('**/api/authed/profile', failures.phone.fail);
  await visitor.enter(await signInAsDemoMerchant(stack), `${stack.url}/dashboard`);
  await visitor.page.waitForURL('**/login');
  expect(await visitor.hasStoredSession()).toBe(false);
  expect(visitor.complaints(/status of 502/)).toEqual([]);
});

async function readBalance(): Promise<number> {
  const { user } = await callApi(stack, 'GET', '/authed/profile', { token });
  return Math.round(Number((user as { balance: number }).balance) * 100);
}

/** Reads the amount of a payment less its fee, in cents. */
async function readNetCents(id: string): Promise<number> {
  const { credited_amount: net } = await callApi(stack, 'GET', `/pix/status/${id}`, { token });
  return Math.round(Number(net) * 100);
}

test('a power cut during payments loses none of them, and nobody has to sign in again', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page } = visitor;
  const before = await readBalance();
  const charges = [];
  for (let amount = 10; amount < 18; amount += 1) charges.push(await createCharge(stack, token, amount));
  const last = await createCharge(stack, token, 99.99);
  await visitor.enter(token, `${stack.url}/pix-payment?id=${last.id}`);
  await page.getByText('Aguardando o Pix').waitFor();
  // The script that draws the QR code loads last, so the page is complete once the code is drawn.
  await page.getByRole('img', { name: /QR/ }).waitFor();

  await Promise.all(charges.map(({ content }) => payAtBank(stack, content)));
  await stack.kill();
  stack = await startStack(stack.settings);

  // The page stayed open during the power cut and the restart.
  await payAtBank(stack, last.content);
  await page.getByText('Pago', { exact: true }).last().waitFor();
  const nets = await Promise.all([...charges, last].map(({ id }) => readNetCents(id)));
  const expected = nets.reduce((sum, net) => sum + net, before);
  await expect.poll(readBalance).toBe(expected);
  await page.reload();
  await page.getByText('Pago', { exact: true }).last().waitFor();
  const expectedText = (expected / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 });
  await page.getByRole('banner').getByText(`R$ ${expectedText}`).waitFor();

  const verifier = fileURLToPath(new URL('../server/src/verify-ledger.ts', import.meta.url));
  const verification = spawnSync(process.execPath, [verifier], {
    env: { ...process.env, ...stack.settings },
    encoding: 'utf8',
  });
  expect(verification.stdout).toContain('The books are right.');
  expect(verification.status).toBe(0);
  // Errors of connections that the power cut broke, and of a gateway that was starting.
  expect(visitor.complaints(/WebSocket|net::ERR_|status of 503|fetching the script/)).toEqual([]);
});

// The remaining tests move the bank's time for all tests of this file, so they come last.
describe.each(journeyWidths)('on a %s', (width) => {
  test('an unpaid charge turns to Expirado, and one press creates another', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    const charge = await createCharge(stack, token, 77.7);
    await visitor.enter(token, `${stack.url}/pix-payment?id=${charge.id}`);
    await page.getByText('Aguardando o Pix').waitFor();
    await advanceClock(stack, 1000);
    await page.getByText('Expirado').first().waitFor();
    await page.getByText('O prazo deste código acabou.').waitFor();
    await visitor.checkScreen('expired charge');
    await page.reload();
    await page.getByText('Expirado').first().waitFor();
    await page.getByRole('button', { name: 'Gerar outro' }).click();
    await page.waitForURL((url) => ![null, charge.id].includes(url.searchParams.get('id')));
    await page.getByText('Aguardando o Pix').waitFor();
    await page.getByText('R$ 77,70').first().waitFor();
    expect(visitor.complaints()).toEqual([]);
  });
});

test('on the narrowest screen a code expires while its payer is watching', async () => {
  const visitor = await newVisitor(browser, 'narrow');
  const { page } = visitor;
  const { checkout_url } = await callApi(stack, 'POST', '/pix/new', {
    token,
    body: { amount: 42.9, expires_in: 60, image: false },
  });
  await page.goto(String(checkout_url));
  await page.getByRole('button', { name: 'Copiar código Pix' }).waitFor();
  await advanceClock(stack, 61);
  await page.getByRole('heading', { name: 'Este código expirou' }).waitFor();
  await page.getByText(/Se você já pagou, o valor será reconhecido\. Senão, peça outro código a/).waitFor();
  await checkColorSchemes(visitor, 'expired');
  expect(visitor.complaints()).toEqual([]);
});
