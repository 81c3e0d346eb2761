import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { borrowStack, callApi, type SharedStack, signInAsDemoMerchant } from './stack.ts';
import { isLongRun, journeyWidths, newVisitor, openBrowser, readCopiedText } from './visitor.ts';
import { openPageWithoutScripts } from './without-scripts.ts';

let stack: SharedStack;
let browser: Browser;

beforeAll(async () => {
  stack = await borrowStack();
  browser = await openBrowser();
});

const calls = ['POST /api/pix/new', 'GET /api/pix/status/{id}', 'POST /api/withdraw', 'GET /api/events'];

test('without JavaScript the documentation is complete: calls, samples in the chosen language, errors, at its own address', async () => {
  const page = await openPageWithoutScripts(browser);
  await page.goto(`${stack.url}/docs`);
  const text = await page.locator('main').textContent();
  for (const call of calls) expect(text).toContain(call);
  expect(text).toContain(`curl -X POST '${stack.url}/api/pix/new'`);
  expect(text).toContain('IDEMPOTENCY_CONFLICT');
  expect(text).toContain('webhook-signature');
  expect(await page.locator('[data-copy]').first().isVisible()).toBe(false);
  expect(await page.getByText('import requests').first().isVisible()).toBe(false);
  await page.getByText('Python', { exact: true }).first().click();
  expect(await page.getByText('import requests').first().isVisible()).toBe(true);
});

test.each(journeyWidths)(
  'on a %s the documentation opens from the sign-in, can be copied from, and is readable in both themes',
  async (width) => {
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    await page.goto(`${stack.url}/login`);
    await page.getByRole('link', { name: 'Documentação da API' }).click();
    await page.getByRole('heading', { level: 1, name: 'Documentação da API' }).waitFor();
    await visitor.checkScreen('docs');
    await page.getByRole('radio', { name: 'JavaScript' }).check({ force: true });
    const copy = page.getByRole('button', { name: 'Copiar POST /api/pix/new' });
    const copied = await readCopiedText(page, () => copy.click());
    expect(copied).toContain(`await fetch('${stack.url}/api/pix/new', {`);
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'dark';
    });
    // This is the longest page, so a short run checks it with axe only once.
    if (isLongRun) await visitor.checkScreen('docs, dark');
    await page.reload();
    await expect.poll(() => page.getByRole('radio', { name: 'JavaScript' }).isChecked()).toBe(true);
    expect(visitor.complaints()).toEqual([]);
  },
);

test.each(journeyWidths)(
  'on a %s the panel shows the same documentation, its samples filled in with the merchant’s own key',
  async (width) => {
    const token = await signInAsDemoMerchant(stack);
    const { key } = await callApi(stack, 'GET', '/authed/apikey', { token });
    expect(key).toMatch(/^jgd_/);
    const visitor = await newVisitor(browser, width);
    const { page } = visitor;
    await visitor.enter(token, `${stack.url}/pix-api-docs`);
    await page.getByRole('heading', { level: 1, name: 'Documentação API' }).waitFor();
    await page.getByText(`x-api-key: ${key}`).first().waitFor();
    if (isLongRun) await visitor.checkScreen('docs in the panel');
    const copy = page.getByRole('button', { name: 'Copiar POST /api/pix/new' });
    expect(await readCopiedText(page, () => copy.click())).toContain(`-H 'x-api-key: ${key}'`);
    expect(visitor.complaints()).toEqual([]);
  },
);
