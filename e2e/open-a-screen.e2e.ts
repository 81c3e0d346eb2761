import type { Browser, Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowStack, type SharedStack, signInAsDemoMerchant } from './stack.ts';
import { newVisitor, openBrowser } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;
let token: string;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
  token = await signInAsDemoMerchant(stack);
});

/**
 * The requests of the last document that is opened, until every started call but `untaken` was taken and nothing more is
 * requested.
 */
async function requestsOf(
  page: Page,
  open: () => Promise<unknown>,
  { untaken = [] }: { untaken?: readonly string[] } = {},
): Promise<Request[]> {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) requests.length = 0;
    requests.push(request);
  });
  await open();
  await expect.poll(() => page.evaluate('startedCalls?.paths')).toEqual(untaken);
  await page.waitForLoadState('networkidle');
  return requests;
}

const pathOf = (request: Request) => new URL(request.url()).pathname;
/** The calls before the one that opens the live channel, after which a slow screen is fetched again. */
function callsAmong(requests: readonly Request[]): string[] {
  const calls = requests.map(pathOf).filter((path) => path.startsWith('/api/'));
  const ticket = calls.indexOf('/api/authed/notifications/ticket');
  return ticket === -1 ? calls : calls.slice(0, ticket);
}

describe.each([
  ['/dashboard', 'Olá, Marina'],
  ['/wallet', 'Minha Carteira'],
  ['/transactions', 'Todas as Transações'],
  ['/withdrawals', 'Solicitar Saque'],
  ['/pix-payment', 'Criar Pagamento'],
  ['/statement', 'Extrato'],
])('%s', (path, title) => {
  test('asks for its figures in one call with its document, and its scripts are announced with the document', async () => {
    const { page, enter, complaints } = await newVisitor(browser, 'phone');
    const requests = await requestsOf(page, async () => {
      await enter(token, stack.url + path);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    });
    expect(callsAmong(requests)).toEqual(['/api/authed/batch']);
    const [document] = requests;
    const announced = `${await (await document?.response())?.text()} ${await (await document?.response())?.headerValue('link')}`;
    const unannounced = requests
      .filter((request) => request.resourceType() === 'script')
      .map(pathOf)
      .filter((script) => !announced.includes(script));
    // Charts are drawn, and the live channel with what it refetches is opened, after the figures.
    const isLater = (script: string) =>
      /\/(bar-chart|step-chart|lines|start-live-updates|approvals-queries)-/.test(script);
    expect(unannounced.filter((script) => !isLater(script))).toEqual([]);
    expect(complaints()).toEqual([]);
  });
});

test('after the sign-in the figures come with one call', async () => {
  const { page, complaints } = await newVisitor(browser, 'phone');
  const settingsRead = page.waitForResponse((response) => response.url().endsWith('/api/settings'));
  await page.goto(`${stack.url}/login`);
  await page.getByLabel('Usuário').fill('lojista');
  await page.getByLabel('Senha', { exact: true }).fill('lojista-demo');
  await settingsRead;
  await page.waitForLoadState('networkidle');
  const signIn = async () => {
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByRole('heading', { name: 'Olá, Marina' }).waitFor();
  };
  // The sign-in page has read the settings already.
  const calls = callsAmong(await requestsOf(page, signIn, { untaken: ['/settings'] }));
  expect(calls.slice(calls.indexOf('/api/login'))).toEqual(['/api/login', '/api/authed/batch']);
  expect(complaints()).toEqual([]);
});

test('a second visit begins with the figures of the first, marked with their time, but for the balance', async () => {
  const { page, enter, complaints } = await newVisitor(browser, 'phone');
  await enter(token, `${stack.url}/wallet`);
  const received = page.getByText('Total recebido').locator('..').getByText(/R\$/).first();
  const balance = page.getByText('Saldo disponível').first().locator('..').getByText(/R\$/).first();
  await balance.waitFor();
  const receivedBefore = await received.textContent();
  await expect.poll(() => page.evaluate("localStorage.getItem('last-visit')")).toContain('wallet');
  const answers = Promise.withResolvers<void>();
  await page.route('**/api/authed/batch?*', async (route) => {
    await answers.promise;
    await route.continue();
  });
  await page.goto(`${stack.url}/wallet`, { waitUntil: 'commit' });
  await page.getByText(/^Como estava às/).waitFor();
  expect(await received.textContent()).toBe(receivedBefore);
  expect(await balance.count()).toBe(0);
  expect(await page.locator('header').first().getByText(/R\$/).count()).toBe(0);
  answers.resolve();
  await balance.waitFor();
  await page.getByText(/^Como estava às/).waitFor({ state: 'detached' });
  expect(complaints()).toEqual([]);
});

test('a second visit to the transactions begins with the list of the first', async () => {
  const { page, enter, complaints } = await newVisitor(browser, 'phone');
  await enter(token, `${stack.url}/wallet`);
  await page.getByText('Saldo disponível').first().waitFor();
  await page.goto(`${stack.url}/transactions`);
  const amounts = page.locator('main').getByText(/^R\$/);
  await amounts.first().waitFor();
  await expect.poll(() => page.evaluate("localStorage.getItem('last-visit')")).toContain('limit\\":10');
  const answers = Promise.withResolvers<void>();
  await page.route('**/api/authed/batch?*', async (route) => {
    await answers.promise;
    await route.continue();
  });
  await page.goto(`${stack.url}/transactions`, { waitUntil: 'commit' });
  await page.getByText(/^Como estava às/).waitFor();
  expect(await amounts.count()).toBeGreaterThan(0);
  answers.resolve();
  await page.getByText(/^Como estava às/).waitFor({ state: 'detached' });
  expect(complaints()).toEqual([]);
});

test('a second visit whose session has ended leads to the sign-in, and nothing of the first is left', async () => {
  const { page, enter } = await newVisitor(browser, 'phone');
  await enter(token, `${stack.url}/dashboard`);
  await page.getByRole('heading', { name: 'Olá, Marina' }).waitFor();
  await expect.poll(() => page.evaluate("localStorage.getItem('last-visit')")).toContain('wallet');
  await page.route('**/api/authed/**', (route) =>
    route.fulfill({ status: 401, json: { success: false, error: { code: 'UNAUTHENTICATED', message: '' } } }),
  );
  await page.goto(`${stack.url}/dashboard`);
  await page.waitForURL('**/login*');
  expect(await page.evaluate("localStorage.getItem('last-visit')")).toBeNull();
});

test('a batch that fails is reported by each part of the screen, and no call is sent again', async () => {
  const { page, enter } = await newVisitor(browser, 'phone');
  await page.route('**/api/authed/batch?*', (route) => route.abort('connectionreset'));
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await enter(token, `${stack.url}/dashboard`);
  await page.waitForURL('**/login*');
  await page.waitForLoadState('networkidle');
  expect(callsAmong(requests).filter((call) => call !== '/api/settings')).toEqual(['/api/authed/batch']);
});
