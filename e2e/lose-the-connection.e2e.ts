import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { borrowStack, type SharedStack, signInAsDemoMerchant } from './stack.ts';
import { newVisitor, openBrowser } from './visitor.ts';

let stack: SharedStack;
let browser: Browser;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
});

/** Reads what the site stores on this device, except the theme and scroll positions, which are not personal. */
function storedDataOf(page: Page): Promise<{ caches: string[]; databases: string[]; storage: string[] }> {
  return page.evaluate(async () => ({
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name ?? ''),
    storage: [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter(
      (key) => key !== 'theme' && key !== 'scroll',
    ),
  }));
}

/** The complaints of the browser that a lost connection causes. */
const offlineComplaints =
  /net::ERR_INTERNET_DISCONNECTED|status of 503|WebSocket|Failed to fetch|ApiError: status 0/;

test.each(['corporate', 'dark'] as const)(
  'without a network a screen is replaced by an offline page in the theme %s, and returns by itself',
  async (theme) => {
    const visitor = await newVisitor(browser, 'phone');
    const { page, context } = visitor;
    await visitor.enter(await signInAsDemoMerchant(stack), `${stack.url}/dashboard`);
    await page.getByRole('heading', { name: /^Olá/ }).waitFor();
    await page.evaluate((value) => localStorage.setItem('theme', value), theme);
    // The service worker is installed by itself after the sign-in.
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');

    await context.setOffline(true);
    await page.goto(`${stack.url}/transactions?page=2`);
    await page.getByRole('heading', { name: 'Sem conexão com a Jangada' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme);
    await visitor.checkScreen(`offline, ${theme}`);
    // No account data is left, neither on the page nor in what a service worker stores.
    expect(await page.locator('body').textContent()).not.toMatch(/R\$/);
    expect(await storedDataOf(page)).toMatchObject({ caches: [], databases: [] });
    await page.getByRole('button', { name: 'Tentar novamente' }).click();
    await page.getByText('Ainda sem conexão').waitFor();

    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Todas as Transações' }).waitFor();
    expect(new URL(page.url()).search).toBe('?page=2');
    expect(visitor.complaints(offlineComplaints)).toEqual([]);

    await page.getByRole('button', { name: /^Conta/ }).click();
    await page.getByRole('menuitem', { name: 'Sair' }).click();
    await page.getByRole('heading', { name: 'Entrar' }).waitFor();
    await expect.poll(() => storedDataOf(page)).toEqual({ caches: [], databases: [], storage: [] });
  },
);

test('without a network an unloaded screen says so in the panel, and opens once the network is back', async () => {
  const visitor = await newVisitor(browser, 'desktop');
  const { page, context } = visitor;
  await visitor.enter(await signInAsDemoMerchant(stack), `${stack.url}/dashboard`);
  await page.getByRole('heading', { name: /^Olá/ }).waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Extrato' }).click();
  await page.getByRole('heading', { name: 'Não foi possível abrir esta tela' }).waitFor();
  await page.getByText(/^O servidor não respondeu\. Seus dados estão a salvo\./).waitFor();
  await page.getByRole('link', { name: 'Carteira' }).waitFor();
  await visitor.checkScreen('a screen that could not be loaded');
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Tentar Novamente' }).click();
  await page.getByRole('heading', { name: 'Extrato' }).waitFor();
  expect(visitor.complaints(offlineComplaints)).toEqual([]);
});

test('after the sign-in on a slow line a placeholder shows until the first screen is loaded', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await signInAsDemoMerchant(stack);
  await page.goto(`${stack.url}/login`);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const observations = { empty: 0 };
    Object.assign(window, { observations });
    const observe = () => {
      if (document.getElementById('root')?.textContent?.trim() === '') observations.empty += 1;
    };
    new MutationObserver(observe).observe(document.body, { childList: true, subtree: true });
  });
  await page.route('**/assets/*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await page.getByLabel('Usuário').fill('lojista');
  await page.getByLabel('Senha', { exact: true }).fill('lojista-demo');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByRole('heading', { name: /^Olá/ }).waitFor();
  const emptyCount = await page.evaluate(
    () => (window as unknown as { observations: { empty: number } }).observations.empty,
  );
  expect(emptyCount).toBe(0);
});

test('a press shows that it worked while the code of the next screen is still on its way', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await visitor.enter(await signInAsDemoMerchant(stack), `${stack.url}/dashboard`);
  const link = page.getByRole('link', { name: 'Criar Pagamento' });
  await link.waitFor();
  const codeArrives = Promise.withResolvers<void>();
  await page.route('**/assets/pix-payment-page-*.js', async (route) => {
    await codeArrives.promise;
    await route.continue();
  });
  await link.tap();
  await page.locator('.opening-line').waitFor();
  expect(await page.getByRole('heading', { name: /^Olá/ }).isVisible()).toBe(true);
  codeArrives.resolve();
  await page.getByRole('heading', { name: 'Criar Pagamento' }).waitFor();
  await page.locator('.opening-line').waitFor({ state: 'detached' });
  expect(visitor.complaints()).toEqual([]);
});

test('API calls are never answered from the cache of this device', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page, context } = visitor;
  await visitor.enter(await signInAsDemoMerchant(stack), `${stack.url}/dashboard`);
  await page.getByRole('heading', { name: /^Olá/ }).waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await page.reload();
  await page.getByRole('heading', { name: /^Olá/ }).waitFor();
  await context.setOffline(true);
  const outcomes = await page.evaluate(() =>
    Promise.all(
      ['/api/authed/wallet/stats', '/dashboard', '/push-worker.js'].map((path) =>
        fetch(path, { cache: 'no-store' }).then(
          ({ status }) => status,
          () => 'no answer',
        ),
      ),
    ),
  );
  expect(outcomes).toEqual(['no answer', 'no answer', 'no answer']);
});

test('the browser finds no fault in the manifest of the app', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page, context } = visitor;
  await page.goto(`${stack.url}/login`);
  const devtools = await context.newCDPSession(page);
  const { url, errors, manifest } = await devtools.send('Page.getAppManifest');
  expect({ url, errors }).toEqual({ url: `${stack.url}/app.webmanifest`, errors: [] });
  expect(manifest).toMatchObject({ name: 'Jangada', startUrl: `${stack.url}/dashboard` });
  for (const [path, type] of [
    ['/app.webmanifest', 'application/manifest+json'],
    ['/icon-192.png', 'image/png'],
    ['/icon-maskable-512.png', 'image/png'],
  ]) {
    const response = await page.request.get(`${stack.url}${path}`);
    expect([path, response.status(), response.headers()['content-type']?.split(';')[0]]).toEqual([
      path,
      200,
      type,
    ]);
  }
  expect(visitor.complaints()).toEqual([]);
});
