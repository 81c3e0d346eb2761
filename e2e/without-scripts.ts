import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { TIMEOUT_MS } from './screens/stage.ts';

/** Opens a page in a browser without JavaScript, for the duration of the test. */
export async function openPageWithoutScripts(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  context.setDefaultTimeout(TIMEOUT_MS);
  onTestFinished(() => context.close());
  return context.newPage();
}

/** Follows the page's link that verifies the payment, again and again, until the page shows that the charge is paid. */
export async function verifyUntilPaid(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const verify = page.getByRole('link', { name: 'Verificar pagamento' });
      if (await verify.isVisible()) await verify.click();
      return page.getByRole('heading', { name: 'Pago' }).isVisible();
    })
    .toBe(true);
}
