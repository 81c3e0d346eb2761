import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payAtBank } from './bank.ts';
import { keyboardJourneys } from './keyboard-journeys.ts';
import { findLastingLayoutProblems, findLongValueProblems } from './screens/examine.ts';
import { rememberResponses } from './screens/long-values.ts';
import {
  type CreatedCharge,
  callApi,
  createCharge,
  type Stack,
  signInAsDemoMerchant,
  startStack,
} from './stack.ts';
import { isLongRun, newVisitor, openBrowser, type Width, widths } from './visitor.ts';

let stack: Stack;
let browser: Browser;
let token: string;
let openCharge: CreatedCharge;
let paidCharge: CreatedCharge;

beforeAll(async () => {
  stack = await startStack();
  browser = await openBrowser();
  token = await signInAsDemoMerchant(stack);
  openCharge = await createCharge(stack, token, 1234.56);
  paidCharge = await createCharge(stack, token, 14_999.99);
  await payAtBank(stack, paidCharge.content);
  await callApi(stack, 'POST', '/payment-links', {
    token,
    body: { title: 'Camiseta Jangada', amount: 89.9 },
  });
  await callApi(stack, 'POST', '/counter-codes', { token, body: { name: 'Caixa 1' } });
});

afterAll(async () => {
  expect(await stack?.stop()).toBe(0);
  stack?.remove();
});

async function boxOf(page: Page, role: 'dialog', name: string) {
  const box = await page.getByRole(role, { name }).boundingBox();
  if (box === null) throw new Error(`${name} is not on the screen`);
  return box;
}

test('the menu slides in over a page that does not scroll, and closes by a tap beside it, Esc and a choice', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  const openDrawer = async () => {
    await page.getByRole('button', { name: 'Abrir menu' }).tap();
    await drawer.getByRole('link', { name: 'Início' }).waitFor();
  };
  await visitor.enter(token, `${stack.url}/dashboard`);
  await page.getByRole('heading', { name: 'Transações recentes' }).waitFor();

  await openDrawer();
  await visitor.checkScreen('menu');
  const { x, width, height } = await boxOf(page, 'dialog', 'Menu');
  expect(x).toBe(0);
  expect(width).toBeLessThanOrEqual(widths.phone.width * 0.8);
  expect(height).toBe(widths.phone.height);
  await page.mouse.move(360, 400);
  await page.mouse.wheel(0, 400);
  await page.mouse.move(100, 400);
  await page.mouse.wheel(0, 400);
  await page.touchscreen.tap(370, 500);
  await drawer.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => window.scrollY)).toBe(0);

  await openDrawer();
  const group = drawer.getByRole('button', { name: 'Transações' });
  await group.tap();
  await drawer.getByRole('link', { name: 'Criar Pagamento' }).waitFor({ state: 'hidden' });
  await group.tap();
  await drawer.getByRole('link', { name: 'Criar Pagamento' }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Abrir menu');

  await openDrawer();
  await drawer.getByRole('link', { name: 'Carteira' }).tap();
  await page.waitForURL('**/wallet');
  await drawer.waitFor({ state: 'hidden' });
  await openDrawer();
  await drawer.getByRole('link', { name: 'Início' }).tap();
  await page.waitForURL('**/dashboard');
  await page.goBack();
  await page.waitForURL('**/wallet');
  await page.getByRole('heading', { name: 'Minha Carteira' }).waitFor();
  expect(visitor.complaints()).toEqual([]);
  await visitor.context.close();
});

test('on a phone transactions are a list, and a detail opens from the bottom of the screen', async () => {
  const visitor = await newVisitor(browser, 'phone');
  const { page } = visitor;
  await visitor.enter(token, `${stack.url}/transactions`);
  const list = page.getByRole('list', { name: 'Transações' });
  await list.getByText('R$ 14.999,99').waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
  await list.getByRole('button').first().tap();
  const sheet = page.getByRole('dialog', { name: 'Transação' });
  // The sheet grows until it is complete. Until then it might come to cover the target of the next tap.
  await sheet.getByText('Conteúdo do QR Code').waitFor();
  await visitor.checkScreen('detail');
  const box = await sheet.locator('.modal-box').boundingBox();
  expect(box).toMatchObject({ x: 0, width: widths.phone.width });
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(widths.phone.height);
  expect(box?.y).toBeGreaterThan(0);
  await page.touchscreen.tap(195, (box?.y ?? 0) / 2);
  await sheet.waitFor({ state: 'detached' });
  expect(visitor.complaints()).toEqual([]);
  await visitor.context.close();
});

const screens: readonly { name: string; path: () => string; shows: RegExp }[] = [
  { name: 'overview', path: () => '/dashboard', shows: /Transações recentes/ },
  { name: 'transactions', path: () => '/transactions', shows: /14\.999,99/ },
  { name: 'detail', path: () => `/transactions?id=${paidCharge.id}`, shows: /Conteúdo do QR Code/ },
  { name: 'nothing found', path: () => '/transactions?search=nadadisso', shows: /Limpar filtros/ },
  { name: 'wallet', path: () => '/wallet', shows: /Bloqueado por disputas/ },
  { name: 'statement', path: () => '/statement', shows: /R\$.14\.851,49/ },
  {
    name: 'statement of one kind',
    path: () => '/statement?account=reserved&kind=refund',
    shows: /Nada com esse filtro/,
  },
  { name: 'payment links', path: () => '/payment-links', shows: /Camiseta Frevo/ },
  { name: 'counter codes', path: () => '/payment-links/counter-codes', shows: /Balcão da loja/ },
  { name: 'disputes', path: () => '/disputes', shows: /^Ganha$/ },
  { name: 'keys', path: () => '/api-keys', shows: /Revogar chave/ },
  { name: 'webhooks', path: () => '/webhooks', shows: /Callback de cada cobrança/ },
  { name: 'deliveries', path: () => '/webhooks/deliveries', shows: /O que enviamos/ },
  { name: 'doctor', path: () => '/webhooks/doctor', shows: /Onde achar o que colar/ },
  { name: 'form', path: () => '/pix-payment', shows: /Gerar Pagamento/ },
  { name: 'open charge', path: () => `/pix-payment?id=${openCharge.id}`, shows: /Aguardando o Pix/ },
  { name: 'paid charge', path: () => `/pix-payment?id=${paidCharge.id}`, shows: /Ver transação/ },
  { name: 'withdrawal', path: () => '/withdrawals', shows: /O PIN é pedido a cada saque/ },
  { name: 'withdrawals', path: () => '/withdrawal-history', shows: /marina.albuquerque@example.com/ },
  { name: 'withdrawals by API', path: () => '/api-withdrawals', shows: /Conta da loja/ },
  { name: 'profile', path: () => '/profile', shows: /Como quem paga vê/ },
  { name: 'verification', path: () => '/kyc-verification', shows: /./ },
];

/** Finds buttons and menu links that are too small for a finger. */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, nav a, a.btn, label:has(> [type="radio"])')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < 32)
      .map(({ element, box }) => {
        const name = element.getAttribute('aria-label') ?? element.textContent;
        return `${name} ${Math.round(box.width)}×${Math.round(box.height)}`;
      }),
  );
}

describe.each<Width>(isLongRun ? ['narrow', 'tablet'] : ['narrow'])('on a %s screen', (width) => {
  // A width of 320 px is also what a window of 1280 px has at 400 % zoom.
  test('every screen of the panel fits', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    const problems: string[] = [];
    await rememberResponses(visitor.context);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await visitor.enter(token, `${stack.url}/dashboard`);
    for (const { name, path, shows } of screens) {
      await page.setViewportSize(widths[width]);
      await page.goto(stack.url + path());
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText(shows).first().waitFor();
      // A short run leaves the check with axe to the journeys, which pass these screens on a phone.
      if (isLongRun) await visitor.checkScreen(name);
      expect(await findLastingLayoutProblems(page), name).toEqual([]);
      if (width !== 'narrow') continue;
      expect(await findSmallTargets(page), `${name}: small targets`).toEqual([]);
      // Long values are tried at every width, and in a short run at the narrowest. Last, because this changes the screen.
      const lengthWidths = isLongRun ? undefined : [250];
      problems.push(
        ...(await findLongValueProblems(page, lengthWidths)).map((problem) => `${name}, ${problem}`),
      );
    }
    expect(problems).toEqual([]);
    if (width === 'tablet') {
      await page.goto(`${stack.url}/transactions`);
      await page.getByRole('table', { name: 'Transações' }).getByText('14.999,99').waitFor();
      const [head] = await page.getByRole('columnheader').allInnerTexts();
      expect(head).toBe('ID');
    }
    expect(visitor.complaints()).toEqual([]);
    await visitor.context.close();
  });

  test('sign-in and registration fit', async () => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    for (const [path, heading] of [
      ['/login', 'Entrar'],
      ['/register', 'Criar conta'],
    ] as const) {
      await page.goto(stack.url + path);
      await page.getByRole('heading', { name: heading }).waitFor();
      await visitor.checkScreen(heading);
    }
    expect(visitor.complaints()).toEqual([]);
    await visitor.context.close();
  });
});

keyboardJourneys(() => ({ stack, browser, token }));
